"""Speed as ratios: each script measures two things side by side in one run and writes JSON to benchmarks/results."""
