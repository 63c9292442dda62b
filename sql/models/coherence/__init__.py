"""The questions of (h,k,p)-coherence and of its checker."""
