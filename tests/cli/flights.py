"""A small schema for the tests of the command line."""

SCHEMA = """
[attributes.hour]
type = "integer"
min = 0
max = 23
[attributes.origin]
type = "category"
values = ["EWR", "JFK", "LGA"]
"""
