"""DAWA: buckets of similar cells, then a workload-aware hierarchy (Li et al. 2014)."""
