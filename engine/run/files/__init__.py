"""Files and tables: read the data, and write the results."""
