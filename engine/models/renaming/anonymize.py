"""Renaming: random codes in place of names. An attacker who knows frequencies undoes it.

Codes are a random bijection onto 1, 2, … up to the number of items. They do not depend on names,
their order or their supports. The release is sorted by transaction, then by code, and lists by
code. The key is a separate file that turns codes in data or results into names. Every support
stays, so published itemsets reveal names (`setveil.reidentify`): renaming promises nothing.
Mielikäinen: On inverse frequent set mining and the anonymization of transactions, 2004.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from pathlib import Path

from sqlglot import exp

from setveil.arguments.strict import strict
from setveil.attack.published import read_key
from setveil.errors import InputError
from setveil.models.renaming.check import check_renaming
from setveil.run import writing
from setveil.run.files import places, publishing
from setveil.run.files.local_duckdb import in_duckdb
from setveil.run.reading import Baskets
from setveil.run.release import Release, make_release
from setveil.run.session import Session
from setveil.sql.models.renaming import anonymize as sql
from setveil.sql.run import reading as transactions
from setveil.sql.step import Step, duck

ENTROPY = 32  # bytes of the system's randomness that the codes depend on


@dataclass(frozen=True, slots=True)
class RenameMetrics:
    """The sizes of the renamed data."""

    transactions: int
    items: int
    occurrences: int
    duplicates: int


@dataclass(frozen=True, slots=True, repr=False)
class Renaming(Release[RenameMetrics]):
    """A renamed copy; its key is written before it."""

    key: Path | None = None

    @property
    def _others(self) -> dict[str, Path | None]:
        return {"--key": self.key}

    def origin(self, redact: bool = False) -> writing.Origin:
        return replace(Release.origin(self, redact), before=self._write_key)

    def _write_key(self) -> None:
        """Write the key, but never over another key: its data could not be decoded any more."""
        if self.key is None:
            return
        session = self.baskets.session
        with places.whole_file(str(self.key), session.inputs, force=False, mode=0o600) as place:
            in_order = _key_rows().order_by(exp.column("code", table="k"))
            kept_so = session.backend.is_local
            files, rows = in_duckdb(session, _key_rows() if kept_so else in_order, "key_row")
            publishing.set_target(session, place)
            rows = publishing.with_parquet_types(files, rows)
            statement = publishing.copy_statement(rows, str(self.key))
            files.backend.execute("key", statement)


@strict
def rename(
    baskets: Baskets, *, key: str | Path, seed: int | None = None, undo: bool = False
) -> Renaming:
    """Replace names by random codes; the key, which is confidential, is written with the release.

    Without a seed the codes depend on the system's entropy. A seed and all names give the key. With
    `undo` the key is read, and codes are replaced by names: in data, or in results with a column of
    lists of items.
    """
    session = baskets.session
    if undo:
        if seed is not None:
            raise InputError("--seed is for new codes: to undo old ones, give only their key")
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
    """Read the key and make the names of all codes; return its pairs(code, name)."""
    read_key(session, key)
    if unknown := session.ask(sql.unknown_codes(5)):
        shown = ", ".join(repr(name) for name, _ in unknown)
        more = f" and {unknown[0][1] - len(unknown):,} more" if unknown[0][1] > 5 else ""
        raise InputError(f"{key} has no name for {shown}{more}: it is the key of other data")
    session.create(sql.decoded())
    return sql.decoded_pairs()


def check_key(key: str | Path) -> None:
    """Refuse a key that cannot be written, before any work."""
    if Path(key).suffix.lower() != ".parquet":
        raise InputError(f"--key: {key} must be a Parquet file: name it with .parquet")
    places.check_key_place(str(key))


def _secret(session: Session, seed: int | None) -> str:
    """The secret that the codes depend on. The trail keeps it, so that a run can be replayed."""
    if seed is not None:
        return str(seed)
    return session.supposed(secrets.token_hex(ENTROPY), "a secret that the run draws")


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
