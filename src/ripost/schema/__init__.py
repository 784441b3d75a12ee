"""Public: attributes, their domains and bins, and the schema file that describes a table."""
