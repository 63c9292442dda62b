"""The checker of rho-uncertainty.

A release is rho-uncertain if, among transactions that hold any given items, at most a share rho
holds any one further sensitive item. Jia, Pan, Hu, Xie, Xu, Zhu, Lo: rho-uncertainty anonymization
by partial suppression, DASFAA 2014. The checker reads only the cells (key, name) of a release and
the list of sensitive items.

Rules with one known item are counted first. Then whole transactions are compared: if every
transaction with the rest of one also holds its sensitive item, that rule is certain. Then sets of
known items grow. An item is skipped if it does not narrow the cohort. A set is neither counted nor
extended if the counts of whole transactions prove it and all larger sets safe. In large data, some
of these counts are made among a part of the transactions: they prove less, and nothing wrong.

With persons, every rule is also counted in persons: those with a transaction that holds all its
items, divided by those with a transaction that holds the known items. A person who holds the known
items without the secret may hold both in another transaction. So only persons who never hold the
secret beside another item prove larger sets safe.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby

from sqlglot import exp

from setveil.arguments.shares import Share, share
from setveil.backends import Row
from setveil.errors import CheckError, InputError, SetveilError, option
from setveil.models.case import Case
from setveil.models.judged import begin_check, end_check, find_persons, refuse_unkeyed
from setveil.run import cost
from setveil.run.results.tabled import Judgement
from setveil.run.roles.lists import Items
from setveil.run.session import Session
from setveil.sql.models.uncertainty import check as ask
from setveil.sql.models.uncertainty import check_persons as people
from setveil.sql.trail import verdicts

LARGE = 1_000_000  # occurrences: with fewer, no question pays off
SOME = 65_536  # transactions that are searched for some covers, where all would take too long
TURN = 30_000_000  # items that are looked up in one statement
ANY = 2**31 - 1  # more items than any transaction holds


@dataclass(frozen=True, slots=True)
class UnsafeRule:
    """An unsafe rule, known -> secret: an attacker who knows the items infers the secret.

    Where persons are counted, one of both shares is above rho.
    """

    known: tuple[str, ...]  # names as text, in order
    secret: str
    support: int  # transactions that hold the known items and the secret
    of: int  # transactions that hold the known items
    confidence: float
    persons: int | None = None  # persons with a transaction that holds all of them
    of_persons: int | None = None  # persons with a transaction that holds the known items
    confidence_in_persons: float | None = None


@dataclass(frozen=True, slots=True, repr=False)
class UncertaintyVerdict(Judgement):
    """The result. `violations` holds the worst rules: fewest known items, then highest confidence.

    The search ends at the first size with unsafe rules, and `found` counts these: all with one
    known item; if there are none, the certain rules of whole transactions; then those of the fewest
    items.
    """

    holds: bool
    violations: tuple[UnsafeRule, ...]
    found: int
    checked: int  # rules that were counted; these counts prove the other rules safe
    transactions: int
    persons: int | None = None  # None: transactions were counted, not persons

    def refusal(self) -> SetveilError:
        """The error for a refused release: always a defect."""
        worst = self.violations[0]
        owned = (
            ""
            if worst.of_persons is None
            else f", of {worst.persons:,} of {worst.of_persons:,} persons"
        )
        return CheckError(
            f"the checker refused the release: {worst.secret} is in {worst.support:,} of the "
            f"{worst.of:,} transactions with {', '.join(worst.known)}{owned}; nothing was written. "
            "This is a defect of setveil: please report it"
        )


def judge(
    case: Case, *, sensitive: Items, rho: Share, max_knowledge: int | None = None
) -> UncertaintyVerdict:
    """Check the rules of a release."""
    exact = share(rho, "rho")
    secrets = case.named("sensitive", sensitive)
    return check_uncertainty(
        case.session,
        case.cells,
        secrets,
        rho=exact,
        max_knowledge=max_knowledge,
        limit=case.limit,
        owners=case.owners,
    )


def check_uncertainty(
    session: Session,
    cells: exp.Expr,
    sensitive: exp.Expr,
    *,
    rho: Fraction,
    max_knowledge: int | None = None,
    limit: int = 20,
    owners: exp.Expr | None = None,
) -> UncertaintyVerdict:
    """Check cells (key, name). Repeated rows count once; a NULL name marks an empty transaction.

    `sensitive` has rows (label), names as text; names that the release lacks are skipped. `owners`
    has rows (key, person), if persons are counted too.
    """
    _refuse_nonsense(rho, max_knowledge)
    begin_check(session)
    persons = find_persons(session, cells, owners)
    rule = ask.Rule(rho.numerator, rho.denominator, persons is not None)
    transactions = _encode(session, cells, sensitive, rule.persons)
    found, checked, rows = _search(session, rule, max_knowledge or ANY, limit)
    end_check(session)
    return UncertaintyVerdict(
        holds=not found,
        violations=_unsafe_rules(rows, rule.persons),
        found=found,
        checked=checked,
        transactions=transactions,
        persons=None if persons is None else persons.persons,
    )


def _refuse_nonsense(rho: Fraction, max_knowledge: int | None) -> None:
    """Refuse parameters that every release keeps, or that BIGINT cannot compare exactly."""
    if not 0 <= rho <= 1 or rho.denominator > 10**9:
        raise InputError(f"rho must be a share from 0 to 1 with at most 9 decimals, not {rho}")
    if max_knowledge is not None and max_knowledge < 1:
        raise InputError(f"max_knowledge must be at least 1, not {max_knowledge}")


def _encode(session: Session, cells: exp.Expr, sensitive: exp.Expr, persons: bool) -> int:
    """Number transactions and items; return the number of transactions."""
    transactions = session.counted(ask.keys(cells))
    (unkeyed,) = session.one(ask.unkeyed(cells))
    refuse_unkeyed(session, unkeyed)
    if persons:
        session.create(people.people())
    session.create(ask.names(cells))
    session.create(ask.occurrences(cells), compact=False)
    session.create(ask.items(sensitive))
    session.create(ask.holdings(persons=persons))
    session.give_back("check_pair")
    session.create(ask.secrets())
    session.create(ask.told())
    return transactions


def _search(session: Session, rule: ask.Rule, most: int, limit: int) -> tuple[int, int, list[Row]]:
    """Return the number of unsafe rules, the number of counted rules, and the worst rules."""
    session.create(ask.first_sets(persons=rule.persons))
    _allow_first(session)
    session.create(ask.first_witnesses())
    size = 1
    checked, found = session.row_of(ask.judged(1, rule))
    if most > 1 and not found:
        found = _certain(session, most, rule)
        if found:
            return (
                found,
                checked + found,
                session.ask(ask.uncovered(most, limit, persons=rule.persons)),
            )
    while size < most and not found and _grows(session, size, rule):
        size += 1
        _grow(session, size, rule)
        rules, found = session.row_of(ask.judged(size, rule))
        checked += rules
    if not found:
        session.create(verdicts.uncertainty(rule.share, most, size, persons=rule.persons))
        return found, checked, []
    return found, checked, session.ask(ask.unsafe(size, rule, limit))


def _certain(session: Session, most: int, rule: ask.Rule) -> int:
    """The number of rules of whole transactions that are certain."""
    step = (session.told("check_key") or 0) // SOME + 1
    session.create(ask.wholes(step))
    session.create(ask.matches(step))
    session.create(ask.covers(persons=rule.persons))
    session.give_back("check_match")
    (found,) = session.one(ask.certain(most, rule))
    return int(found)


def _grows(session: Session, size: int, rule: ask.Rule) -> bool:
    """Can a larger set be unsafe? Refuse the search if its rows do not fit on the disk."""
    session.create(ask.growing(size, rule))
    session.give_back(f"check_witness_{size}")
    (rows,) = session.one(ask.growth(size))
    _allow(session, size + 1, int(rows))
    return bool(rows)


def _allow(session: Session, size: int, rows: int) -> None:
    """Refuse too many rows of transaction, set of this size and sensitive item."""
    smaller = f"lower {option('rho')}"
    if size > 1:
        smaller = f"set {option('max_knowledge', size - 1)}, {smaller}"
    cost.allow(session, cost.Outlook(f"rules of {size} known items", rows, rows, smaller))


def _allow_first(session: Session) -> None:
    """Refuse too many rows for single known items, after a count where in doubt."""
    secrets, items = session.told("check_secret"), session.told("check_item")
    if secrets is None or items is None:
        return
    most = secrets * items
    if not cost.fits(session, cost.Outlook("", most, most, "")):
        (most,) = session.one(ask.tellings())
    _allow(session, 1, int(most))


def _grow(session: Session, size: int, rule: ask.Rule) -> None:
    persons = rule.persons
    session.create(ask.witnesses(size, rule))
    within, (first, *turns) = _ways(session, size)
    session.create(ask.reached(size, persons=persons, within=within, turn=first), compact=False)
    for turn in turns:
        session.append(ask.reached(size, persons=persons, within=within, turn=turn))
    session.create(ask.sets(size, persons=persons))
    session.give_back(f"check_growing_{size - 1}")
    if size > 2:
        session.give_back(f"check_reached_{size - 1}")


def _ways(session: Session, size: int) -> tuple[bool, list[range | None]]:
    """Do holders list their own items sooner than each set looks for its last item? In turns?"""
    held, transactions = session.told("check_held"), session.told("check_key")
    if not held or not transactions or held < LARGE:
        return False, [None]
    each, once = map(int, session.one(ask.work(size)))
    listed = once * held // transactions
    return listed < each, _turns(transactions, min(each, listed))


def _turns(transactions: int, looked_up: int) -> list[range | None]:
    """The numbers of transactions of each turn; None stands for all of them."""
    if looked_up <= TURN:
        return [None]
    width = -(-transactions // -(-looked_up // TURN))
    return [range(first, first + width) for first in range(0, transactions, width)]


def _unsafe_rules(rows: list[Row], persons: bool) -> tuple[UnsafeRule, ...]:
    """Group rows (place, hits, support, …, secret, item) to rules; those of a rule are adjacent."""
    rules = []
    for (_, hits, support, *both, secret), parts in groupby(rows, key=lambda row: row[:-1]):
        known = tuple(str(part[-1]) for part in parts)
        rule = UnsafeRule(known, str(secret), int(hits), int(support), hits / support)
        if persons:
            held, of = map(int, both)
            rule = replace(rule, persons=held, of_persons=of, confidence_in_persons=held / of)
        rules.append(rule)
    return tuple(rules)
