"""Renaming: random codes in place of names. It hides nothing from whoever knows frequencies.

Codes are a random bijection onto 1, 2, … as many as there are items. They tell nothing of a
name, its place in any order or its support, and neither does the release otherwise: rows are
sorted by transaction, then by code, lists by code. The key is a file of its own; with it, codes in
data or in results become names again. Transactions keep every support, so published
itemsets undo it (`setveil.reidentify`): nothing is promised.
Mielikäinen: On inverse frequent set mining and the anonymization of transactions, 2004.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from pathlib import Path

from sqlglot import exp

from setveil.arguments.strict import strict
from setveil.attack.published import read_key
from setveil.backends.duckdb import publishing
from setveil.backends.duckdb.files import at_hand
from setveil.errors import InputError
from setveil.models.renaming.check import check_renaming
from setveil.run import writing
from setveil.run.reading import Baskets
from setveil.run.release import Release, make_release
from setveil.run.session import Session
from setveil.sql.models.renaming import anonymize as sql
from setveil.sql.run import reading as transactions
from setveil.sql.step import Step, duck

ENTROPY = 32  # bytes of the system's randomness that the codes depend on


@dataclass(frozen=True, slots=True)
class RenameMetrics:
    """What got other names."""

    transactions: int
    items: int
    occurrences: int
    duplicates: int


@dataclass(frozen=True, slots=True)
class Renaming(Release[RenameMetrics]):
    """A renamed copy, and the key that is written before it."""

    key: Path | None = None

    @property
    def _others(self) -> dict[str, Path | None]:
        return {"--key": self.key}

    def _origin(self, redact: bool = False) -> writing.Origin:
        return replace(Release._origin(self, redact), before=self._write_key)

    def _write_key(self) -> None:
        """A key is never overwritten: with another, what it belongs to could not be turned back."""
        if self.key is None:
            return
        session = self.baskets.session
        with publishing.whole_file(str(self.key), session.inputs, force=False, mode=0o600) as place:
            in_order = _key_rows().order_by(exp.column("code", table="k"))
            kept_so = session.backend.is_local
            files, rows = at_hand(session, _key_rows() if kept_so else in_order, "key_row")
            publishing.point_to(session, place)
            rows = publishing.exactly(files, rows)
            statement = publishing.copy_statement(rows, str(self.key))
            files.backend.execute("key", statement)


@strict
def rename(
    baskets: Baskets, *, key: str | Path, seed: int | None = None, undo: bool = False
) -> Renaming:
    """Put random codes in the place of names; the key is written with the release, for its owner.

    Without a seed the codes depend on the system's entropy. Whoever guesses a seed and knows all
    names has the key. With `undo` the key is read, and names take the place of codes: in
    data, or in results that have a column of lists of items.
    """
    session = baskets.session
    if undo:
        if seed is not None:
            raise InputError("a seed is for new codes: to undo old ones, give their key alone")
        session.begin()
        pairs = _decode(session, key)
        return _renamed(baskets, pairs, {"undo": True}, None)
    check_key(key)
    session.begin()
    session.create(sql.codes(_secret(session, seed)))
    publishing.keep_in_order(session, Step("key_row", "the key, in the order of codes", sql.key()))
    parameters: dict[str, object] = {"seed": seed, "undo": False}
    return _renamed(baskets, _key_rows().subquery(), parameters, Path(key))


def _decode(session: Session, key: str | Path) -> exp.Expr:
    """Leave the names that codes stand for; answer the pairs(code, name) of that renaming."""
    read_key(session, key)
    if unknown := session.ask(sql.unknown_codes(5)):
        shown = ", ".join(repr(name) for name, _ in unknown)
        more = f" and {unknown[0][1] - len(unknown):,} more" if unknown[0][1] > 5 else ""
        raise InputError(f"{key} has no name for {shown}{more}: it is the key of other codes")
    session.create(sql.decoded())
    return sql.decoded_pairs()


def check_key(key: str | Path) -> None:
    """Refuse, before any work is done, a key that could not be written at its end."""
    if Path(key).suffix.lower() != ".parquet":
        raise InputError(f"--key: {key} must be a Parquet file: name it with .parquet")
    publishing.check_key_place(str(key))


def _secret(session: Session, seed: int | None) -> str:
    """What the codes depend on. The trail holds it, so that a run can be replayed."""
    if seed is not None:
        return str(seed)
    return session.supposed(secrets.token_hex(ENTROPY), "what a run draws")


def _renamed(
    baskets: Baskets, pairs: exp.Expr, parameters: dict[str, object], key: Path | None
) -> Renaming:
    session, shape = baskets.session, baskets.shape
    verdict = make_release(
        replace(baskets, once=False),  # the checker needs the source as well
        _step(baskets),
        lambda cells: check_renaming(session, shape, pairs),
    )
    metrics = RenameMetrics(
        baskets.transactions, baskets.items, baskets.occurrences, baskets.duplicates
    )
    return Renaming(baskets, "rename", parameters, verdict, metrics, session.runs, key=key)


def _step(baskets: Baskets) -> Step:
    shape = baskets.shape
    if shape.lists:
        return sql.renamed_listed(shape.columns, shape.line, baskets.key, shape.item)
    return sql.renamed_long(
        shape.columns,
        shape.number,
        baskets.key,
        transactions.column(shape.item),
        distinct=baskets.duplicates > 0 and not shape.others,
    )


def _key_rows() -> exp.Select:
    return duck("SELECT k.code AS code, k.name AS name FROM key_row AS k")
