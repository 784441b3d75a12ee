"""Public: a release as blocks with values and variances, its answers with their errors, and its file."""
