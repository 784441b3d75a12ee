"""Budget ledger: the budget of a data set across releases. Each release debits it before any noise is drawn."""
