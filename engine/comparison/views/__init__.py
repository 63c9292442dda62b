"""Views: the tables and pages of an inspection, a comparison and a sweep."""
