"""Read the nodes of a generalized release as items, whose names are level and label.

A label alone is not enough: an item, or nodes on two levels, can have the same label.
"""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from setveil.run.reading import Baskets, owners_of, query_beside, read_beside
from setveil.run.shape import generalized_shape
from setveil.sql.comparison import changes as sql


def level_of(original: Baskets, run: Baskets) -> str | None:
    """The level column of a release: it has integers, and the original lacks it; or None."""
    level = generalized_shape(original.shape).level
    if level not in run.shape.beside:
        return None
    kind = run.session.backend.columns_of(exp.to_table("source")).get(level, "")
    return level if kind.removeprefix("list ") in ("integer", "bigint") else None


def read_nodes(run: Baskets, level: str, *, drop_nulls: bool = False) -> Baskets:
    """Read the release in a run of its own, in which a name is a level, a space and a label."""
    shape = run.shape
    relation = run.session.backend.of_run("source")
    query = sql.nodes_as_items(
        relation, shape.key, shape.line, shape.item, level, lists=shape.lists
    )
    source = query_beside(run, query)
    made = read_beside(
        run,
        source,
        tid=shape.key,
        item=shape.item,
        drop_nulls=drop_nulls,
        owners=owners_of(run),
    )
    return replace(made, source=run.source)
