"""P3GM: a phased generative model trained with private gradients (Takagi et al. 2021)."""
