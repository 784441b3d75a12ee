"""PrivBayes: a Bayesian network of noisy marginals (Zhang et al. 2014)."""
