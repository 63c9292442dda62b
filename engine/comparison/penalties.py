"""The loss of a generalized release, read off the published nodes.

An occurrence is at the lowest published node of its transaction that is above it in the hierarchy,
as every model here publishes it. An item without such a node anywhere was suppressed. Items that
attackers do not know leave the tree if the release publishes each as itself: then no other node
stands for them. He and Naughton, VLDB 2009, section 3.2.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from setveil.comparison.sides import Beside
from setveil.hierarchy.recode import LevelLoss, SuppressedLoss, loss_of
from setveil.hierarchy.trees import Hierarchy
from setveil.models.k_anonymity.check import check_k_anonymity
from setveil.run.reading import cells_of
from setveil.sql.comparison import changes as sql


@dataclass(frozen=True, slots=True)
class Penalties:
    """Discernibility and, by a hierarchy, the losses; all None for a release of items."""

    discernibility: int | None = None
    ncp: float | None = None
    information: float | None = None
    ncp_by_level: tuple[LevelLoss, ...] = ()
    suppressed: SuppressedLoss | None = None


def penalties_of(beside: Beside, hierarchy: Hierarchy | None, *, matched: bool) -> Penalties:
    """Count how many transactions look alike and, by the hierarchy, charge each occurrence."""
    if not beside.generalized:
        return Penalties()
    session = beside.run.session
    cells = cells_of(session, beside.run.shape, "source")
    alike = check_k_anonymity(session, cells, k=1, levels=False).discernibility
    if hierarchy is None or not matched:
        return Penalties(alike)
    return _with_ncp(alike, beside, hierarchy)


def _with_ncp(alike: int, beside: Beside, hierarchy: Hierarchy) -> Penalties:
    """The original's run has the hierarchy, and gets the nodes; the next release's replace them."""
    original, session = beside.original, beside.original.session
    nodes = beside.of_release("item"), beside.of_release("occurrence")
    session.create(sql.published_nodes(*nodes, beside.of_release("matched_basket")))
    covered = session.counted(sql.recoded())
    session.create(sql.leaving_items())
    partly, founded = session.one(sql.unlike_suppression())
    found, lacking = Penalties(alike), original.occurrences - covered
    if lacking and (partly or founded < beside.run.occurrences):
        session.note(
            f"{beside.name}: its nodes stand for {covered:,} of {original.occurrences:,} "
            "occurrences by this hierarchy: is it the one that it was made with? The penalty is "
            "left out"
        )
    else:
        if lacking:
            session.note(
                f"{beside.name}: no node stands for {lacking:,} of {original.occurrences:,} "
                "occurrences: they were suppressed, or the hierarchy is another one. They count as "
                "suppressed"
            )
        loss = loss_of(original, hierarchy, leaving=exp.to_table("leaving_item"))
        found = Penalties(alike, loss.ncp, loss.information, loss.levels, loss.suppressed)
    for name in ("published_node", "recoded", "leaving_item"):
        session.drop(name)
    return found
