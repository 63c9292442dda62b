"""The checker of rho-uncertainty.

A release is rho-uncertain when no sensitive item is held by more than a share rho of the
transactions that hold any other items, however many an attacker knows. Jia, Pan, Hu, Xie, Xu, Zhu,
Lo: rho-uncertainty anonymization by partial suppression, DASFAA 2014. The cells (key, name) are all
that is read of it, and which of its items are sensitive.

Rules of one item are counted first. Then whole transactions tell: if none without the secret holds
all the rest of one, that tells it with certainty. Then sets grow, as long as that leaves doubt: an
item that tells nothing about a transaction that the others do not is not added, and a set is left
alone when what was counted of whole transactions vouches for all that are larger.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from sqlglot import exp

from setveil.arguments.lists import Items
from setveil.arguments.shares import Share, share
from setveil.backends import Row
from setveil.errors import CheckError, InputError, SetveilError, option
from setveil.models.case import Case
from setveil.models.judged import refuse_unkeyed
from setveil.run import cost
from setveil.run.session import Session
from setveil.sql.models.uncertainty import check as ask
from setveil.sql.trail import verdicts

ANY = 2**31 - 1  # more items than any transaction holds


@dataclass(frozen=True, slots=True)
class UnsafeRule:
    """Whoever knows that a transaction holds the items infers the secret: known -> secret."""

    known: tuple[str, ...]  # names as text, in order
    secret: str
    support: int  # transactions that hold all of it
    of: int  # transactions that hold what is known
    confidence: float


@dataclass(frozen=True, slots=True)
class UncertaintyVerdict:
    """What the checker found. `violations` holds the worst: the least known, then the surest.

    The search ends where something is found: `found` counts all unsafe rules of one item if there
    are any; if not, those that a whole transaction tells with certainty, where such are looked for;
    if not, those of the fewest items.
    """

    holds: bool
    violations: tuple[UnsafeRule, ...]
    found: int
    checked: int  # rules that were counted; what was counted vouches for the others
    transactions: int

    def refusal(self) -> SetveilError:
        """Why a release cannot be: no fault of the data."""
        worst = self.violations[0]
        return CheckError(
            f"the checker refused the release: {worst.secret} is in {worst.support:,} of the "
            f"{worst.of:,} transactions with {', '.join(worst.known)}; nothing was written. This "
            "is a defect of setveil: please report it"
        )


def judge(
    case: Case, *, sensitive: Items, rho: Share, max_knowledge: int | None = None
) -> UncertaintyVerdict:
    """Judge the rules of a release."""
    exact = share(rho, "rho")
    secrets = case.named("sensitive", sensitive)
    return check_uncertainty(
        case.session, case.cells, secrets, rho=exact, max_knowledge=max_knowledge,
        limit=case.limit,
    )  # fmt: skip


def check_uncertainty(
    session: Session,
    cells: exp.Expr,
    sensitive: exp.Expr,
    *,
    rho: Fraction,
    max_knowledge: int | None = None,
    limit: int = 20,
) -> UncertaintyVerdict:
    """Judge cells (key, name): rows that repeat count once; a NULL name marks a transaction only.

    `sensitive` has rows (label), names as text; what the release does not hold is passed over.
    """
    _refuse_nonsense(rho, max_knowledge)
    for name in [name for name in session.relations if name.startswith("check_")]:
        session.drop(name)
    rule = ask.Rule(rho.numerator, rho.denominator)
    transactions = _encode(session, cells, sensitive)
    found, checked, rows = _search(session, rule, max_knowledge or ANY, limit)
    for name in [name for name in session.relations if name.startswith("check_")]:
        session.give_back(name)
    holds = not found
    return UncertaintyVerdict(holds, _rules(rows), found, checked, transactions)


def _refuse_nonsense(rho: Fraction, max_knowledge: int | None) -> None:
    """A rule that every release keeps, or that BIGINT cannot compare exactly, is no rule."""
    if not 0 <= rho <= 1 or rho.denominator > 10**9:
        raise InputError(f"rho must be a share from 0 to 1 with at most 9 decimals, not {rho}")
    if max_knowledge is not None and max_knowledge < 1:
        raise InputError(f"max_knowledge must be at least 1, not {max_knowledge}")


def _encode(session: Session, cells: exp.Expr, sensitive: exp.Expr) -> int:
    """Number transactions and items; answer how many transactions there are."""
    transactions = session.counted(ask.keys(cells))
    (unkeyed,) = session.one(ask.unkeyed(cells))
    refuse_unkeyed(session, unkeyed)
    session.create(ask.names(cells))
    session.create(ask.occurrences(cells))
    session.create(ask.items(sensitive))
    session.create(ask.holdings())
    session.give_back("check_pair")
    session.create(ask.secrets())
    session.create(ask.told())
    return transactions


def _search(session: Session, rule: ask.Rule, most: int, limit: int) -> tuple[int, int, list[Row]]:
    """Answer how many unsafe rules were found, how many were counted, and the worst."""
    session.create(ask.first_sets())
    _allow_first(session)
    session.create(ask.first_witnesses())
    size = 1
    checked, found = session.row_of(ask.judged(1, rule))
    if most > 1 and not found:
        found = _certain(session, most, rule)
        if found:
            return found, checked + found, session.ask(ask.uncovered(most, limit))
    while size < most and not found and _grows(session, size, rule):
        size += 1
        _grow(session, size)
        rules, found = session.row_of(ask.judged(size, rule))
        checked += rules
    if not found:
        session.create(verdicts.uncertainty(rule.share, most, size))
        return found, checked, []
    return found, checked, session.ask(ask.unsafe(size, rule, limit))


def _certain(session: Session, most: int, rule: ask.Rule) -> int:
    """How many rules whole transactions tell with certainty."""
    session.create(ask.wholes())
    session.create(ask.matches())
    session.create(ask.covers())
    session.give_back("check_match")
    (found,) = session.one(ask.certain(most, rule))
    return int(found)


def _grows(session: Session, size: int, rule: ask.Rule) -> bool:
    """Is there anything that larger sets could tell? Refuse what no disk can hold."""
    session.create(ask.growing(size, rule))
    session.give_back(f"check_witness_{size}")
    (rows,) = session.one(ask.growth(size))
    _allow(session, size + 1, int(rows))
    return bool(rows)


def _allow(session: Session, size: int, rows: int) -> None:
    """Refuse to look at so many transactions, sets of this size and secrets."""
    smaller = f"lower {option('rho')}"
    if size > 1:
        smaller = f"set {option('max_knowledge', size - 1)}, {smaller}"
    cost.allow(session, cost.Outlook(f"rules of {size} known items", rows, rows, smaller))


def _allow_first(session: Session) -> None:
    """The same for single items; counted where it is in doubt."""
    secrets, items = session.told("check_secret"), session.told("check_item")
    if secrets is None or items is None:
        return
    most = secrets * items
    if not cost.fits(session, cost.Outlook("", most, most, "")):
        (most,) = session.one(ask.tellings())
    _allow(session, 1, int(most))


def _grow(session: Session, size: int) -> None:
    session.create(ask.witnesses(size))
    session.create(ask.reached(size))
    session.create(ask.sets(size))
    session.give_back(f"check_growing_{size - 1}")
    if size > 2:
        session.give_back(f"check_reached_{size - 1}")


def _rules(rows: list[Row]) -> tuple[UnsafeRule, ...]:
    """Rows (place, hits, support, secret, item), of each rule one after the other."""
    rules = []
    for (_, hits, support, secret), parts in groupby(rows, key=lambda row: row[:4]):
        known = tuple(str(part[4]) for part in parts)
        rules.append(UnsafeRule(known, str(secret), int(hits), int(support), hits / support))
    return tuple(rules)
