"""Engines: where the cells of a table lie while statistics of them are computed."""
