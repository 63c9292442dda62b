"""The trail of a run: write it, seal it, explain it, run it again."""
