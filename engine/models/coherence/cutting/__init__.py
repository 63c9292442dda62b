"""Choose a cut of a hierarchy and the items to suppress, together, so that no set is a mole."""
