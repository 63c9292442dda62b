"""Pages and plots of results, for a browser without a network."""
