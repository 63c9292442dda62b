"""The questions to several releases of one data."""
