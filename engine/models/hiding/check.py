"""The checker of hidden patterns.

Beside the original, a release hides patterns when each is held by no more transactions than was
asked, nothing was added, and nothing is gone but items of a restrictive pattern, from transactions
that held all of it. Oliveira and Zaïane, TR 02-13, 2002. The cells (key, name) of both are all
that is read: transactions are matched by the text of their key, and one whose key is gone holds
nothing any more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from sqlglot import exp

from setveil.arguments.near_misses import refuse_near_misses
from setveil.arguments.shares import Share, share
from setveil.errors import CheckError, InputError, SetveilError
from setveil.models.case import Case
from setveil.models.hiding.patterns import Pattern, Patterns, named_patterns
from setveil.run.session import Session
from setveil.sql.models.hiding import check as ask
from setveil.sql.step import decided
from setveil.sql.trail import verdicts


@dataclass(frozen=True, slots=True)
class HiddenPattern:
    """A restrictive pattern: transactions that held it, still do, and are allowed to."""

    items: tuple[str, ...]
    support: int
    remaining: int
    allowed: int

    psi: float  # what was allowed to stay of its support, as a share


@dataclass(frozen=True, slots=True)
class HidingVerdict:
    """What the checker found. `tampered` are items that changed without a reason, worst first."""

    holds: bool
    patterns: tuple[HiddenPattern, ...]  # in the order in which they were given
    disclosed: int  # patterns that more transactions hold than are allowed to
    added: int  # occurrences that the original does not have
    removed: int  # and those that the release does not have
    stray: int  # those removed that no restrictive pattern accounts for
    tampered: tuple[str, ...]
    transactions: int

    @property
    def checked(self) -> int:
        return len(self.patterns)

    def refusal(self) -> SetveilError:
        """There is no reason for a release to be refused but a defect."""
        return CheckError(
            f"the checker refused the release: {self.disclosed} patterns disclosed, "
            f"{self.added} occurrences added, {self.stray} removed without a reason; nothing was "
            "written. This is a defect of setveil: please report it"
        )


@dataclass(frozen=True, slots=True)
class Target:
    """How far patterns are hidden: `psi` of their support stays, or less than `min_support`."""

    psi: Fraction
    min_support: int | None = None

    def allowed(self, pattern: Pattern, support: int) -> int:
        """How many transactions may still hold a pattern of this support."""
        if self.min_support is not None:
            return min(support, self.min_support - 1)
        return int(self.share_of(pattern) * support)

    def share_of(self, pattern: Pattern) -> Fraction:
        return self.psi if pattern.psi is None else pattern.psi

    def condition(self, patterns: Sequence[Pattern]) -> exp.Expr:
        """The same for rows s(pattern, was, stays) of the database."""
        if self.min_support is not None:
            return ask.below(self.min_support)
        shares: dict[Fraction, list[int]] = {}
        for number, one in enumerate(patterns):
            shares.setdefault(self.share_of(one), []).append(number)
        return ask.within({(one.numerator, one.denominator): shares[one] for one in shares})


def target_of(
    patterns: Sequence[Pattern], psi: Share | None = None, min_support: int | None = None
) -> Target:
    """How far to go, as the caller says it: psi of each pattern is above that of the run."""
    if min_support is None:
        return Target(share(0 if psi is None else psi, "psi"))
    if psi is not None or any(one.psi is not None for one in patterns):
        raise InputError("psi and --min-support both say how far patterns are hidden: give one")
    if not isinstance(min_support, int) or min_support < 1:
        raise InputError(f"--min-support is a whole number of at least 1, not {min_support!r}")
    return Target(Fraction(0), min_support)


def judge(
    case: Case,
    *,
    patterns: Patterns,
    psi: Share | None = None,
    min_support: int | None = None,
) -> HidingVerdict:
    """Judge a release beside its original."""
    original = case.original()
    named = named_patterns(case.session, patterns)
    target = target_of(named, psi, min_support)
    return check_hidden(
        case.session, case.cells, original, named, target,
        ignore_unknown=case.ignore_unknown, limit=case.limit,
    )  # fmt: skip


def check_hidden(
    session: Session,
    released: exp.Expr,
    original: exp.Expr,
    patterns: Sequence[Pattern],
    target: Target,
    *,
    ignore_unknown: bool = False,
    limit: int = 20,
) -> HidingVerdict:
    """Judge cells (key, name) beside those they were made from; rows that repeat count once."""
    for name in [name for name in session.relations if name.startswith("check_")]:
        session.drop(name)
    transactions = session.counted(ask.keys(original, released))
    session.create(ask.items(original, released))
    known = _number(session, patterns, ignore_unknown=ignore_unknown)
    session.create(ask.words("check_was", original))
    session.create(ask.words("check_is", released))
    session.create(ask.cohorts("check_cohort", "check_was"))
    session.create(ask.cohorts("check_left", "check_is"))
    session.create(ask.excused())
    session.create(ask.changes())
    added, removed, stray = session.one(ask.totals())
    tampered = session.ask(ask.tampered(limit)) if added or stray else []
    supports = {int(number): counts for number, *counts in session.ask(ask.supports())}
    judged = tuple(
        HiddenPattern(one.names, was, stays, most, most / was if was else 1.0)
        for number, one in enumerate(known)
        for was, stays in [supports.get(number, (0, 0))]
        for most in [target.allowed(one, was)]
    )
    disclosed = sum(one.remaining > one.allowed for one in judged)
    holds = not (disclosed or added or stray)
    if holds:
        session.create(verdicts.hidden(len(known), target.condition(known)))
    for name in [name for name in session.relations if name.startswith("check_")]:
        session.give_back(name)
    return HidingVerdict(
        holds=holds,
        patterns=judged,
        disclosed=disclosed,
        added=added,
        removed=removed,
        stray=stray,
        tampered=tuple(str(label) for label, *_ in tampered),
        transactions=transactions,
    )


def _number(
    session: Session, patterns: Sequence[Pattern], *, ignore_unknown: bool
) -> list[Pattern]:
    """Leave check_pattern(pattern, item); answer the patterns whose items are all known."""
    names = sorted({name for one in patterns for name in one.names})
    session.backend.insert_columns("named", ("name",), [names])
    found = session.look_up(ask.named_items())
    session.forget("named")
    numbers = {name: int(number) for name, number in found}
    unknown = [name for name in names if name not in numbers]
    refuse_near_misses(session, "patterns", unknown, numbers, ask.labels())
    known = [one for one in patterns if numbers.keys() >= set(one.names)]
    if len(known) < len(patterns) and not ignore_unknown:
        [lacking, *_] = [one for one in patterns if one not in known]
        session.refuse(
            InputError(
                f"--patterns: neither the original nor the release holds all items of {lacking}; "
                "mend the pattern, or pass over it with --ignore-unknown"
            )
        )
    rows = [(number, numbers[name]) for number, one in enumerate(known) for name in one.names]
    why = "the items of each restrictive pattern"
    session.create(decided("check_pattern", why, ("pattern", "item"), rows))
    return known
