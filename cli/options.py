"""The options that commands share, each declared once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

EXIT_CODES = (
    "Exit codes: 0 done, or the promise holds; 1 the promise does not hold; 2 usage or bad input; "
    "3 no release can keep the promise; 4 the database failed or cannot be reached; "
    "129, 143 ended by SIGHUP, SIGTERM; 130 interrupted."
)

Source = Annotated[
    str,
    typer.Argument(
        metavar="SOURCE",
        help="The transactions: a file or quoted glob (.parquet .csv .tsv .dat .basket); with "
        "--database, a table, view or query.",
        show_default=False,
    ),
]
Tid = Annotated[
    str | None,
    typer.Option("--tid", metavar="COL", help='The column of transaction ids (default "tid").'),
]
Item = Annotated[
    str,
    typer.Option("--item", metavar="COL", help="The column of items, or of LISTs of items."),
]
Database = Annotated[
    str | None,
    typer.Option(
        "--database",
        metavar="WHERE",
        help="The database of SOURCE: a DuckDB file, or a server, which then does all the work: "
        "postgres://HOST/NAME (postgres:// alone reads the PG* variables), sc://HOST:PORT for "
        "Spark Connect (sc:// alone reads SPARK_REMOTE), or spark://local[*] in this process. "
        "The PostgreSQL role must be able to read SOURCE and to make temporary tables. It needs "
        "CREATE on a schema for --into, and on the database to compare two tables.",
    ),
]
Engine = Annotated[
    str,
    typer.Option(
        "--engine",
        metavar="ENGINE",
        help="For a server: in-place, or duckdb. duckdb copies the rows to this machine, works "
        "here, and sends a table back.",
    ),
]
DropNulls = Annotated[
    bool,
    typer.Option("--drop-nulls", help="Leave out rows whose transaction or item is NULL."),
]
Carry = Annotated[
    list[str] | None,
    typer.Option(
        "--carry",
        metavar="COL,COL",
        help="Publish these columns too, unchanged; the promise does not cover them. all: every "
        "column.",
    ),
]
Renumber = Annotated[
    bool,
    typer.Option(
        "--renumber",
        help="Replace transaction ids by random numbers, and shuffle the transactions.",
    ),
]
IdsKept = Annotated[
    Path | None,
    typer.Option(
        "--key",
        metavar="FILE",
        help="With --renumber: write the id and number of each transaction to this confidential "
        "file (.parquet or .csv). It is never overwritten.",
    ),
]
IdsOf = Annotated[
    Path | None,
    typer.Option(
        "--key",
        metavar="FILE",
        help="The key of the ids, written with --renumber, to match the release with --original.",
    ),
]
Out = Annotated[
    Path | None,
    typer.Option("--out", metavar="FILE", help="Write the release here; the suffix is its format."),
]
Into = Annotated[
    str | None,
    typer.Option(
        "--into",
        metavar="TABLE",
        help="Write the release to this table of --database, as TABLE or SCHEMA.TABLE.",
    ),
]
ResultsOut = Annotated[
    Path | None,
    typer.Option(
        "--out",
        metavar="FILE",
        help="Write the rows to this confidential file: .parquet, .json, .jsonl, .csv or .tsv.",
    ),
]
ResultsInto = Annotated[
    str | None,
    typer.Option("--into", metavar="TABLE", help="Write the rows to this table of --database."),
]
Trail = Annotated[
    Path | None,
    typer.Option(
        "--trail", metavar="FILE.sql", help="Write every statement of the run here. Confidential."
    ),
]
Force = Annotated[
    bool,
    typer.Option("--force", help="Overwrite the files and the table of --out, --into, --trail."),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of a table.")]
Quiet = Annotated[
    bool, typer.Option("--quiet", help="Print only errors and limits of the promise on stderr.")
]
Threads = Annotated[
    int | None,
    typer.Option(
        "--threads",
        metavar="N",
        min=1,
        help="Number of threads. Default in DuckDB: all cores; in PostgreSQL, per statement: the "
        "server's setting. Not with sc://.",
    ),
]
MemoryLimit = Annotated[
    str | None,
    typer.Option(
        "--memory-limit",
        metavar="SIZE",
        help="Memory to use, such as 2GB; more spills to disk. Default: 60 % of the free memory. "
        "PostgreSQL's work_mem is a quarter of it. Not with sc://.",
    ),
]
ForceLarge = Annotated[
    bool,
    typer.Option(
        "--force-large",
        help="Go on where the estimate exceeds the memory, disk or time that the run may use.",
    ),
]
Explain = Annotated[
    bool,
    typer.Option("--explain", help="Print the statements instead of running them on the data."),
]
Dialect = Annotated[
    str | None,
    typer.Option(
        "--dialect",
        metavar="NAME",
        help="With --explain: print the SQL in this dialect, which is not tested (bigquery, "
        "clickhouse, databricks, snowflake or trino).",
    ),
]
Seed = Annotated[
    int, typer.Option("--seed", metavar="N", help="Runs with the same seed give the same bytes.")
]
Private = Annotated[
    str | None,
    typer.Option(
        "--private",
        metavar="LIST",
        help="Items that must not be inferred: a text file with a name per line, a CSV or Parquet "
        "file with a column item, or where:SQL on name and support.",
    ),
]
Again = Annotated[
    str | None,
    typer.Option(
        metavar="LIST", help="The list of the run, if its trail was redacted and names no items."
    ),
]
Redact = Annotated[
    bool,
    typer.Option(
        "--redact", help="Leave listed items out of the trail: it keeps a digest of each list."
    ),
]
Public = Annotated[
    str | None,
    typer.Option(
        "--public",
        metavar="LIST",
        help="Items that an attacker can know (default: all that are not private).",
    ),
]
IgnoreUnknown = Annotated[
    bool,
    typer.Option("--ignore-unknown", help="Skip listed names that the data lacks in any spelling."),
]
H = Annotated[
    str | None,
    typer.Option(
        "--h",
        metavar="SHARE",
        help="A private item is in at most this share (0 to 1) of any cohort: the transactions "
        "that hold a set of known items. Default: 1, no bound.",
    ),
]
K = Annotated[int, typer.Option("--k", metavar="N", help="Any cohort has at least N transactions.")]
P = Annotated[int, typer.Option("--p", metavar="N", help="Attackers know up to N public items.")]
Sensitive = Annotated[
    str,
    typer.Option(
        "--sensitive",
        metavar="LIST",
        help="Items that must not be inferred: a text file with a name per line, a CSV or Parquet "
        "file with a column item, or where:SQL on name and support.",
    ),
]
Rho = Annotated[
    str,
    typer.Option(
        "--rho",
        metavar="SHARE",
        help="At most this share (0 to 1) of the transactions with some items hold a sensitive "
        "one.",
    ),
]
MaxKnowledge = Annotated[
    int | None,
    typer.Option(
        "--max-knowledge",
        metavar="N",
        min=1,
        help="Attackers know up to N items (default: any number).",
    ),
]
Plan = Annotated[
    str,
    typer.Option(
        "--plan", metavar="PLAN", help="How cohorts are stored: auto, lists or bits. Same result."
    ),
]
Patterns = Annotated[
    Path,
    typer.Option(
        "--patterns",
        metavar="FILE",
        help="The restrictive patterns: a text file with one per line, items between commas; or a "
        "CSV or Parquet file with columns pattern and item, and psi where patterns differ in it.",
    ),
]
Psi = Annotated[
    str | None,
    typer.Option(
        "--psi",
        metavar="SHARE",
        help="This share (0 to 1) of the transactions that hold a pattern may keep it (default 0).",
    ),
]
HideBelow = Annotated[
    int | None,
    typer.Option(
        "--min-support",
        metavar="N",
        min=1,
        help="Instead of --psi: fewer than N transactions may keep a pattern.",
    ),
]
Hierarchy = Annotated[
    str | None,
    typer.Option(
        "--hierarchy",
        metavar="FILE",
        help="A Parquet or CSV file with item, level1, level2, … upwards without the root; with "
        "--database, also a table, view or query.",
    ),
]
Fanout = Annotated[
    int | None,
    typer.Option(
        "--fanout",
        metavar="N",
        help="Instead of --hierarchy: an artificial one, with N items or nodes in alphabetical "
        "order below each node.",
    ),
]
Report = Annotated[
    Path | None,
    typer.Option(
        "--report",
        metavar="FILE.html",
        help="Write the result as one HTML page that needs no network.",
    ),
]
