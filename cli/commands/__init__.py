"""Commands: one module each; those of the models derive from the registry."""
