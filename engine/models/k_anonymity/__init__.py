"""k-anonymity: generalize items in the transactions that need it, check."""
