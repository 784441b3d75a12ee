"""The paper, reproduced: every table and figure, from trials that are stored once, to one report."""
