"""Put transactions with similar other items side by side: reverse Cuthill-McKee, by SQL."""

from __future__ import annotations

from setveil.run.session import Session
from setveil.sql.models.permutation import order as sql

FAR = 32  # steps to find the connected parts; parts of longer ways are cut
DEEP = 64  # levels of the search; transactions beyond them stand last


def put_in_order(session: Session) -> None:
    """Make plain(tid, item), ranked(tid, place) and queue(tid, place)."""
    for step in (sql.harmless(), sql.ranked(), sql.vertices(), sql.degrees()):
        session.create(step)
    components = _components(session)
    session.create(sql.first_level(components))
    levels, left = 0, session.sizes("level_0")[0]
    while left and levels < DEEP:
        levels += 1
        session.create(sql.touched(levels))
        left = session.counted(sql.level(levels))
    session.create(sql.queue(components, levels))


def _components(session: Session) -> int:
    """Find the connected parts; return the number of steps that it took."""
    session.create(sql.components(0))
    number, before = 0, -1
    (starts,) = session.one(sql.starts(0))
    while starts != before and number < FAR:
        number, before = number + 1, starts
        session.create(sql.components(number))
        session.give_back(f"component_{number - 1}")
        (starts,) = session.one(sql.starts(number))
    return number
