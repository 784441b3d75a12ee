"""Public: questions in, values and intervals out. Everything that answers is here."""
