"""One-way: histograms of all attributes with noise."""
