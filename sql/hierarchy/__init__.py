"""The questions about hierarchies: nodes, recoding, coverage."""
