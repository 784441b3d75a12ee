"""Certificates of a release for people and registries: what was released, what is promised, and why to believe it."""
