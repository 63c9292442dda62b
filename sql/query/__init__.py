"""The checker of a release as one query, which runs in any shell of its database."""
