"""(h,k,p)-coherence: search for moles, choose items to suppress, check."""
