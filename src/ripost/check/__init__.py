"""Check a schema against the public facts of a table. Only `--fit` reads rows, and its report is private."""
