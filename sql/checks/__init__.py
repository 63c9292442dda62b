"""The questions of the checkers, one module for each in `setveil.checks`."""
