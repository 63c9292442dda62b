"""Lose less than the greedy partition: split by one node at a time, and let it stand beside others.

See `refine.py` of the same room in `sql`.

The guarantee is the same, and the release that loses less is made: what is
refined is never worse than what is not.
"""

from __future__ import annotations

from setveil.run.session import Session
from setveil.sql.models.k_anonymity import refine as sql


def refine(session: Session, k: int, branches: int) -> int:
    """Make `settled`, beside what the greedy algorithm left; answer how many rounds it took."""
    falls = session.counted(sql.falls())
    session.create(sql.drops())
    session.create(sql.settled())
    number, left = 1, session.counted(sql.first_cells())
    while left:
        left = _round(session, number, k, max(1, falls), max(1, branches))
        number += 1
    return number - 1


def _round(session: Session, number: int, k: int, falls: int, branches: int) -> int:
    """Take a node out of every partition that has one; answer how much may still go down."""
    session.create(sql.loads(number, branches))
    session.create(sql.offers(number, falls, branches))
    session.create(sql.choices(number, k))
    session.append(sql.settling(number))
    session.create(sql.takers(number, k))
    session.create(sql.heirs(number))
    left = session.counted(sql.next_cells(number))
    for name in ("cell", "load", "offer", "choice", "taker", "heir"):
        session.give_back(f"{name}_{number}")
    return left
