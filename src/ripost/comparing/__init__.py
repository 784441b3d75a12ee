"""Comparing: methods side by side on one table, by their errors and by the coverage of their intervals."""
