"""What an owner stated of a table elsewhere: CSVW, Frictionless and SmartNoise metadata."""
