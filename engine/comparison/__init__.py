"""Compare releases with their original: use, risk, and verdicts of checkers."""
