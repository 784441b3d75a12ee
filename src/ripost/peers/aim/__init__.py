"""AIM: marginals chosen in rounds and a graphical model (McKenna et al. 2022)."""
