"""Check that published nodes cover what was there, and nothing else.

For every transaction: each of its items has a node above it, or itself, among those that are
published of the transaction; and each node that is published stands for one of its items.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

from sqlglot import exp

from setveil.backends.local import formats
from setveil.hierarchy.trees import Hierarchy, read_hierarchy
from setveil.run.files.hand import duckdb_of
from setveil.run.reading import Baskets, cells_of
from setveil.run.session import Session
from setveil.run.shape import Shape
from setveil.sql.hierarchy import cover as ask
from setveil.sql.step import Step, render

VARIABLE = "released"


@dataclass(frozen=True, slots=True)
class Cover:
    """What was found: how often, and some of the names, the most frequent first."""

    holds: bool
    uncovered: int  # occurrences of the original that nothing published stands for
    uncovered_items: tuple[str, ...]
    unfounded: int  # published nodes that stand for nothing of their transaction
    unfounded_nodes: tuple[str, ...]


def check_cover(
    original: Baskets,
    release: Session,
    shape: Shape,
    relation: str,
    *,
    hierarchy: str | Path | None = None,
    fanout: int | None = None,
    limit: int = 5,
) -> Cover:
    """Compare what was read with `relation` of another run, `source` or `release`, of a shape.

    The hierarchy is read with the original; the release's rows come to it as a file that is gone
    when they have been read; on a server both runs are over one connection.
    """
    session = original.session
    session.begin()
    tall = read_hierarchy(original, hierarchy, fanout)
    cells = cells_of(release, shape, relation)
    _bring(session, release, ask.released(cells))
    session.create(ask.original(cells_of(session, original.shape, "source")))
    return _compare(session, tall, limit)


def _bring(session: Session, other: Session, step: Step) -> None:
    """Make the step's relation here of the rows that it has there."""
    if (server := session.backend.server) is not None:
        session.create(Step(step.name, step.why, server.seen_beside(other.backend, step.query)))
        return
    if session.dry:  # nothing was made that could be taken
        return
    columns = [exp.column(one.alias_or_name) for one in step.query.selects]
    with tempfile.TemporaryDirectory(prefix="setveil-cover-") as folder:
        path = f"{folder}/cells.parquet"
        with formats.reading(path):
            duckdb_of(other).connection.sql(render(step.query)).write_parquet(path)
        text = formats.set_variable(VARIABLE, path)
        session.run("input", "where the release is", text)
        query = exp.Select().select(*columns).from_(formats.parquet(VARIABLE))
        session.create(Step(step.name, step.why, query))


def _compare(session: Session, hierarchy: Hierarchy, limit: int) -> Cover:
    session.create(ask.ancestors(hierarchy.top - 1))
    session.create(ask.matches())
    missing = session.ask(ask.uncovered(limit))
    added = session.ask(ask.unfounded(limit))
    return Cover(
        holds=not missing and not added,
        uncovered=int(missing[0][2]) if missing else 0,
        uncovered_items=tuple(str(name) for name, *_ in missing),
        unfounded=int(added[0][3]) if added else 0,
        unfounded_nodes=tuple(f"{name} (level {level})" for level, name, *_ in added),
    )
