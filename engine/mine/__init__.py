"""Mine frequent itemsets, association rules and patterns."""
