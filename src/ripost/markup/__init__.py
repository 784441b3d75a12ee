"""HTML from templates that escape all text by themselves: names come from others."""
