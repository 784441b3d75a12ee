"""Wide tables: errors and intervals on tables of 5 to 35 attributes that depend on each other."""
