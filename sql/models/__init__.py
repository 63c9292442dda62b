"""The questions of each model: one folder per promise, as in `setveil.models`."""
