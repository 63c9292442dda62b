"""Options of several commands that are not in every command of a group, each declared once."""

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
Carry = Annotated[
    list[str] | None,
    typer.Option(
        "--carry",
        metavar="COL,COL",
        help="Publish these columns too, unchanged; the promise does not cover them. all: every "
        "column but that of persons.",
    ),
]
Renumber = Annotated[
    bool,
    typer.Option(
        "--renumber",
        help="Replace transaction ids by random numbers, and shuffle the transactions.",
    ),
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
P = Annotated[int, typer.Option("--p", metavar="N", help="Attackers know up to N public items.")]
Plan = Annotated[
    str,
    typer.Option(
        "--plan",
        metavar="PLAN",
        help="How cohorts are stored: auto, lists or bits; itemsets also words. Same result.",
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
        "order below each node. Its nodes mean nothing to a reader.",
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
