"""Shared vectors: a release file with a mixture, and questions with the answers that every reader must give."""
