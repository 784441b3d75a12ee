"""Private data: the exact counts of cells, and statistics of blocks."""
