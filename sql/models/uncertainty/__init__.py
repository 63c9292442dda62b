"""The questions of rho-uncertainty and of its checker."""
