"""Read a generalized release by its nodes: each is an item of its own, named by level and label.

A label alone would not do: it can be that of an item, or of nodes on two levels.
"""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from setveil.hierarchy.recode import generalized_shape
from setveil.run.reading import Baskets, query_beside, read_beside
from setveil.sql.comparison import changes as sql


def level_of(original: Baskets, run: Baskets) -> str | None:
    """The column of the levels, if the release has one: of integers, and not the original's."""
    level = generalized_shape(original.shape).level
    if level not in run.shape.beside:
        return None
    kind = run.session.backend.columns_of(exp.to_table("source")).get(level, "")
    return level if kind.removeprefix("list ") in ("integer", "bigint") else None


def read_nodes(run: Baskets, level: str, *, drop_nulls: bool = False) -> Baskets:
    """The same release in a run of its own, where names are a level, a space and a label."""
    shape = run.shape
    relation = run.session.backend.of_run("source")
    query = sql.nodes_as_items(
        relation, shape.key, shape.line, shape.item, level, lists=shape.lists
    )
    source = query_beside(run, query)
    made = read_beside(run, source, tid=shape.key, item=shape.item, drop_nulls=drop_nulls)
    return replace(made, source=run.source)
