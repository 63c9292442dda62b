"""The questions of mining: frequent itemsets, rules, patterns."""
