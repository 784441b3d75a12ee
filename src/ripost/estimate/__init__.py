"""Estimates: from noisy measurements to values that fit together. Only released numbers come in here."""
