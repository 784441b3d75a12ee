"""Private: drafts of schemas, from what a table is called and holds and from what its owner stated elsewhere."""
