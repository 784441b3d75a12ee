"""Public geometry: attributes, cells, boxes of cells, trees of boxes."""
