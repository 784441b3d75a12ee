"""Contents: the four kinds of estimate that a view may hold, one file each."""
