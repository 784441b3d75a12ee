"""Readers: tables of files, pipes, frames, databases and Spark, as Ibis tables."""
