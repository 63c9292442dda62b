"""Build the queries of (h,k,p)-coherence and of its checker."""
