"""Readings of the paper: what its text may mean other than what we implemented. None is a method to publish with."""
