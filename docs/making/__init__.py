"""What makes the site, its pictures and its notebooks from the repository."""
