"""rho-uncertainty: suppress single occurrences until no rule is unsafe, check."""
