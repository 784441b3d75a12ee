"""Spark: cells on a cluster. Executors add up whole numbers; noise is drawn by the driver alone."""
