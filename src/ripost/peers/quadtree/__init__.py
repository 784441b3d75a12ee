"""Quadtree: halving along all axes with a budget per level (Cormode et al. 2012)."""
