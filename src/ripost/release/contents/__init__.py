"""How each kind of content is written to a release file, and read and checked again: one module a kind."""
