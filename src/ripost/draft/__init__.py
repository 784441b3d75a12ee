"""Drafts of schemas, from the names and values of a table and from the owner's metadata. Private until reviewed."""
