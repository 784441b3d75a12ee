"""PrivTree: a quadtree grown by biased threshold tests (Zhang, Xiao and Xie 2016)."""
