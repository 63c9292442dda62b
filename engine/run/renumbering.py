"""Replace transaction ids by random numbers when a checked release is written.

Neither the numbers nor the order of the rows depend on the ids or the data. They depend only on
secret entropy. The trail keeps it, so that a replay writes the same bytes. A confidential key keeps
ids and numbers.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from pathlib import Path

from sqlglot import exp

from setveil.errors import InputError
from setveil.run.files import places, publishing
from setveil.run.files.listed import create_of_file, listed_file
from setveil.run.files.local_duckdb import in_duckdb
from setveil.run.files.source import Source
from setveil.run.merging import replace_source
from setveil.run.session import Session
from setveil.run.shape import Shape
from setveil.sql.run import renumbering as sql
from setveil.sql.run.reading import column

SUFFIXES = (".parquet", ".csv")
LEDGER = "ledger"  # the end of the names of ledgers
ENTROPY = 32  # bytes of the system's randomness


def draw() -> str:
    """Draw entropy that depends on no seed."""
    return secrets.token_hex(ENTROPY)


@dataclass(frozen=True, slots=True)
class Ids:
    """Whether transaction ids are replaced in a release, and the file of their key."""

    renumber: bool = False
    key: str | Path | None = None
    above: int = 0  # numbers are larger than this one: other slices have the others

    def check(self) -> None:
        """Refuse a key that cannot be written, before any work."""
        if self.key is None:
            return
        if not self.renumber:
            raise InputError("--key keeps the ids that --renumber replaces; add --renumber")
        if Path(self.key).suffix.lower() not in SUFFIXES:
            raise InputError(f"--key: {self.key} is no name of a key; write .parquet or .csv")
        places.check_key_place(str(self.key))

    def write(self, session: Session) -> None:
        """Write the key, if it has a file."""
        if self.key is not None:
            write_key(session, Path(self.key))


KEPT = Ids()


def renumbered(session: Session, shape: Shape, query: exp.Select, above: int = 0) -> exp.Select:
    """A query over the release with numbers instead of ids, in the order of the numbers."""
    key = column(shape.key or shape.line)
    if "renumbered" not in session.relations:
        session.create(sql.entropy(draw()))
        publishing.keep_in_order(session, sql.numbers(key, above))
    return sql.renumbered(query, key, shape.numbered)


def write_key(session: Session, path: Path) -> None:
    """Write the key, but never over another key: its release could not be matched any more."""
    with places.whole_file(str(path), session.inputs, force=False, mode=0o600) as place:
        rows: exp.Query = sql.key_rows()
        if not session.backend.is_local:
            rows = rows.order_by(exp.column("number", table="n"))
        files, rows = in_duckdb(session, rows, "number_row")
        publishing.set_target(session, place)
        if path.suffix.lower() == ".parquet":
            rows = publishing.with_parquet_types(files, rows)
        files.backend.execute("key", publishing.copy_statement(rows, str(path)))


def put_back(session: Session, source: Source, shape: Shape, path: str | Path) -> None:
    """Replace the numbers of a renumbered release in `source` by its ids, with its key.

    The ledger of a target is the key of its slices.
    """
    _read_key(session, str(path))
    pairs, ids, numbers = session.one(sql.key_sizes())
    if not pairs == ids == numbers:
        raise InputError(
            f"{path} is no key: it has {pairs:,} rows, {ids:,} ids and {numbers:,} numbers; in a "
            "key these counts are equal"
        )
    key, line = column(shape.key or shape.line), shape.key is None
    (missing,) = session.one(sql.unknown_numbers(key))
    if missing:
        raise InputError(
            f"{path} has no id for the numbers in {missing:,} rows of {source.name}: it lacks "
            "rows, or is the key of another release"
        )
    original: exp.Expr = exp.column("id", table="k")
    if line:
        original = exp.cast(original, "BIGINT")
    columns = (*shape.stored, shape.line) if shape.lists else shape.stored
    replace_source(session, sql.put_back(columns, key, original), "numbers are replaced by ids")


def _read_key(session: Session, path: str) -> None:
    if path.endswith(LEDGER):
        from setveil.run.slices.ledger import read_key  # which few runs need

        if read_key(session, path):
            return
    relation = listed_file(session, path, "key", ("id", "number"), SUFFIXES)
    create_of_file(session, sql.key_read(relation), path)
