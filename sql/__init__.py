"""Build the queries of setveil as sqlglot expressions: pure functions that know no database."""

if __name__ != "setveil.sql":
    raise ImportError(f"this folder is the package 'setveil.sql', not {__name__!r}")
