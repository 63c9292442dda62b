"""Groups of shared options. To share another option, declare it as a field of its group.

A command takes the group as a parameter, and so the value of its field. `models/release.py` does
this for all models.

The fields of Reading and Explaining are parameters of `setveil.read`.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from setveil.cli import options as o
from setveil.errors import InputError
from setveil.run.renumbering import Ids
from setveil.run.shape import ALL, Carry


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Options of every command that reads transactions."""

    tid: Annotated[
        str | None,
        typer.Option(
            "--tid",
            metavar="COL,COL",
            help='The column of transaction ids (default "tid"), or several columns of one id.',
        ),
    ] = None
    item: Annotated[
        str,
        typer.Option("--item", metavar="COL", help="The column of items, or of LISTs of items."),
    ] = "item"
    database: Annotated[
        str | None,
        typer.Option(
            "--database",
            metavar="WHERE",
            help="The database of SOURCE: a DuckDB file, or a server, which then does all the "
            "work: postgres://HOST/NAME (postgres:// alone reads the PG* variables), "
            "sc://HOST:PORT for Spark Connect (sc:// alone reads SPARK_REMOTE), or "
            "spark://local[*] in this process. The PostgreSQL role must be able to read "
            "SOURCE and to make temporary tables. It needs CREATE on a schema for --into, "
            "and on the database to compare two tables.",
        ),
    ] = None
    engine: Annotated[
        str,
        typer.Option(
            "--engine",
            metavar="ENGINE",
            help="For a server: in-place, or duckdb. duckdb copies the rows to this machine, works "
            "here, and sends a table back.",
        ),
    ] = "in-place"
    drop_nulls: Annotated[
        bool,
        typer.Option(
            "--drop-nulls",
            help="Leave out rows whose transaction or item is NULL. With --person, also "
            "transactions without a person.",
        ),
    ] = False
    threads: o.Threads = None
    memory_limit: o.MemoryLimit = None
    force_large: Annotated[
        bool,
        typer.Option(
            "--force-large",
            help="Go on where the estimate exceeds the memory, disk or time that the run may use.",
        ),
    ] = False

    @property
    def keys(self) -> str | list[str] | None:
        """The column of transaction ids, or several; a name with a comma is in double quotes."""
        named = [] if self.tid is None else _split([self.tid])
        return named[0] if len(named) == 1 else named or None


@dataclass(frozen=True, slots=True, kw_only=True)
class Persons:
    """Options of every command that counts persons. The fields are parameters of `setveil.read`."""

    person: Annotated[
        str | None,
        typer.Option(
            "--person",
            metavar="COL",
            help="The column of persons. Held by k then means: by k persons, and shares hold in "
            "transactions and in persons. The column is never published.",
        ),
    ] = None
    guests: Annotated[
        str | None,
        typer.Option(
            "--guests",
            metavar="own",
            help="With --person: count each transaction without a person as a person of its own.",
        ),
    ] = None


NO_PERSONS = Persons()


@dataclass(frozen=True, slots=True, kw_only=True)
class Explaining:
    """Options of every command that can print its statements instead of running them."""

    explain: Annotated[
        bool,
        typer.Option("--explain", help="Print the statements instead of running them on the data."),
    ] = False
    dialect: Annotated[
        str | None,
        typer.Option(
            "--dialect",
            metavar="NAME",
            help="With --explain: print the SQL in this dialect, which is not tested (bigquery, "
            "clickhouse, databricks, redshift, snowflake or trino). With verify --query: these, "
            "or duckdb, postgres or spark.",
        ),
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """Options of `verify` that print its checker as one query. Nothing is read but lists."""

    query: Annotated[
        bool,
        typer.Option(
            "--query",
            help="Print the checker as one SELECT over the table SOURCE. It returns the "
            "violations, and no row if the promise holds. An empty release is a row.",
        ),
    ] = False
    lists: Annotated[
        bool,
        typer.Option(
            "--lists",
            help="With --query: each row of SOURCE is a transaction with a LIST of items.",
        ),
    ] = False
    slices: Annotated[
        bool,
        typer.Option(
            "--slices",
            help="With --query: judge each slice by itself, and all of them together, as `verify` "
            "does. SOURCE has a column slice.",
        ),
    ] = False
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit",
            metavar="N",
            help="With --query: return at most N violations. The column total counts all of them.",
        ),
    ] = None
    list_table: Annotated[
        str | None,
        typer.Option(
            "--list-table",
            metavar="TABLE",
            help="With --query: the list of the promise is in this table, with a column item (and "
            "pattern, for patterns). Otherwise its names stand in the query.",
        ),
    ] = None
    persons_table: Annotated[
        str | None,
        typer.Option(
            "--persons-table",
            metavar="TABLE",
            help="With --query: the table of --person and --tid that has the persons of the "
            "transactions (default: SOURCE).",
        ),
    ] = None
    original_table: Annotated[
        str | None,
        typer.Option(
            "--original-table", metavar="TABLE", help="With --query: the source of the release."
        ),
    ] = None

    @property
    def named(self) -> bool:
        """Is an option given that only a query has?"""
        return any(
            (
                self.lists,
                self.slices,
                self.limit is not None,
                self.list_table,
                self.persons_table,
                self.original_table,
            )
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Options of every command that writes transactions: the files and table it writes."""

    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="FILE", help="Write the release here; the suffix is its format."
        ),
    ] = None
    into: Annotated[
        str | None,
        typer.Option(
            "--into",
            metavar="TABLE",
            help="Write the release to this table of --database, as TABLE or SCHEMA.TABLE.",
        ),
    ] = None
    trail: Annotated[
        Path | None,
        typer.Option(
            "--trail",
            metavar="FILE.sql",
            help="Write every statement of the run here. Confidential.",
        ),
    ] = None
    force: Annotated[
        bool,
        typer.Option(
            "--force", help="Overwrite the files and the table of --out, --into, --trail."
        ),
    ] = False

    @property
    def outputs(self) -> dict[str, Path | None]:
        """The files that are written, by option."""
        return {"--out": self.out, "--trail": self.trail}


@dataclass(frozen=True, slots=True, kw_only=True)
class Publishing:
    """Options of all models' commands that make a release. `rename` declares its own."""

    carry: o.Carry = None
    renumber: o.Renumber = False
    key: Annotated[
        Path | None,
        typer.Option(
            "--key",
            metavar="FILE",
            help="With --renumber: write the id and number of each transaction to this "
            "confidential file (.parquet or .csv). It is never overwritten.",
        ),
    ] = None
    redact: Annotated[
        bool,
        typer.Option(
            "--redact", help="Leave listed items out of the trail: it keeps a digest of each list."
        ),
    ] = False

    @property
    def ids(self) -> Ids:
        """Whether ids are replaced, and the file of their key."""
        return Ids(self.renumber, self.key)


@dataclass(frozen=True, slots=True, kw_only=True)
class Slicing:
    """Options of all models' commands that append a release to a target."""

    append: Annotated[
        str | None,
        typer.Option(
            "--append",
            metavar="TARGET",
            help="Release only transactions that were not released before, as a new slice of this "
            "folder of Parquet files; with --database, of this table. Run it every night: if "
            "nothing is new, nothing is done. A ledger beside TARGET knows all transactions: it is "
            "confidential, and belongs in the backup. {slice} in --trail is the slice's number.",
        ),
    ] = None
    accept_new: Annotated[
        bool,
        typer.Option(
            "--accept-new",
            help="With --append: release items that no list has, as public ones. By default "
            "transactions with such an item wait until it is listed.",
        ),
    ] = False
    wait: Annotated[
        int | None,
        typer.Option(
            "--wait",
            metavar="N",
            help="With --append and --renumber: transactions wait for up to N runs with new ones, "
            "if some would lose items now. They are released together, and lose less.",
        ),
    ] = None
    max_age: Annotated[
        int | None,
        typer.Option(
            "--max-age",
            metavar="DAYS",
            help="With --append: exit with 3 if transactions wait for more days.",
        ),
    ] = None
    erase: Annotated[
        str | None,
        typer.Option(
            "--erase",
            metavar="KEYS",
            help="With --append: take the transactions of this file, with a key per line, out of "
            "TARGET, and what too few would hold then. Keys of several columns are in a CSV file "
            "with these. No slice has them again. Nothing is appended.",
        ),
    ] = None

    def refuse_without_target(self) -> None:
        """Refuse options of slices where no target is named."""
        for option, given in (
            ("--accept-new", self.accept_new or None),
            ("--wait", self.wait),
            ("--max-age", self.max_age),
            ("--erase", self.erase),
        ):
            if given is not None:
                raise InputError(f"{option} is for slices: name their target with --append")


@dataclass(frozen=True, slots=True, kw_only=True)
class Results(Places):
    """Options of every command that writes rows of results."""

    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FILE",
            help="Write the rows to this confidential file: .parquet, .json, .jsonl, .csv or .tsv.",
        ),
    ] = None
    into: Annotated[
        str | None,
        typer.Option("--into", metavar="TABLE", help="Write the rows to this table of --database."),
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Showing:
    """Options of every command that prints a result."""

    json: o.Json = False
    quiet: o.Quiet = False


NOTHING_EXPLAINED = Explaining()


def carried(carry: Sequence[str] | None) -> Carry:
    """The columns to publish too: all, or those that are named."""
    named = _split(carry or [])
    return ALL if ALL in named else named


def _split(names: Sequence[str]) -> list[str]:
    """Split column names at commas; a name with a comma is in double quotes."""
    return [name.strip() for row in csv.reader(names, skipinitialspace=True) for name in row]
