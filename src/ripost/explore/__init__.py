"""Pictures of a view, and the one-file HTML explorer. Everything here is made from what is public."""
