"""The only door from private to public: budgets, sensitivities, mechanisms, noise, the account and its ledger."""
