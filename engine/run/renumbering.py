"""Random numbers in the place of transaction ids, when a release that was judged is written.

Neither a number nor the order of the rows follows the ids or the data. The numbers depend on
secret entropy alone: a trail holds it, so that a replay writes the same bytes, and a key of ids and
numbers is written for its owner.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from pathlib import Path

from sqlglot import exp

from setveil.attack.published import create_of_file, listed_file
from setveil.errors import InputError
from setveil.run.files import places, publishing
from setveil.run.files.hand import at_hand
from setveil.run.files.source import Source
from setveil.run.merging import replace_source
from setveil.run.session import Session
from setveil.run.shape import Shape
from setveil.sql.run import renumbering as sql
from setveil.sql.run.reading import column

SUFFIXES = (".parquet", ".csv")
ENTROPY = 32  # bytes of the system's randomness


def draw() -> str:
    """What nobody can guess, and no seed decides."""
    return secrets.token_hex(ENTROPY)


@dataclass(frozen=True, slots=True)
class Ids:
    """What becomes of transaction ids where a release is written, and the file that keeps them."""

    renumber: bool = False
    key: str | Path | None = None

    def check(self) -> None:
        """Refuse, before any work is done, a key that could not be written at its end."""
        if self.key is None:
            return
        if not self.renumber:
            raise InputError("--key keeps the ids that --renumber replaces; add --renumber")
        if Path(self.key).suffix.lower() not in SUFFIXES:
            raise InputError(f"--key: {self.key} is no name for a key; write .parquet or .csv")
        places.check_key_place(str(self.key))

    def write(self, session: Session) -> None:
        """Write the key, if one is asked for."""
        if self.key is not None:
            write_key(session, Path(self.key))


KEPT = Ids()


def renumbered(session: Session, shape: Shape, query: exp.Select) -> exp.Select:
    """A query over the release with numbers in the place of its ids, in their order."""
    key = column(shape.key or shape.line)
    if "renumbered" not in session.relations:
        session.create(sql.entropy(draw()))
        publishing.keep_in_order(session, sql.numbers(key))
    return sql.renumbered(query, key)


def write_key(session: Session, path: Path) -> None:
    """A key is never overwritten: what another belongs to could not be turned back."""
    with places.whole_file(str(path), session.inputs, force=False, mode=0o600) as place:
        rows: exp.Query = sql.key_rows()
        if not session.backend.is_local:
            rows = rows.order_by(exp.column("number", table="n"))
        files, rows = at_hand(session, rows, "number_row")
        publishing.point_to(session, place)
        if path.suffix.lower() == ".parquet":
            rows = publishing.exactly(files, rows)
        files.backend.execute("key", publishing.copy_statement(rows, str(path)))


def put_back(session: Session, source: Source, shape: Shape, path: str | Path) -> None:
    """Leave `source` with the ids that a renumbered release had, by its key."""
    relation = listed_file(session, str(path), "key", ("id", "number"), SUFFIXES)
    create_of_file(session, sql.key_read(relation), path)
    pairs, ids, numbers = session.one(sql.key_sizes())
    if not pairs == ids == numbers:
        raise InputError(
            f"{path} is no key: it has {pairs:,} rows, {ids:,} ids and {numbers:,} numbers, and "
            "in a key each is there once"
        )
    key, line = column(shape.key or shape.line), shape.key is None
    (missing,) = session.one(sql.unknown_numbers(key))
    if missing:
        raise InputError(
            f"{path} has no id for {missing:,} rows of {source.name}: it is the key of another "
            "release"
        )
    original: exp.Expr = exp.column("id", table="k")
    if line:
        original = exp.cast(original, "BIGINT")
    columns = (*shape.given, shape.line) if shape.lists else shape.given
    replace_source(session, sql.put_back(columns, key, original), "ids are put back")
