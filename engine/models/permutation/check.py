"""The checker of permutation.

No sensitive item is held by more than a share 1/degree of a group. None stands among the other
items, and each transaction is in one group. With persons, a group has at most one transaction of
each. Method M of Jia et al., DASFAA 2014, section 4.5. The
checker reads only the two relations of a release and the list of sensitive items.

Every item of the second relation is judged, listed or not.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from setveil.errors import CheckError, InputError, SetveilError
from setveil.models.case import Case
from setveil.models.judged import begin_check, end_check, find_persons, refuse_unkeyed
from setveil.run.results.tabled import Judgement
from setveil.run.roles.lists import Items
from setveil.run.session import Session
from setveil.sql.models.permutation import check as ask
from setveil.sql.trail import verdicts

SLICED = 5  # the kind of a fault: a group is in several slices


@dataclass(frozen=True, slots=True)
class GroupFault:
    """A group with an item that too many of its transactions hold, or another fault.

    An item without a group stands among the other items of `held` transactions. A group without an
    item has `held` transactions of one person, or is in `slices`. Without both, a transaction is in
    `held` groups.
    """

    group: str | None
    item: str | None
    held: int
    size: int  # transactions of the group
    slices: int | None = None  # None: the group is in one slice

    def __str__(self) -> str:
        if self.slices is not None:
            return f"group {self.group} is in {self.slices:,} slices, and must be in one"
        if self.group is not None and self.item is None:
            return f"group {self.group} has {self.held:,} transactions of one person"
        if self.group is not None:
            return (
                f"group {self.group} of {self.size:,} transactions has {self.item!r} {self.held:,} "
                "times"
            )
        if self.item is not None:
            return f"{self.item!r} is published in {self.held:,} transactions themselves"
        return f"a transaction is in {self.held:,} groups"


@dataclass(frozen=True, slots=True, repr=False)
class GroupsVerdict(Judgement):
    """The result. `violations` holds the worst faults, `found` counts all."""

    holds: bool
    violations: tuple[GroupFault, ...]
    found: int
    checked: int  # pairs of a group and an item
    groups: int
    smallest: int  # transactions of the smallest group
    transactions: int
    persons: int | None = None  # None: the check counted transactions alone

    def refusal(self) -> SetveilError:
        """The error for a refused release: always a defect."""
        return CheckError(
            f"the checker refused the release: {self.violations[0]}; nothing was written. This is "
            "a defect of setveil: please report it"
        )


def judge(case: Case, *, sensitive: Items, degree: int) -> GroupsVerdict:
    """Check both relations of a release."""
    parts = case.parts()
    secrets = case.named("sensitive", sensitive)
    return check_permutation(
        case.session,
        case.cells,
        parts.groups,
        parts.counts,
        secrets,
        degree=degree,
        owners=case.owners,
        slices=parts.slices,
        limit=case.limit,
    )


def check_permutation(
    session: Session,
    cells: exp.Expr,
    groups: exp.Expr,
    counts: exp.Expr,
    sensitive: exp.Expr,
    *,
    degree: int,
    owners: exp.Expr | None = None,
    slices: exp.Expr | None = None,
    limit: int = 20,
) -> GroupsVerdict:
    """Check cells (key, name), groups (key, number), counts (number, name, held) and labels.

    With `owners` (key, person), a group also has at most one transaction of a person. With `slices`
    (number, slice), each group is in one slice, so the verdict is on each slice too.
    """
    if degree < 2:
        raise InputError(f"degree is a whole number of at least 2, not {degree}")
    begin_check(session)
    (unkeyed,) = session.one(ask.unkeyed(cells))
    refuse_unkeyed(session, unkeyed)
    persons = find_persons(session, cells, owners)
    for step in (
        ask.members(groups),
        ask.sizes(),
        ask.counts(counts),
        ask.faults(cells, sensitive, degree, persons=persons is not None, slices=slices),
    ):
        session.create(step)
    found, checked, sized, smallest, transactions = map(int, session.one(ask.summary()))
    rows = session.ask(ask.worst(limit)) if found else []
    if not found:
        session.create(verdicts.permutation(degree))
    end_check(session)
    faults = tuple(
        GroupFault(group, item, int(held), int(size), int(held) if kind == SLICED else None)
        for kind, group, item, held, size in rows
    )
    people = None if persons is None else persons.persons
    return GroupsVerdict(not found, faults, found, checked, sized, smallest, transactions, people)
