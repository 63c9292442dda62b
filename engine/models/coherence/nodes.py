"""The checker of (h, k, p)-coherence for a release of nodes.

A node is a label and its level. Nodes above level 0 are public; an item of level 0 has its own
role. The sets of nodes are judged by the definition, as itemsets are.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from sqlglot import exp

from setveil.arguments.shares import Share, share
from setveil.errors import InputError
from setveil.models.case import Case
from setveil.models.coherence import check as items
from setveil.models.coherence.check import Verdict, Violation, check_coherence
from setveil.run.roles.lists import Items
from setveil.run.session import Session
from setveil.run.shape import LEVEL
from setveil.sql.models.coherence import nodes as sql


def judge(
    case: Case,
    *,
    k: int,
    p: int,
    h: Share | None = None,
    private: Items | None = None,
    public: Items | None = None,
) -> Verdict:
    """Check the itemsets of a release, or the sets of its nodes if it has levels."""
    if not case.levels:
        return items.judge(case, k=k, p=p, h=h, private=private, public=public)
    roles = case.roles(k, p, h, () if private is None else private, public)
    if not case.level_named:
        refuse_unclear(case, roles)
    exact = share(1 if h is None else h)
    return check_nodes(
        case.session, case.cells, roles, owners=case.owners, h=exact, k=k, p=p, limit=case.limit
    )


def refuse_unclear(case: Case, roles: exp.Expr) -> None:
    """Refuse a column that seems to be of levels, if a private item would pass for a node by it."""
    unclear, name = case.session.one(sql.unclear(case.cells, roles))
    if unclear:
        raise InputError(
            f"the release has a column {LEVEL!r}, and by it the private item {name!r} would be a "
            "node above items; if the column is of the levels of a hierarchy, name it with --level"
        )


def check_nodes(
    session: Session,
    cells: exp.Expr,
    roles: exp.Expr,
    *,
    h: Fraction,
    k: int,
    p: int,
    owners: exp.Expr | None = None,
    limit: int = 20,
) -> Verdict:
    """Check cells (key, name, level); `roles` has rows (label, private) of the items."""
    refuse_unlevelled(session, cells)
    named, roles_of_nodes = sql.cells(cells), sql.roles(cells, roles)
    found = check_coherence(
        session, named, roles_of_nodes, owners=owners, h=h, k=k, p=p, limit=limit
    )
    return replace(found, violations=tuple(map(_told, found.violations)))


def refuse_unlevelled(session: Session, cells: exp.Expr) -> None:
    """Refuse nodes without a level."""
    (unlevelled,) = session.one(sql.unlevelled(cells))
    if unlevelled:
        raise InputError(f"{unlevelled:,} items of the release have no level (NULL)")


def _told(one: Violation) -> Violation:
    """The violation with its nodes as a reader names them."""
    reveals = None if one.reveals is None else node_name(one.reveals)
    return replace(one, items=tuple(map(node_name, one.items)), reveals=reveals)


def node_name(name: str) -> str:
    """A node as a reader names it."""
    level, _, label = name.partition(" ")
    return label if level == "0" else f"{label} (level {level})"
