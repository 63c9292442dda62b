"""The checker of k^m-anonymity.

A release is k^m-anonymous if every set of at most m nodes that some transaction holds is held by at
least k transactions. A node is a label and its level, or a name in a release without levels.
Terrovitis, Mamoulis, Kalnis, VLDB 2008. If m has no bound, it is enough to check whole
transactions: every other set is a subset of one and has no less support.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import comb

from sqlglot import exp

from setveil.backends import Row
from setveil.errors import CheckError, InputError, SetveilError, option
from setveil.models.case import Case
from setveil.models.judged import begin_check, refuse_unkeyed
from setveil.run import cost
from setveil.run.session import Session
from setveil.sql.models.km_anonymity import check as ask
from setveil.sql.trail import verdicts

MAX = "max"  # the value of m for sets of any size


@dataclass(frozen=True, slots=True)
class Node:
    """A node: a label on a level of the hierarchy. Level 0 is an item."""

    label: str
    level: int


@dataclass(frozen=True, slots=True)
class Violation:
    """A set of nodes that fewer than k transactions hold."""

    nodes: tuple[Node, ...]
    support: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result. `violations` holds the worst sets of the smallest size with violations."""

    holds: bool
    violations: tuple[Violation, ...]
    found: int  # violating sets of that size; if m has no bound, distinct violating transactions
    checked: int  # sets that some transaction holds
    transactions: int

    def refusal(self) -> SetveilError:
        """The error for a refused release: always a defect."""
        worst = self.violations[0]
        shown = ", ".join(node.label for node in worst.nodes)
        return CheckError(
            f"the checker refused the release: {shown} is in {worst.support:,} transactions; "
            "nothing was written. This is a defect of setveil: please report it"
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
    return check_km(case.session, case.cells, k=k, m=known, levels=case.levels, limit=case.limit)


def check_km(
    session: Session,
    cells: exp.Expr,
    *,
    k: int,
    m: int | None,
    levels: bool = True,
    limit: int = 20,
) -> Verdict:
    """Check cells (key, name, level), or (key, name) without levels; m is None for every m."""
    begin_check(session)
    session.create(ask.nodes(cells, levels=levels))
    transactions = session.counted(ask.transactions(cells))
    session.create(ask.held(cells, levels=levels))
    unkeyed, unlevelled, longest = session.one(ask.sizes(cells, levels=levels))
    refuse_unkeyed(session, unkeyed)
    if unlevelled:
        raise InputError(f"{unlevelled:,} items of the release have no level (NULL)")
    if m is None or m >= longest > 1:
        return _whole(session, transactions, k, limit)
    checked, last = 0, min(m, longest)
    for size in range(1, 1 + last):
        _allow(session, size, transactions, longest)
        session.create(ask.sets(size))
        sets, found = session.one(ask.counted(size, k))
        checked += sets
        if found:
            rows = session.ask(ask.violations(size, k, limit))
            worst = tuple(_violation(row) for row in rows)
            return Verdict(False, worst, found, checked, transactions)
    session.create(verdicts.km(k, m, last))
    return Verdict(True, (), 0, checked, transactions)


def _allow(session: Session, size: int, transactions: int, longest: int) -> None:
    """Refuse too many sets, by the longest transaction and then by all lengths."""
    sets = comb(session.sizes("check_node")[0], size)
    smaller = f"lower {option('m')} to {size - 1}"
    outlook = cost.Outlook(
        f"sets of {size} nodes", sets, transactions * comb(longest, size), smaller
    )
    if not cost.fits(session, outlook):
        lengths = cost.Lengths(session.ask(ask.lengths()))
        outlook = replace(outlook, rows=lengths.sets(size))
    cost.allow(session, outlook)


def _violation(row: Row) -> Violation:
    support, *parts = row
    nodes = tuple(Node(str(name), level) for level, name in zip(*[iter(parts)] * 2, strict=True))
    return Violation(nodes, support)


def _allow_fitting(session: Session, k: int) -> None:
    """Refuse to compare transactions that share nodes if there are too many such pairs."""
    pairs, rows = session.one(ask.meetings(k))
    smaller = f"give {option('m')} a smaller number"
    cost.allow(session, cost.Outlook("pairs of transactions", int(pairs), int(rows), smaller))


def _whole(session: Session, transactions: int, k: int, limit: int) -> Verdict:
    """Check that the nodes of each transaction are in k transactions, itself included."""
    session.create(ask.kinds())
    _allow_fitting(session, k)
    session.create(ask.fitting(k))
    checked, found = session.one(ask.counted(0, k))
    if not found:
        session.create(verdicts.km_of_any_size(k))
        return Verdict(True, (), 0, transactions, transactions)
    worst: dict[int, tuple[int, list[Node]]] = {}
    for place, support, level, name in session.ask(ask.whole(k, limit)):
        worst.setdefault(place, (support, []))[1].append(Node(str(name), level))
    shown = tuple(Violation(tuple(nodes), support) for support, nodes in worst.values())
    return Verdict(False, shown, found, checked, transactions)
