"""Public: questions as an analyst writes them, turned into positions on the axes of a view."""
