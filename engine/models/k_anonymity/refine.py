"""Lose less than the greedy partition: split by one node at a time, beside other nodes.

See `refine.py` of this room in `sql`. The promise is the same. Of both results, the one with less
loss is released.
"""

from __future__ import annotations

from setveil.run.session import Session
from setveil.sql.models.k_anonymity import refine as sql
from setveil.sql.models.k_anonymity import refine_persons as of_persons
from setveil.sql.models.k_anonymity.anonymize import ALL

_MORE = ("belonging", "member", "stake")  # relations of a round that counts persons


def refine(
    session: Session, k: int, branches: int, *, persons: bool = False, rows: str = ALL
) -> int:
    """Make `settled`, beside the relations of the greedy search; return the number of rounds."""
    falls = session.counted(sql.falls())
    session.create(sql.drops())
    session.create(sql.settled())
    number, left = 1, session.counted(sql.first_cells(rows))
    while left:
        left = _round(session, number, k, max(1, falls), max(1, branches), persons=persons)
        number += 1
    return number - 1


def _round(
    session: Session, number: int, k: int, falls: int, branches: int, *, persons: bool
) -> int:
    """Split every partition by one node; return the number of rows that may still go down."""
    session.create(sql.loads(number, branches))
    session.create(sql.offers(number, falls, branches))
    if persons:
        session.create(of_persons.belongings(number))
        session.create(of_persons.members(number))
        session.create(of_persons.stakes(number, k, falls))
    session.create(of_persons.choices(number, k) if persons else sql.choices(number, k))
    session.append(sql.settling(number))
    session.create(of_persons.takers(number) if persons else sql.takers(number, k))
    session.create(sql.heirs(number))
    left = session.counted(sql.next_cells(number))
    for name in ("cell", "load", "offer", *_MORE * persons, "choice", "taker", "heir"):
        session.give_back(f"{name}_{number}")
    return left
