"""Build the queries of mining: frequent itemsets, rules, patterns."""
