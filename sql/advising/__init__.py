"""Questions to data of which nobody has chosen a promise yet."""
