"""Evidence on releases, for those who must answer for them."""
