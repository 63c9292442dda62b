"""The questions of a run: number a source, keep lists of items, put a release together."""
