"""Statistics of blocks: what methods may ask of private cells, each with its sensitivity and its proof."""
