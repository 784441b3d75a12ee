"""Contents: the five kinds of estimate that a view may hold, one file each."""
