"""Adaptive grid: two levels of grids (Qardaji, Yang and Li 2013)."""
