"""Sections of the report, one a file: what was measured for one table or figure, and which claims it bears on."""
