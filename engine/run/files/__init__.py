"""Files and tables: how the data comes, and how what is made of it goes."""
