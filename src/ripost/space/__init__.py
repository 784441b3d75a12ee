"""Public geometry: what the attributes are, which cells there are, boxes of cells, trees of boxes."""
