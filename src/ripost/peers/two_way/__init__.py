"""Two-way: tables of all pairs of attributes with noise."""
