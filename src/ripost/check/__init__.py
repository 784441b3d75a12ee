"""Check: a schema held against a table, by what is public of both. No row is read."""
