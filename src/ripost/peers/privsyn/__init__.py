"""PrivSyn: noisy marginals and synthetic rows fitted to them (Zhang et al. 2021)."""
