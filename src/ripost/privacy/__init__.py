"""The privacy boundary: budgets, sensitivities, mechanisms, noise, the account and its ledger."""
