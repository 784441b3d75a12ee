"""AIM with residuals: the rounds of AIM, and reconstruction in closed form (GReM, Mullins et al. 2024)."""
