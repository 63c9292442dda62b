"""The options that commands share, each declared once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

EXIT_CODES = (
    "Exit codes: 0 done, or it holds; 1 it does not hold; 2 usage or bad input; "
    "3 no release can keep the promise; 4 the database failed or cannot be reached; "
    "129, 143 ended by SIGHUP, SIGTERM; 130 interrupted."
)

Source = Annotated[
    str,
    typer.Argument(
        metavar="SOURCE",
        help="A file or quoted glob (.parquet .csv .tsv .dat .basket); with --database, a table, "
        "view or query.",
        show_default=False,
    ),
]
Tid = Annotated[
    str | None,
    typer.Option("--tid", metavar="COL", help='The column of the transaction (default "tid").'),
]
Item = Annotated[
    str,
    typer.Option("--item", metavar="COL", help="The column of the item, or of a LIST of items."),
]
Database = Annotated[
    str | None,
    typer.Option(
        "--database",
        metavar="WHERE",
        help="Where SOURCE is: a DuckDB file; or a server, which then does all the work: "
        "postgres://HOST/NAME (postgres:// alone: what the PG* variables say), Spark Connect as "
        "sc://HOST:PORT (sc:// alone: SPARK_REMOTE), or spark://local[*] in this process. In "
        "PostgreSQL the role must be able to read SOURCE, to make temporary tables (schemas where "
        "two tables are compared) and, for --into, tables in one schema.",
    ),
]
Engine = Annotated[
    str,
    typer.Option(
        "--engine",
        metavar="ENGINE",
        help="For a server: in-place, or duckdb, which takes the rows here, works on them, "
        "and sends back what is to be a table.",
    ),
]
DropNulls = Annotated[
    bool, typer.Option("--drop-nulls", help="Leave rows out that lack a transaction or an item.")
]
Carry = Annotated[
    list[str] | None,
    typer.Option(
        "--carry",
        metavar="COL,COL",
        help="Publish these other columns too, as they are and judged by nobody; all: every one.",
    ),
]
Renumber = Annotated[
    bool,
    typer.Option(
        "--renumber",
        help="Put random numbers in the place of transaction ids, in an order that follows "
        "nothing.",
    ),
]
IdsKept = Annotated[
    Path | None,
    typer.Option(
        "--key",
        metavar="FILE",
        help="With --renumber: write id and number of each transaction here, for you alone "
        "(.parquet or .csv); it is never overwritten.",
    ),
]
IdsOf = Annotated[
    Path | None,
    typer.Option(
        "--key",
        metavar="FILE",
        help="Of a release with --renumber: the key of its ids, to match it with --original.",
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
        help="Write the rows here, for you alone: .parquet, .json, .jsonl, .csv or .tsv.",
    ),
]
ResultsInto = Annotated[
    str | None,
    typer.Option("--into", metavar="TABLE", help="Write the rows to this table of --database."),
]
Trail = Annotated[
    Path | None,
    typer.Option(
        "--trail", metavar="FILE.sql", help="Keep every statement of the run. Confidential."
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Overwrite what --out, --into, --trail name.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of a table.")]
Quiet = Annotated[
    bool, typer.Option("--quiet", help="Say only errors and limits of the promise on stderr.")
]
Threads = Annotated[
    int | None,
    typer.Option(
        "--threads",
        metavar="N",
        min=1,
        help="Threads (default: all cores; on PostgreSQL, of a statement: as it is set there; not "
        "with sc://).",
    ),
]
MemoryLimit = Annotated[
    str | None,
    typer.Option(
        "--memory-limit",
        metavar="SIZE",
        help="Memory to use, as 2GB; the rest spills (default: 60 % of what is free). On "
        "PostgreSQL, work_mem is a quarter of it; not with sc://.",
    ),
]
ForceLarge = Annotated[
    bool,
    typer.Option(
        "--force-large",
        help="Go on with what is estimated to take more memory, disk or time than the run may use.",
    ),
]
Explain = Annotated[
    bool,
    typer.Option("--explain", help="Print the statements, and run none of them on the data."),
]
Dialect = Annotated[
    str | None,
    typer.Option(
        "--dialect",
        metavar="NAME",
        help="With --explain: as another database would be told, which nobody ran it on "
        "(bigquery, clickhouse, databricks, snowflake or trino).",
    ),
]
Seed = Annotated[int, typer.Option("--seed", metavar="N", help="The same seed, the same bytes.")]
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
        metavar="LIST", help="The list of the run again, where the trail does not name its items."
    ),
]
Redact = Annotated[
    bool,
    typer.Option("--redact", help="Name no listed item in the trail: keep a digest of each list."),
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
    typer.Option(
        "--ignore-unknown", help="Pass over listed names that the data holds in no spelling."
    ),
]
H = Annotated[
    str | None,
    typer.Option(
        "--h",
        metavar="SHARE",
        help="A private item is in at most this share (0 to 1) of any cohort.",
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
        help="At most this share (0 to 1) of those who hold some items hold a sensitive one.",
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
    typer.Option("--plan", metavar="PLAN", help="How cohorts are kept: auto, lists or bits."),
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
        help="Instead of --psi: fewer than N transactions may keep a pattern, and no more is done.",
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
        "--fanout", metavar="N", help="An even hierarchy over the items in their order instead."
    ),
]
Report = Annotated[
    Path | None,
    typer.Option(
        "--report", metavar="FILE.html", help="Write all of it as one page, which needs no network."
    ),
]
