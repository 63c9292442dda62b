"""The checker of rho-uncertainty for a release of nodes.

A node is a label and its level. Nodes above level 0 are not sensitive; an item of level 0 is
sensitive if it is listed. The rules over nodes are judged by the definition, as those over items.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from sqlglot import exp

from setveil.arguments.shares import Share, share
from setveil.models.case import Case
from setveil.models.coherence.nodes import node_name, refuse_unclear, refuse_unlevelled
from setveil.models.uncertainty import check as items
from setveil.models.uncertainty.check import UncertaintyVerdict, UnsafeRule, check_uncertainty
from setveil.run.roles.lists import Items
from setveil.run.session import Session
from setveil.sql.models.coherence.nodes import cells as named
from setveil.sql.models.uncertainty import nodes as sql


def judge(
    case: Case, *, sensitive: Items, rho: Share, max_knowledge: int | None = None
) -> UncertaintyVerdict:
    """Check the rules of a release, or those over its nodes if it has levels."""
    if not case.levels:
        return items.judge(case, sensitive=sensitive, rho=rho, max_knowledge=max_knowledge)
    secrets = case.named("sensitive", sensitive)
    if not case.level_named:
        refuse_unclear(case, sql.roles(secrets))
    return check_nodes(
        case.session,
        case.cells,
        secrets,
        rho=share(rho, "rho"),
        max_knowledge=max_knowledge,
        limit=case.limit,
        owners=case.owners,
    )


def check_nodes(
    session: Session,
    cells: exp.Expr,
    sensitive: exp.Expr,
    *,
    rho: Fraction,
    max_knowledge: int | None = None,
    limit: int = 20,
    owners: exp.Expr | None = None,
) -> UncertaintyVerdict:
    """Check cells (key, name, level); `sensitive` has rows (label) of items."""
    refuse_unlevelled(session, cells)
    found = check_uncertainty(
        session,
        named(cells),
        sql.secret(sensitive),
        rho=rho,
        max_knowledge=max_knowledge,
        limit=limit,
        owners=owners,
    )
    return replace(found, violations=tuple(map(_told, found.violations)))


def _told(one: UnsafeRule) -> UnsafeRule:
    """The rule with its nodes as a reader names them."""
    return replace(one, known=tuple(map(node_name, one.known)), secret=node_name(one.secret))
