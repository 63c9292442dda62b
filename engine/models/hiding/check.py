"""The checker of hidden patterns.

A release hides patterns if no more transactions hold each pattern than allowed. Nothing may be
added to the original. Suppressed items must belong to a restrictive pattern that their transaction
held. Oliveira and Zaïane, TR 02-13, 2002. The checker reads only the cells (key, name) of release
and original. Transactions are matched by the text of their key; one without its key is empty.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any

from sqlglot import exp

from setveil.arguments.shares import Share, share
from setveil.errors import CheckError, InputError, SetveilError
from setveil.models.case import Case
from setveil.models.hiding.patterns import Patterns, named_patterns
from setveil.models.judged import begin_check, end_check
from setveil.run.results.tabled import Judgement
from setveil.run.roles.near_misses import refuse_near_misses
from setveil.run.roles.promise import Pattern
from setveil.run.session import Session
from setveil.sql.models.hiding import check as ask
from setveil.sql.step import decided
from setveil.sql.trail import verdicts


@dataclass(frozen=True, slots=True)
class HiddenPattern:
    """A restrictive pattern: its support in the original, in the release, and the allowed one."""

    items: tuple[str, ...]
    support: int
    remaining: int
    allowed: int

    psi: float  # the allowed share of its support


@dataclass(frozen=True, slots=True, repr=False)
class HidingVerdict(Judgement):
    """The result. `tampered` are items that changed for no pattern, worst first."""

    holds: bool
    patterns: tuple[HiddenPattern, ...]  # in the order in which they were given
    disclosed: int  # patterns in more transactions than allowed
    added: int  # occurrences that the original lacks
    removed: int  # occurrences that the release lacks
    stray: int  # removed occurrences that belong to no restrictive pattern
    tampered: tuple[str, ...]
    transactions: int

    @property
    def checked(self) -> int:
        return len(self.patterns)

    def records(self) -> list[dict[str, Any]]:
        """The patterns, each with its support before and after."""
        return [asdict(one) for one in self.patterns]

    def refusal(self) -> SetveilError:
        """The error for a refused release: always a defect."""
        return CheckError(
            f"the checker refused the release: {self.disclosed} patterns disclosed, "
            f"{self.added} occurrences added, {self.stray} removed without a reason; nothing was "
            "written. This is a defect of setveil: please report it"
        )


@dataclass(frozen=True, slots=True)
class Target:
    """The limit for patterns: a share `psi` of their support, or less than `min_support`."""

    psi: Fraction
    min_support: int | None = None

    def allowed(self, pattern: Pattern, support: int) -> int:
        """The number of transactions that may still hold a pattern of this support."""
        if self.min_support is not None:
            return min(support, self.min_support - 1)
        return int(self.share_of(pattern) * support)

    def share_of(self, pattern: Pattern) -> Fraction:
        return self.psi if pattern.psi is None else pattern.psi

    def condition(self, patterns: Sequence[Pattern]) -> exp.Expr:
        """The condition that rows s(pattern, was, stays) keep the limit."""
        if self.min_support is not None:
            return ask.below(self.min_support)
        shares: dict[Fraction, list[int]] = {}
        for number, one in enumerate(patterns):
            shares.setdefault(self.share_of(one), []).append(number)
        return ask.within({(one.numerator, one.denominator): shares[one] for one in shares})


def target_of(
    patterns: Sequence[Pattern], psi: Share | None = None, min_support: int | None = None
) -> Target:
    """The limit from the caller's parameters; a pattern's own psi overrides the psi of the run."""
    if min_support is None:
        return Target(share(0 if psi is None else psi, "psi"))
    if psi is not None or any(one.psi is not None for one in patterns):
        raise InputError("psi and --min-support both limit the support of patterns: give one")
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
    """Check a release against its original."""
    original = case.original()
    named = named_patterns(case.session, patterns)
    target = target_of(named, psi, min_support)
    return check_hidden(
        case.session,
        case.cells,
        original,
        named,
        target,
        ignore_unknown=case.ignore_unknown,
        limit=case.limit,
    )


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
    """Check cells (key, name) against those of the original; repeated rows count once."""
    begin_check(session)
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
    end_check(session)
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
    """Make check_pattern(pattern, item); return the patterns whose items are all known."""
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
                "correct the pattern, or skip it with --ignore-unknown"
            )
        )
    rows = [(number, numbers[name]) for number, one in enumerate(known) for name in one.names]
    why = "the items of each restrictive pattern"
    session.create(decided("check_pattern", why, ("pattern", "item"), rows))
    return known
