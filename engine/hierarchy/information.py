"""Information lost: the one unit in which suppressed and generalized releases compare.

An occurrence of item i tells log2(N / occ(i)) bits, occ(i) being the occurrences of i and N all of
them. Published as node u, it leaves log2(occ(u) / occ(i)) bits untold; suppressed, all its bits.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import fsum, log2

from setveil.run.session import Session
from setveil.sql.hierarchy import information as sql

Told = tuple[int, int | None, int]  # occ(i), occ(u) or None for suppressed, how many occurrences


def information_lost(rows: Iterable[Told]) -> float:
    """The bits that are left untold / the N * H(items) bits of the original; 0 if that is 0.

    The rows cover all occurrences of the original.
    """
    told = [(int(own), among, int(held)) for own, among, held in rows]
    every = sum(held for *_, held in told)
    whole = fsum(held * log2(every / own) for own, _, held in told if held)
    if not whole:
        return 0.0
    untold = (
        held * log2((every if among is None else int(among)) / own)
        for own, among, held in told
        if held
    )
    return fsum(untold) / whole


def information_suppressed(session: Session) -> float:
    """The information lost by the occurrences of suppressed(tid, item)."""
    rows = session.ask(sql.suppressed())
    return information_lost(
        one
        for own, held, lost in rows
        for one in ((own, own, int(held) - int(lost)), (own, None, lost))
    )
