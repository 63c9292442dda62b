"""Take the checkers elsewhere: as one query, and as tests of dbt and sqlmesh."""
