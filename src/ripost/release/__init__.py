"""Public: the release file, its manifest, and everything that checks them."""
