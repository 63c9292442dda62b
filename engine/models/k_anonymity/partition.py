"""The search for partitions: the greedy one of the paper, and one that loses less.

All transactions start as one partition, generalized to the root. Each partition expands the node
with the largest gain. Transactions with equal children are a new partition; groups of fewer than k
are a leftover that keeps the node.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from setveil.models.k_anonymity import refine as refinement
from setveil.run.session import Session
from setveil.sql.models.k_anonymity import anonymize as sql
from setveil.sql.models.k_anonymity import persons as of_persons
from setveil.sql.models.k_anonymity import refine as more_sql
from setveil.sql.models.k_anonymity.anonymize import ALL
from setveil.sql.step import Step

TOGETHER = 3  # rounds before a question, where statements are dear
PART = 3_000_000  # occurrences: the branches above them take some hundred megabytes


@dataclass(frozen=True, slots=True)
class Search:
    """The counters of the search for partitions."""

    rounds: int = 0
    leftovers: int = 0
    moved: int = 0
    largest: int = 0
    refined: bool = False


def recode(
    session: Session, k: int, *, refine: bool, persons: bool = False, rows: str = ALL
) -> Search:
    """Make `recoded` by the greedy search or, with `refine`, by the search that loses less.

    `rows` is the relation of the occurrences on which twins agree.
    """
    branches = prepare(session, rows)
    rounds = expand(session, k, persons=persons)
    if refine:
        more = refinement.refine(session, k, branches, persons=persons, rows=rows)
        refined, greedy = session.one(more_sql.costs(rows))
        if refined < greedy:
            session.create(more_sql.recoded())
            return Search(more, refined=True)
    session.create(sql.recoded(rows))
    return Search(rounds, *session.one(sql.leftovers()))


def prepare(session: Session, rows: str = ALL) -> int:
    """Make the relations of both searches; return the number of nodes that can be expanded."""
    session.within(sql.branches())
    session.create(sql.descents())
    session.within(sql.slots())
    children, branches = session.one(sql.widest())
    _hold(session, lambda part: sql.held(int(children), int(branches), rows, part))
    return int(branches)


def _hold(session: Session, step: Callable[[tuple[int, int] | None], Step]) -> None:
    """Make `held` by ranges of transactions: the groups of all at once take far more memory."""
    parts, transactions = _parts(session), session.told("basket") or 0
    if parts == 1:
        session.create(step(None))
        return
    bounds = [transactions * n // parts for n in range(parts + 1)]
    session.create(step((bounds[0], bounds[1])))
    for first, beyond in zip(bounds[1:], bounds[2:], strict=False):
        session.append(step((first, beyond)))
        session.backend.compact()


def _parts(session: Session) -> int:
    """The number of ranges: a server shares the work out by itself."""
    if not session.backend.is_local:
        return 1
    return -(-(session.told("occurrence") or 0) // PART) or 1


def expand(session: Session, k: int, *, persons: bool = False) -> int:
    """Make `closed` by the paper's greedy algorithm; return the number of rounds.

    Where statements are dear, no round adds rows to it: it is read from all rounds. There a
    question comes after several rounds, of which the last ones may find nothing open.
    """
    at_once = session.backend.can.dear
    if not at_once:
        session.create(sql.closed())
    divided = _divided_by_persons if persons else _divided
    session.create(sql.opened())
    number, rounds, waiting = 0, 0, ["open_1"]
    while True:
        if session.told(waiting[-1]) is not None or number % TOGETHER == 0 < number:
            rows = session.sizes(*waiting)
            rounds += len(rows) - rows.count(0)
            for name in waiting[:-1]:
                session.give_back(name)
            waiting = []
            if not rows[-1]:
                break
        number += 1
        _round(session, number, k, divided, at_once=at_once)
        waiting.append(f"open_{number + 1}")
    if at_once:
        session.within(sql.left_over(range(1, rounds + 1)) if rounds else sql.closed())
    session.give_back("held")
    return rounds


def _divided(number: int, k: int) -> tuple[Step, ...]:
    """The steps that give the transactions of each partition to buckets and a leftover."""
    return (
        sql.picked(number, k),
        sql.split(number),
        sql.buckets(number, k),
        sql.drawn(number),
        sql.moved(number),
    )


def _divided_by_persons(number: int, k: int) -> tuple[Step, ...]:
    """The steps that do so where each bucket and leftover needs k persons."""
    return (
        of_persons.crowds(number),
        of_persons.picked(number, k),
        sql.split(number),
        of_persons.shares(number),
        of_persons.sizes(number),
        of_persons.lacks(number, k),
        of_persons.givers(number, k),
        of_persons.fills(number, k),
        of_persons.buckets(number, k),
        of_persons.drawn(number),
        sql.moved(number),
    )


def _round(
    session: Session,
    number: int,
    k: int,
    divided: Callable[[int, int], tuple[Step, ...]],
    *,
    at_once: bool,
) -> None:
    """Expand a branch of every partition. An open relation stays until its rows are counted."""
    *steps, last = divided(number, k)
    for step in steps:
        session.within(step)
    session.create(last)
    if not at_once:
        session.append(sql.left_over([number]))
    session.create(sql.reopened(number))
    was = f"open_{number}"
    made = [was] if session.told(was) is not None else []
    made += [step.name for step in (steps if at_once else [*steps, last])]
    for name in made:
        session.give_back(name)
