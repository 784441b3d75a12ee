"""Private: from the owner's table to a tensor, by the rules of the owner's schema."""
