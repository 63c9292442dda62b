"""The shape and the loss of generalized releases, for all models that generalize.

A released row is (transaction, item, level): the label of a node as text, and its level, 0 for a
leaf. In LIST form the levels are a list beside the labels, in the same order.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from setveil.backends import Columns, integers
from setveil.errors import InputError
from setveil.hierarchy.information import information_lost
from setveil.hierarchy.trees import Hierarchy
from setveil.run.reading import Baskets
from setveil.run.shape import Shape, generalized_shape
from setveil.sql.hierarchy import information
from setveil.sql.hierarchy import recode as sql
from setveil.sql.step import Step


@dataclass(frozen=True, slots=True)
class LevelLoss:
    """The published nodes of one level of the hierarchy; level 0 has the unchanged items."""

    level: int
    nodes: int
    occurrences: int
    ncp: float  # the part of this level in the whole penalty


@dataclass(frozen=True, slots=True)
class SuppressedLoss:
    """The occurrences that no node stands for, each of which costs 1."""

    occurrences: int
    ncp: float  # their part in the whole penalty


@dataclass(frozen=True, slots=True)
class GeneralizationLoss:
    """The normalized certainty penalty, in all, per item (in their order) and per level.

    A suppressed occurrence costs 1. `information` is the share of all bits that is left untold.
    """

    ncp: float
    items: tuple[float, ...]
    levels: tuple[LevelLoss, ...]
    information: float = 0.0
    suppressed: SuppressedLoss = SuppressedLoss(0, 0.0)


def refuse_carried(shape: Shape) -> None:
    """Refuse carried columns in long form: rows with equal nodes become one row."""
    if shape.others and not shape.lists:
        shown = ", ".join(repr(name) for name in shape.others)
        raise InputError(
            f"rows that are generalized to one node become one row, so {shown} cannot be carried "
            "along: leave out --carry"
        )


def generalized(baskets: Baskets, *, everywhere: bool = False) -> tuple[Step, Shape]:
    """The release of recoded(tid, item, node), or `everywhere` of recoded_item(item, node)."""
    shape, released = baskets.shape, generalized_shape(baskets.shape)
    assert released.level is not None
    if shape.lists:
        step = sql.released_listed(
            released.columns,
            shape.line,
            baskets.key,
            shape.item,
            released.level,
            everywhere=everywhere,
        )
        return step, released
    assert shape.key is not None
    step = sql.released_long(
        shape.key, shape.item, released.level, released.number, everywhere=everywhere
    )
    return step, released


def loss_of(
    baskets: Baskets,
    hierarchy: Hierarchy,
    *,
    everywhere: bool = False,
    leaving: exp.Expr | None = None,
) -> GeneralizationLoss:
    """The loss of the recoding, whose relation must still exist.

    Items without a node were suppressed. Items of `leaving` are below no node.
    """
    session = baskets.session
    items = session.arrays(sql.ncp(everywhere=everywhere, leaving=leaving))
    whole = max(1, hierarchy.leaves * baskets.occurrences)
    levels = session.ask(sql.ncp_by_level(everywhere=everywhere, leaving=leaving))
    told = session.ask(information.generalized(sql.held(everywhere=everywhere), leaving))
    suppressed = sum(int(held) for _, among, held in told if among is None)
    cost = sum(int(cost) for *_, cost in levels) + suppressed * hierarchy.leaves
    return GeneralizationLoss(
        ncp=cost / whole,
        items=_per_item(items, hierarchy),
        levels=tuple(
            LevelLoss(int(level), int(nodes), int(held), int(cost) / whole)
            for level, nodes, held, cost in levels
        ),
        information=information_lost((own, among, held) for own, among, held in told),
        suppressed=SuppressedLoss(suppressed, suppressed * hierarchy.leaves / whole),
    )


def _per_item(columns: Columns, hierarchy: Hierarchy) -> tuple[float, ...]:
    if not columns:
        return ()
    costs, held = integers(columns["cost"]), integers(columns["held"])
    return tuple((costs / (held * hierarchy.leaves)).tolist())
