"""The checker of k-anonymity for sets.

A release is k-anonymous if every transaction has at least k - 1 twins: others with the same set of
nodes. A node is a level and a label. Empty transactions form a class of their own. He, Naughton,
VLDB 2009, definition 2. The checker reads only the cells of a release. With persons, the
transactions of a class are of at least k persons. With lists of items, twins agree on public ones.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from sqlglot import exp

from setveil.errors import CheckError, InputError, SetveilError, UnreachableError
from setveil.models.case import Case
from setveil.models.judged import begin_check, end_check, find_persons, refuse_unkeyed
from setveil.run.results.tabled import Judgement
from setveil.run.roles.lists import Items
from setveil.run.session import Session
from setveil.run.words import counted
from setveil.sql.models.k_anonymity import check as ask
from setveil.sql.trail import verdicts

SHOWN = 12  # nodes of a violation


@dataclass(frozen=True, slots=True)
class Violation:
    """A set of nodes that fewer than k transactions have, or transactions of fewer persons."""

    nodes: tuple[tuple[int, str], ...]  # (level, label), the first of them
    size: int  # number of nodes
    transactions: int
    persons: int | None = None  # None: transactions are counted

    @property
    def held(self) -> str:
        """The transactions of the class, and their persons if those are counted."""
        told = counted(self.transactions, "transaction")
        return told if self.persons is None else f"{told} of {counted(self.persons, 'person')}"


@dataclass(frozen=True, slots=True, repr=False)
class Verdict(Judgement):
    """The result. `violations` holds the worst classes: rarest, then smallest.

    The last two are None where transactions are counted.
    """

    holds: bool
    violations: tuple[Violation, ...]
    found: int  # classes of fewer than k
    checked: int  # classes
    smallest: int  # transactions of the smallest class
    transactions: int
    discernibility: int  # the sum over transactions of the sizes of their classes
    persons: int | None = None
    fewest: int | None = None  # persons of the class with the fewest persons

    def records(self) -> list[dict[str, Any]]:
        return [
            asdict(one) | {"nodes": [{"label": name, "level": level} for level, name in one.nodes]}
            for one in self.violations
        ]

    def refusal(self) -> SetveilError:
        """The error for a refused release: a defect, unless too few transactions are empty."""
        worst = self.violations[0]
        if not worst.size:
            return UnreachableError(
                f"{worst.held} without public items: fewer than k, and no other can be generalized "
                "to be their twin; leave them out, or lower k"
            )
        return CheckError(
            f"the checker refused the release: a class of {worst.held} has a set of "
            f"{worst.size:,} nodes that no other has; nothing was written. This is a defect of "
            "setveil: please report it"
        )


def judge(
    case: Case, *, k: int, private: Items | None = None, public: Items | None = None
) -> Verdict:
    """Check the nodes of a release; items are nodes of level 0."""
    _refuse_nonsense(k)
    roles = None
    if private is not None or public is not None:
        roles = case.roles(k, 1, 1, () if private is None else private, public)
    return check_k_anonymity(
        case.session,
        case.cells,
        roles=roles,
        owners=case.owners,
        k=k,
        levels=case.levels,
        limit=case.limit,
    )


def check_k_anonymity(
    session: Session,
    cells: exp.Expr,
    *,
    k: int,
    levels: bool,
    roles: exp.Expr | None = None,
    owners: exp.Expr | None = None,
    limit: int = 20,
    prime: int = ask.PRIME,
) -> Verdict:
    """Check cells (key, name), or with `levels` (key, name, level). Repeated rows count once.

    With `owners`, rows (key, person), the persons of a class are counted. With `roles`, rows
    (label, private), twins agree on nodes above level 0 and on items that are not private there.
    `prime` is the modulus of the hashes that find likely twins. Any prime gives the same result.
    """
    _refuse_nonsense(k)
    begin_check(session)
    if roles is not None:
        session.create(ask.known(cells, roles, levels=levels))
        cells = exp.to_table("check_known")
    found = find_persons(session, cells, owners)
    persons = found is not None
    session.create(ask.keys_of_persons() if persons else ask.keys(cells))
    session.within(ask.nodes(cells, levels=levels))
    session.create(ask.holdings(cells, levels=levels))
    (unkeyed,) = session.one(ask.unkeyed(cells))
    refuse_unkeyed(session, unkeyed)
    twins = _twins(session, prime)
    session.create(ask.classes_of_persons(twins) if persons else ask.classes(twins))
    classes, small, *sizes = session.one(ask.summary(k, persons=persons))
    worst = _worst(session, k, limit, persons=persons) if small else ()
    holds = not small
    if holds:
        session.create(verdicts.k_anonymity(k, twins, persons=persons))
    end_check(session)
    smallest, transactions, discernibility, *fewest = sizes
    numbers = (found.persons, *fewest) if found else (None, None)
    return Verdict(
        holds, worst, int(small), classes, smallest, transactions, discernibility, *numbers
    )


def _refuse_nonsense(k: int) -> None:
    if k < 1:
        raise InputError(f"k is a whole number of at least 1, not {k}")


def _twins(session: Session, prime: int) -> int:
    """Make check_twin_N, which calls only true twins so; return N."""
    number = 1
    session.create(ask.likely(prime))
    while session.counted(ask.unlike(number)):
        session.create(ask.regrouped(number))
        number += 1
    return number


def _worst(session: Session, k: int, limit: int, *, persons: bool) -> tuple[Violation, ...]:
    places: dict[int, list[tuple[int, str]]] = {}
    sizes: dict[int, tuple[int, ...]] = {}
    rows = session.ask(ask.violations(k, limit, SHOWN, persons=persons))
    for place, transactions, size, level, label, *of_persons in rows:
        sizes[place] = size, transactions, *of_persons
        shown = places.setdefault(place, [])
        if label is not None:
            shown.append((level, label))
    return tuple(Violation(tuple(places[place]), *sizes[place]) for place in sizes)
