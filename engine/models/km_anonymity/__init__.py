"""k^m-anonymity: generalize items everywhere by one cut of a hierarchy, check."""
