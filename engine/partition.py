"""k-anonymity by top-down local generalization ("Partition").

A release is k-anonymous when every transaction has k - 1 twins: others with the same set of nodes,
a node being a level and a label. All transactions start as one partition, generalized to the root.
Each partition expands the node that gains most; transactions that then show the same children are a
new partition, and those that would be fewer than k a leftover that keeps the node.
He, Naughton: Anonymization of set-valued data via top-down, local generalization, VLDB 2009.
"""

from __future__ import annotations

from setveil.session import Session
from setveil.sql import partition as sql


def expand(session: Session, k: int) -> int:
    """Make `recoded`, by the paper's greedy algorithm; answer how many rounds it took."""
    for step in (sql.branches(), sql.descents(), sql.slots()):
        session.create(step)
    children, branches = session.one(sql.widest())
    session.create(sql.held(int(children), int(branches)))
    session.create(sql.closed())
    number, left = 1, session.create(sql.opened())
    while left:
        left = _round(session, number, k)
        number += 1
        if session.dry:
            break
    session.create(sql.recoded())
    return number - 1


def _round(session: Session, number: int, k: int) -> int:
    """Expand one branch of every partition; answer how much is open after it."""
    for step in (
        sql.picked(number, k),
        sql.split(number),
        sql.buckets(number, k),
        sql.drawn(number),
        sql.moved(number),
    ):
        session.create(step)
    session.append(sql.left_over(number))
    left = session.create(sql.reopened(number))
    for name in ("open", "picked", "split", "bucket", "drawn", "moved"):
        session.give_back(f"{name}_{number}")
    return left
