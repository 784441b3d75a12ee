"""Public: a view in the formats of other tools, one format a file. All of it is post-processing of what is public."""
