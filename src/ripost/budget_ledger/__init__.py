"""Books: the ledger of a data set, across releases; each debits it before any noise is drawn."""
