"""Check a release against the definition of a model, from the release alone.

One function per model. Nothing that made the release is asked: not its run, not its queries.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from sqlglot import exp

from setveil.backends.duckdb import DuckDB
from setveil.checks.coherence import Verdict, Violation, check_coherence
from setveil.checks.cover import Cover, check_cover
from setveil.checks.k_anonymity import Verdict as KAnonymityVerdict
from setveil.checks.k_anonymity import check_k_anonymity
from setveil.checks.km import Verdict as KmVerdict
from setveil.checks.km import check_km
from setveil.coherence import Share, promised, share
from setveil.errors import InputError, UnreachableError
from setveil.generalization import LEVEL
from setveil.km import known_items
from setveil.lists import Items
from setveil.release import Release
from setveil.shape import Shape
from setveil.sql import lists
from setveil.sql import transactions as sql
from setveil.sql.step import render
from setveil.transactions import Baskets, cells_of, read

__all__ = [
    "Cover",
    "KAnonymityVerdict",
    "KmVerdict",
    "Verdict",
    "Violation",
    "coherence",
    "cover",
    "k_anonymity",
    "km",
]


def coherence(
    given: Baskets | Release[Any],
    *,
    k: int,
    p: int,
    h: Share = 1,
    private: Items = (),
    public: Items | None = None,
    ignore_unknown: bool = False,
    limit: int = 20,
) -> Verdict:
    """Is every set of up to p public items held by k or by none, and no secret told above h?

    Public names that the release does not hold may have been suppressed: they are passed over.
    """
    if isinstance(given, Release):
        with reread(given) as baskets:
            return coherence(
                baskets, k=k, p=p, h=h, private=private, public=public,
                ignore_unknown=ignore_unknown, limit=limit,
            )  # fmt: skip
    session = given.session
    session.begin()
    promise = promised(
        session, k, p, share(h), private, public,
        ignore_unknown=ignore_unknown, ignore_unknown_public=True,
    )  # fmt: skip
    cells = cells_of(session, given.shape, "source")
    return check_coherence(session, cells, lists.roles(), h=promise.h, k=k, p=p, limit=limit)


def k_anonymity(
    given: Baskets | Release[Any], *, k: int, level: str | None = None, limit: int = 20
) -> KAnonymityVerdict:
    """Has every transaction k - 1 twins, with the same set of nodes?

    `level` is the column of the levels, as for `km`. UnreachableError: there are fewer than k
    transactions, so that no release of them could hold.
    """
    if isinstance(given, Release):
        with reread(given) as baskets:
            return k_anonymity(baskets, k=k, level=given.shape.level, limit=limit)
    session, shape = given.session, levelled(given.shape, level)
    session.begin()
    if 0 < given.transactions < k and not session.dry:
        raise UnreachableError(
            f"{given.source.name} has {given.transactions:,} transactions, fewer than k = {k}: no "
            "release of it can hide anyone among k"
        )
    cells = cells_of(session, shape, "source")
    return check_k_anonymity(session, cells, k=k, levels=shape.level is not None, limit=limit)


def km(
    given: Baskets | Release[Any],
    *,
    k: int,
    m: int | str,
    level: str | None = None,
    limit: int = 20,
) -> KmVerdict:
    """Is every set of up to m published nodes ("max": of any size) held by k or by none?

    `level` is the column of the levels ("level", where there is one): a node is a label and a
    level. Without it items are judged by their names.
    """
    if isinstance(given, Release):
        with reread(given) as baskets:
            return km(baskets, k=k, m=m, level=given.shape.level, limit=limit)
    session, shape = given.session, levelled(given.shape, level)
    known = known_items(k, m)
    session.begin()
    cells = cells_of(session, shape, "source")
    return check_km(session, cells, k=k, m=known, levels=shape.level is not None, limit=limit)


def cover(
    given: Baskets | Release[Any],
    original: Baskets,
    *,
    hierarchy: str | Path | None = None,
    fanout: int | None = None,
    level: str | None = None,
) -> Cover:
    """Does every published node stand for items that were there, and something for every item?"""
    if isinstance(given, Release):
        held, shape, relation = given.baskets, given.shape, "release"
        given.relation()  # refuses a release that is gone
    else:
        held, shape, relation = given, levelled(given.shape, level), "source"
    if held.session is original.session:
        raise InputError("read the original once more: its run is the one that the release is in")
    if shape.level is None:
        name = held.source.name
        raise InputError(f"{name}: no column {LEVEL!r}; name that of the levels with --level")
    return check_cover(original, held.session, shape, relation, hierarchy=hierarchy, fanout=fanout)


def levelled(shape: Shape, level: str | None) -> Shape:
    """The shape of a release, with its column of levels if it has one."""
    if level is None:
        return replace(shape, level=LEVEL if LEVEL in shape.columns else None)
    if level not in shape.columns:
        shown = ", ".join(repr(name) for name in shape.columns)
        raise InputError(f"no column {level!r}; the release has {shown}: name one with --level")
    return replace(shape, level=level)


def reread(release: Release[Any]) -> Baskets:
    """A release as a stranger gets it: its rows, in a run of its own."""
    backend, shape = release.baskets.session.backend, release.shape
    assert isinstance(backend, DuckDB)
    relation = exp.Table(
        this=exp.to_identifier("release"),
        db=exp.to_identifier("main"),
        catalog=exp.to_identifier(backend.run),
    )
    shown = [sql.column(name) for name in shape.columns]
    rows = render(exp.Select().select(*shown).from_(relation))
    if backend.owned:  # it reads as from a connection of the caller's, whose rows keep their order
        backend.connection.execute("SET preserve_insertion_order = true")
    return read(backend.connection, rows, tid=shape.key, item=shape.item)
