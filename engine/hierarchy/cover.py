"""Check that the published nodes of each transaction cover its items, and nothing else.

Each item of a transaction, or a node above it, must be published for the transaction. Each
published node must stand for one of the transaction's items.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from setveil.hierarchy.trees import Hierarchy, read_hierarchy
from setveil.run.files.local_duckdb import copy_relation
from setveil.run.reading import Baskets, cells_of
from setveil.run.session import Session
from setveil.run.shape import Shape
from setveil.sql.hierarchy import cover as ask


@dataclass(frozen=True, slots=True)
class Cover:
    """The result, with some of the names, the most frequent first."""

    holds: bool
    uncovered: int  # occurrences of the original without a published node
    uncovered_items: tuple[str, ...]
    unfounded: int  # published nodes without an item of their transaction
    unfounded_nodes: tuple[str, ...]
    suppressed: int = 0  # items of the original without a published node anywhere


def check_cover(
    original: Baskets,
    release: Session,
    shape: Shape,
    relation: str,
    *,
    hierarchy: str | Path | None = None,
    fanout: int | None = None,
    suppressed: bool = False,
    limit: int = 5,
) -> Cover:
    """Compare the original with `relation` of the release's run, `source` or `release`.

    With `suppressed`, an item may lack a node if no node above it is published. The hierarchy is
    read in the original's run. The release's rows are copied there by a temporary
    file; on a server both runs use one connection.
    """
    session = original.session
    session.begin()
    tall = read_hierarchy(original, hierarchy, fanout)
    cells = cells_of(release, shape, relation)
    copy_relation(session, release, ask.released(cells))
    session.create(ask.original(cells_of(session, original.shape, "source")))
    return _compare(session, tall, limit, suppressed=suppressed)


def _compare(session: Session, hierarchy: Hierarchy, limit: int, *, suppressed: bool) -> Cover:
    session.create(ask.ancestors(hierarchy.top - 1))
    session.create(ask.matches())
    missing = session.ask(ask.uncovered(limit, suppressed=suppressed))
    added = session.ask(ask.unfounded(limit))
    gone = session.one(ask.suppressed())[0] if suppressed else 0
    return Cover(
        holds=not missing and not added,
        uncovered=int(missing[0][2]) if missing else 0,
        uncovered_items=tuple(str(name) for name, *_ in missing),
        unfounded=int(added[0][3]) if added else 0,
        unfounded_nodes=tuple(f"{name} (level {level})" for level, name, *_ in added),
        suppressed=int(gone),
    )
