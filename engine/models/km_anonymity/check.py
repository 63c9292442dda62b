"""The checker of k^m-anonymity.

A release is k^m-anonymous if every set of at most m nodes that some transaction holds is held by at
least k transactions. A node is a label and its level, or a name in a release without levels.
Terrovitis, Mamoulis, Kalnis, VLDB 2008. If m has no bound, it is enough to check whole
transactions: every other set is a subset of one and has no less support. With persons, a set is
held by at least k persons: those with a transaction that holds it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import comb

from sqlglot import exp

from setveil.backends import Row
from setveil.errors import CheckError, InputError, SetveilError, option
from setveil.models.case import Case
from setveil.models.judged import begin_check, find_persons, refuse_unkeyed
from setveil.run import cost
from setveil.run.results.tabled import Judgement
from setveil.run.session import Session
from setveil.run.words import counted
from setveil.sql.models.km_anonymity import check as ask
from setveil.sql.models.km_anonymity import check_persons as of_persons
from setveil.sql.trail import verdicts

MAX = "max"  # the value of m for sets of any size


@dataclass(frozen=True, slots=True)
class Node:
    """A node: a label on a level of the hierarchy. Level 0 is an item."""

    label: str
    level: int


@dataclass(frozen=True, slots=True)
class Violation:
    """A set of nodes that fewer than k transactions hold, or fewer than k persons."""

    nodes: tuple[Node, ...]
    support: int
    persons: int | None = None  # None: transactions are counted

    @property
    def held(self) -> str:
        """The transactions, and the persons if they are counted, that hold the nodes."""
        told = counted(self.support, "transaction")
        return told if self.persons is None else f"{told} of {counted(self.persons, 'person')}"


@dataclass(frozen=True, slots=True, repr=False)
class Verdict(Judgement):
    """The result. `violations` holds the worst sets of the smallest size with violations."""

    holds: bool
    violations: tuple[Violation, ...]
    found: int  # violating sets of that size; if m has no bound, distinct violating transactions
    checked: int  # sets that some transaction holds
    transactions: int
    persons: int | None = None  # None: transactions are counted

    def refusal(self) -> SetveilError:
        """The error for a refused release: always a defect."""
        worst = self.violations[0]
        shown = ", ".join(node.label for node in worst.nodes)
        return CheckError(
            f"the checker refused the release: {shown} is in {worst.held}; nothing was written. "
            "This is a defect of setveil: please report it"
        )


def known_items(k: int, m: int | str) -> int | None:
    """The m of the promise as a number; None if it holds for every m."""
    if k < 1:
        raise InputError(f"k is a whole number of at least 1, not {k}")
    if m == MAX:
        return None
    try:
        number = int(m)
    except ValueError:
        number = 0
    if number < 1:
        raise InputError(f"m is a whole number of at least 1, or max, not {m!r}")
    return number


def judge(case: Case, *, k: int, m: int | str) -> Verdict:
    """Check the nodes of a release; items are nodes of level 0."""
    known = known_items(k, m)
    return check_km(
        case.session,
        case.cells,
        owners=case.owners,
        k=k,
        m=known,
        levels=case.levels,
        limit=case.limit,
    )


def check_km(
    session: Session,
    cells: exp.Expr,
    *,
    k: int,
    m: int | None,
    levels: bool = True,
    owners: exp.Expr | None = None,
    limit: int = 20,
) -> Verdict:
    """Check cells (key, name, level), or (key, name) without levels; m is None for every m.

    With `owners`, rows (key, person), the persons who hold a set are counted.
    """
    begin_check(session)
    found = find_persons(session, cells, owners)
    session.within(ask.nodes(cells, levels=levels))
    session.create(of_persons.transactions() if found else ask.transactions(cells))
    session.create(ask.held(cells, levels=levels))
    transactions, _ = session.sizes("check_transaction", "check_node")
    unkeyed, unlevelled, longest = session.one(ask.sizes(cells, levels=levels))
    refuse_unkeyed(session, unkeyed)
    if unlevelled:
        raise InputError(f"{unlevelled:,} items of the release have no level (NULL)")
    held = _Held(transactions, longest, found.persons if found else None)
    if m is None or m >= longest > 1:
        return _whole(session, held, k, limit)
    checked, last = 0, min(m, longest)
    for size in range(1, 1 + last):
        _allow(session, size, held)
        sets, rare = _level(session, size, k, persons=held.persons is not None)
        checked += sets
        if rare:
            return held.verdict(_worst(session, size, k, limit, held), rare, checked)
    session.create(verdicts.km(k, m, last, persons=held.persons is not None))
    return held.verdict((), 0, checked)


@dataclass(frozen=True, slots=True)
class _Held:
    """The numbers of a release: its transactions, the longest of them, and its persons."""

    transactions: int
    longest: int
    persons: int | None

    def verdict(self, worst: tuple[Violation, ...], found: int, checked: int) -> Verdict:
        """The verdict with these violations."""
        return Verdict(not found, worst, found, checked, self.transactions, self.persons)


def _level(session: Session, size: int, k: int, *, persons: bool) -> Row:
    """Make the sets of a size; return their number, and that of those with too few holders."""
    if not persons:
        session.create(ask.sets(size))
        return session.one(ask.counted(size, k))
    session.create(of_persons.sets(size, k))
    _, rows = session.one(of_persons.doubts(size, k))
    what = f"sets of {size} nodes whose persons are counted"
    cost.allow(session, cost.Outlook(what, int(rows), int(rows), _smaller(size)))
    session.create(of_persons.few(size, k))
    return session.one(of_persons.counted(size, k))


def _worst(session: Session, size: int, k: int, limit: int, held: _Held) -> tuple[Violation, ...]:
    if held.persons is None:
        return tuple(_violation(row) for row in session.ask(ask.violations(size, k, limit)))
    rows = session.ask(of_persons.violations(size, k, limit))
    return tuple(
        replace(_violation((support, *nodes)), persons=persons) for support, persons, *nodes in rows
    )


def _smaller(size: int) -> str:
    return f"lower {option('m')} to {size - 1}"


def _allow(session: Session, size: int, held: _Held) -> None:
    """Refuse too many sets, by the longest transaction and then by all lengths."""
    sets = comb(session.sizes("check_node")[0], size)
    rows = held.transactions * comb(held.longest, size)
    outlook = cost.Outlook(f"sets of {size} nodes", sets, rows, _smaller(size))
    if not cost.fits(session, outlook):
        lengths = cost.Lengths(session.ask(ask.lengths()))
        outlook = replace(outlook, rows=lengths.sets(size))
    cost.allow(session, outlook)


def _violation(row: Row) -> Violation:
    support, *parts = row
    nodes = tuple(Node(str(name), level) for level, name in zip(*[iter(parts)] * 2, strict=True))
    return Violation(nodes, support)


def _allow_fitting(session: Session, k: int, *, persons: bool) -> None:
    """Refuse to compare transactions that share nodes if there are too many such pairs."""
    pairs, rows = session.one(ask.meetings(k, "persons" if persons else "copies"))
    smaller = f"give {option('m')} a smaller number"
    cost.allow(session, cost.Outlook("pairs of transactions", int(pairs), int(rows), smaller))


def _whole(session: Session, held: _Held, k: int, limit: int) -> Verdict:
    """Check that the nodes of each transaction are in k transactions, itself included."""
    persons = held.persons is not None
    if persons:
        session.create(of_persons.members())
    session.create(of_persons.kinds() if persons else ask.kinds())
    _allow_fitting(session, k, persons=persons)
    session.create(of_persons.fitting(k) if persons else ask.fitting(k))
    checked, found = session.one(of_persons.counted(0, k) if persons else ask.counted(0, k))
    if not found:
        session.create(verdicts.km_of_any_size(k, persons=persons))
        return held.verdict((), 0, held.transactions)
    return held.verdict(_worst_whole(session, k, limit, persons=persons), found, checked)


def _worst_whole(session: Session, k: int, limit: int, *, persons: bool) -> tuple[Violation, ...]:
    nodes: dict[int, list[Node]] = {}
    sizes: dict[int, Row] = {}
    rows = session.ask(of_persons.whole(k, limit) if persons else ask.whole(k, limit))
    for place, *numbers, level, name in rows:
        nodes.setdefault(place, []).append(Node(str(name), level))
        sizes[place] = tuple(numbers)
    return tuple(Violation(tuple(nodes[place]), *sizes[place]) for place in nodes)
