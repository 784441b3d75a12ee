"""Uniform grid: one grid of noisy counts (Qardaji, Yang and Li 2013)."""
