"""A view as a DuckDB database whose views and macros answer in SQL, without ripost."""
