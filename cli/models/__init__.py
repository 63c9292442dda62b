"""The commands of the models."""
