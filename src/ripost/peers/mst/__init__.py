"""MST: a spanning tree of noisy pairs and a graphical model (McKenna et al. 2021)."""
