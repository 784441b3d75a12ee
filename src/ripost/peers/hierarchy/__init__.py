"""Hierarchy: a tree of few levels with many children a node (Qardaji, Yang and Li 2013)."""
