"""The attack on renamed data: match published itemsets with mined ones."""
