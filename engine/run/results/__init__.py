"""Results of models: kept as long as somebody holds them, and shown as tables."""
