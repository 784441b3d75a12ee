"""Private: the exact counts, and statistics of blocks of them."""
