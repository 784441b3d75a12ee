"""Hierarchy: a tree of few levels with many children per node (Qardaji, Yang and Li 2013)."""
