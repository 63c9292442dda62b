"""The checker of (h, k, p)-coherence.

A release is coherent if every set of at most p public items that some transaction holds is held by
at least k transactions. No private item is held by more than a share h of those. The empty set
counts. With persons, a set is held by at least k persons, and h holds in persons too. Xu, Wang,
Fu, Yu: Anonymizing transaction databases for publication, KDD 2008.
The checker reads only the cells (key, name) of a release and the roles of its items.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from sqlglot import exp

from setveil.arguments.shares import Share, share
from setveil.backends import Row
from setveil.errors import CheckError, InputError, SetveilError, UnreachableError, option
from setveil.models.case import Case
from setveil.models.judged import begin_check, end_check, find_persons, refuse_unkeyed
from setveil.run import cost
from setveil.run.results.tabled import Judgement
from setveil.run.roles.lists import Items
from setveil.run.session import Session
from setveil.run.words import counted
from setveil.sql.models.coherence import check as ask
from setveil.sql.models.coherence import violations as worst_of
from setveil.sql.step import Step
from setveil.sql.trail import verdicts

# Transactions in a full word: a BIGINT without its sign.
FULL = 63
LOST = "long form has no row for an emptied transaction:"


@dataclass(frozen=True, slots=True)
class Violation:
    """A minimal mole of the release: a public itemset, with the private item it reveals."""

    items: tuple[str, ...]  # names as text, in order; none for the empty itemset
    support: int
    reveals: str | None  # the private item of the highest share, if the share is above h
    share: float  # the highest breach probability, in transactions or in persons
    persons: int | None = None

    @property
    def held(self) -> str:
        """The transactions, and the persons if they are counted, that hold the items."""
        told = counted(self.support, "transaction")
        return told if self.persons is None else f"{told} of {counted(self.persons, 'person')}"


@dataclass(frozen=True, slots=True, repr=False)
class Verdict(Judgement):
    """The result. `violations` holds the worst moles: smallest, then rarest, then by name."""

    holds: bool
    violations: tuple[Violation, ...]
    found: int  # minimal moles in all
    checked: int  # itemsets that some transaction holds and that have no mole in them
    transactions: int
    persons: int | None = None  # None: transactions are counted

    def refusal(self) -> SetveilError:
        """The error for a refused release: a defect, unless too few transactions are left."""
        worst = self.violations[0]
        if worst.items:
            return CheckError(
                f"the checker refused the release: {', '.join(worst.items)} is in "
                f"{worst.held}; nothing was written. This is a defect of setveil: please report it"
            )
        if worst.reveals:
            return UnreachableError(
                f"{LOST} of the {self.transactions:,} that are left, a share of {worst.share:.4f} "
                f"holds the private item {worst.reveals!r}; read the data in LIST form, which "
                "keeps them, or raise h"
            )
        left = counted(self.transactions, "transaction")
        if self.persons is not None:
            left = f"the {left} of {counted(self.persons, 'person')}"
        return UnreachableError(
            f"{LOST} only {left} are left, fewer than k; read the data in LIST form, which keeps "
            "them, or lower k"
        )


def judge(
    case: Case,
    *,
    k: int,
    p: int,
    h: Share | None = None,
    private: Items | None = None,
    public: Items | None = None,
) -> Verdict:
    """Check the itemsets of a release."""
    roles = case.roles(k, p, h, () if private is None else private, public)
    exact = share(1 if h is None else h)
    return check_coherence(
        case.session, case.cells, roles, owners=case.owners, h=exact, k=k, p=p, limit=case.limit
    )


def check_coherence(
    session: Session,
    cells: exp.Expr,
    roles: exp.Expr,
    *,
    h: Fraction,
    k: int,
    p: int,
    owners: exp.Expr | None = None,
    limit: int = 20,
    width: int | None = None,
) -> Verdict:
    """Check cells (key, name). Repeated rows count once; a NULL name marks an empty transaction.

    `roles` has rows (label, private); a label is a name as text. An item without a role is left
    out, but its transaction counts. With `owners`, rows (key, person), persons are counted. `width`
    is the number of transactions per word; by default the checker chooses it. Persons need full
    words.
    """
    _refuse_nonsense(h, k, p)
    begin_check(session)
    found_persons = find_persons(session, cells, owners)
    rule = ask.Rule(h.numerator, h.denominator, k)
    if found_persons:
        rule = replace(rule, persons=True, many=found_persons.most > FULL)
        width = FULL
    packed = _encode(session, cells, roles, rule, width)
    transactions, first = _known_by_all(session, rule)
    found, checked, last = 0, int(transactions > 0), 0
    worst: list[Violation] = []
    for size, held, fine in _levels(session, first, p, rule, packed=packed):
        checked, found, last = checked + (held if size else 0), found + held - fine, size
        if held > fine and len(worst) < limit:
            rows = session.ask(worst_of.violations(size, rule, limit - len(worst)))
            worst += [_violation(row, rule) for row in rows]
    if not found:
        session.create(verdicts.coherence(rule, p, last))
    end_check(session)
    persons = None if found_persons is None else found_persons.persons
    return Verdict(not found, tuple(worst), found, checked, transactions, persons)


def _refuse_nonsense(h: Fraction, k: int, p: int) -> None:
    """Refuse parameters that every release keeps, or that BIGINT cannot compare exactly."""
    if not 0 <= h <= 1 or h.denominator > 10**9:
        raise InputError(f"h must be a share from 0 to 1 with at most 9 decimals, not {h}")
    if k < 1 or p < 0:
        raise InputError(f"k must be at least 1 and p at least 0, not k={k} and p={p}")


def _known_by_all(session: Session, rule: ask.Rule) -> tuple[int, int]:
    """Return the number of transactions and the size of the first sets to check.

    The size is 0 if the empty itemset is a mole, otherwise 1.
    """
    transactions, hits, *of_persons = session.one(ask.knowing_nothing(rule))
    if not transactions:
        return transactions, 1
    persons, revealed = of_persons or (transactions, hits)
    tells = persons < rule.k or any(
        known * rule.under > rule.over * all_of
        for known, all_of in ((hits, transactions), (revealed, persons))
    )
    return transactions, 0 if tells else 1


def _encode(
    session: Session, cells: exp.Expr, roles: exp.Expr, rule: ask.Rule, width: int | None
) -> bool:
    """Number transactions and items and make the words. Return whether a word holds several."""
    session.create(ask.keys_of_persons() if rule.persons else ask.keys(cells))
    if rule.many:
        session.create(ask.whose())
    session.within(ask.items(cells, roles))
    session.create(ask.holdings(cells))
    single, packed, unkeyed = session.one(ask.sizes(cells))
    refuse_unkeyed(session, unkeyed)
    if width is None:
        width = FULL if single > 2 * packed else 1
    session.create(ask.words("check_word", private=False, width=width))
    session.create(ask.words("check_secret", private=True, width=width))
    session.give_back("check_held")
    return width > 1


def _levels(
    session: Session, first: int, p: int, rule: ask.Rule, *, packed: bool
) -> Iterator[tuple[int, int, int]]:
    """Yield for each size the number of sets and the number that pass.

    A server that reports no row counts is asked once, at the end, for all sizes.
    """
    waiting: list[tuple[int, str, str]] = []
    for size in range(first, p + 1):
        held, fine = _level(session, size, rule, packed=packed, last=size == p)
        waiting.append((size, held.name, fine.name))
        if size and size < p and session.told(fine.name) is None:
            continue
        rows = session.sizes(*(name for _, *both in waiting for name in both))
        for number, (one, *_) in enumerate(waiting):
            yield one, rows[2 * number], rows[2 * number + 1]
        waiting = []
        if not size or not rows[-1]:
            break


def _level(
    session: Session, size: int, rule: ask.Rule, *, packed: bool, last: bool
) -> tuple[Step, Step]:
    """Make the sets of `size` that have no smaller mole in them, and those that pass."""
    if size > 1:
        session.create(ask.cohorts(size - 1))
    if size == 2:  # from here on, the words of passed items are enough
        session.give_back("check_word")
    _allow(session, size, last=last)
    steps = ask.level(size, rule, packed=packed, last=last)
    for step in steps:
        if step.name.startswith(("check_set", "check_suspect")):
            session.create(step)
        else:
            session.within(step)
    if size > 3:  # the first cohorts are the words of single items, which are still needed
        session.give_back(f"check_cohort_{size - 2}")
    return steps[0], steps[-1]


def _allow(session: Session, size: int, *, last: bool) -> None:
    """Refuse a size that is too large by a first estimate and then by a closer count.

    A server that reports no row counts is not asked: it has its own limits.
    """
    if size < 2:
        return
    cohort, fine, first = (
        session.told(name)
        for name in (f"check_cohort_{size - 1}", f"check_fine_{size - 1}", "check_fine_1")
    )
    if cohort is None or fine is None or first is None:
        return
    outlook = _outlook(size, fine * first, cohort * first, last=last)
    if not cost.fits(session, outlook):
        lengths = cost.Lengths(session.ask(ask.lengths(size)))
        (sets,) = session.one(ask.prospects(size)) if size > 2 else (fine * (fine - 1) // 2,)
        rows = round(cohort * lengths.growth(size))
        outlook = _outlook(size, int(sets), rows, last=last)
    cost.allow(session, outlook)


def _outlook(size: int, sets: int, rows: int, *, last: bool) -> cost.Outlook:
    smaller = f"lower {option('p')} to {size - 1}"
    kept = 0 if last else cost.HOLDER * rows
    return cost.Outlook(f"itemsets of {size} to check", sets, rows, smaller, kept)


def _violation(row: Row, rule: ask.Rule) -> Violation:
    support, hits, *others = row
    persons, revealed = others[:2] if rule.persons else (None, 0)
    secret, *items = others[2:] if rule.persons else others
    highest = max(Fraction(hits, support), Fraction(revealed, persons or 1))
    breached = highest > Fraction(rule.over, rule.under)
    told = secret if breached else None
    return Violation(tuple(items), support, told, float(highest), persons)
