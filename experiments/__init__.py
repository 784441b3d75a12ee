"""Experiments: trials, their store, tables and figures. `python -m experiments --help` lists them."""
