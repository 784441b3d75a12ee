"""Metadata that an owner has for a table: CSVW, Frictionless and SmartNoise."""
