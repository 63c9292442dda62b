"""Check a release against the definition of a model, from the release alone.

One function per model. Nothing that made the release is asked: not its run, not its queries.
"""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from setveil.backends.duckdb import DuckDB
from setveil.backends.files import Source
from setveil.checks.coherence import Verdict, Violation, check_coherence
from setveil.coherence import Share, promised, share
from setveil.lists import Items
from setveil.release import Release
from setveil.sql import lists
from setveil.sql import transactions as sql
from setveil.sql.step import render
from setveil.transactions import Baskets, cells_of, read_beside

__all__ = ["Verdict", "Violation", "coherence"]


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


def reread(release: Release[Any]) -> Baskets:
    """A release as a stranger gets it: its rows, in a run of its own."""
    backend, shape = release.baskets.session.backend, release.baskets.shape
    assert isinstance(backend, DuckDB)
    relation = exp.Table(
        this=exp.to_identifier("release"),
        db=exp.to_identifier("main"),
        catalog=exp.to_identifier(backend.run),
    )
    shown = [sql.column(name) for name in shape.columns]
    query = exp.Select().select(*shown).from_(relation)
    if shape.key is None:  # transactions are told apart by their order
        query = query.order_by(sql.column(shape.line))
    source = Source(render(query), connected=True)
    return read_beside(release.baskets, source, tid=shape.key, item=shape.item)
