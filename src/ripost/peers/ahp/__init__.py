"""AHP: cells clustered by their noisy counts (Zhang et al. 2014)."""
