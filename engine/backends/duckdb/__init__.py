"""DuckDB: the backend, its files and its tables."""
