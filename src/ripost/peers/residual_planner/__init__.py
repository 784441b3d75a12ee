"""ResidualPlanner and ResidualPlanner+: Gaussian noise on residuals, planned in closed form."""
