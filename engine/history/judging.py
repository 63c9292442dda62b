"""Judge every set of releases by the checker of a model.

A set S of releases divides transactions into groups: those in exactly the same releases of S. Each
group must keep the promise by what S shows of it. Groups are judged many at a time, and if a
release has slices, slice by slice too.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlglot import exp

from setveil.arguments.shares import Share
from setveil.arguments.strict import checked, strict
from setveil.backends import Row
from setveil.errors import CheckError, InputError
from setveil.history.apart import judge_apart
from setveil.history.exposing import find_exposed, find_names
from setveil.history.groups import Group, groups
from setveil.history.joining import Joint
from setveil.history.reading import Reading, Together, join_nodes, number, read_others
from setveil.history.told import Broken, HistoryVerdict, by_part, named, numbers
from setveil.models import REGISTRY
from setveil.models.case import Case
from setveil.models.coherence.promise import promised
from setveil.models.model import NEEDED, Joined, Model
from setveil.run.notes import NOT_JUDGED_TOGETHER
from setveil.run.reading import Baskets
from setveil.run.roles.lists import Items, item_numbers
from setveil.run.roles.matching import BY_ID, TRUSTED
from setveil.run.session import Session
from setveil.sql.history import joint as ask
from setveil.sql.run import lists
from setveil.verify import PersonsOf, beside, owners_from

LISTED = 20_000  # violations whose transactions are counted
CELLS = 4_000_000  # of the groups that are judged at a time


@strict
def history(
    model: str,
    given: Baskets,
    *others: str | Path,
    level: str | None = None,
    hierarchy: str | Path | None = None,
    keys: Sequence[str | Path | None] = (),
    drop_nulls: bool = False,
    ignore_unknown: bool = False,
    limit: int = 20,
    persons: PersonsOf | None = None,
    whole: bool = True,
    original: str | Path | None = None,
    original_database: str | Path | None = None,
    **promise: Any,
) -> HistoryVerdict:
    """Judge releases together: `given`, and others beside it, by all that they show.

    Without `whole` only slices are judged, each by itself. A promise of one release is judged for
    each, with transactions of the `original` that it has, if no transaction is in two.
    """
    known = REGISTRY[model]
    if whole:
        given.session.note(NOT_JUDGED_TOGETHER)
    terms, how = _checked(known, promise), Reading(keys, drop_nulls)
    if known.joined is None:
        more: dict[str, Any] = {"ignore_unknown": ignore_unknown}
        if known.beside_original:
            more |= {"original": original, "original_database": original_database, "part": True}
        return judge_apart(known, given, others, how, terms, persons=persons, limit=limit, **more)
    with contextlib.ExitStack() as runs:
        releases = read_others(runs, given, others, how)
        if persons is None and any(one.restored for one in releases):
            given.session.note(TRUSTED)
        if len(releases) > 1 and not all(one.restored for one in releases):
            given.session.chat(BY_ID)
        owners = (
            None
            if persons is None
            else beside(given, owners_from(given, persons, *releases[1:], level=level))
        )
        of_nodes = known.judges_nodes
        together = number(runs, releases, of_nodes=of_nodes, level=level, owners=owners)
        roles = _roles_by_name(together.session, ignore_unknown=ignore_unknown)
        return judge_together(
            together, known, terms, roles, hierarchy=hierarchy, limit=limit, whole=whole
        )


def joined_of(model: Model) -> Joined:
    """How releases are judged together by this model; an error if it has no such promise."""
    if model.joined is None:
        raise InputError(
            f"{model.name} has no promise over several releases: let no transaction be in two of "
            "them, and verify each by itself"
        )
    return model.joined


@dataclass(frozen=True, slots=True)
class Roles:
    """Queries for the items that a promise names, as those of a `Case`, by the names of items."""

    named: Callable[[str, Items], exp.Expr]
    roles: Callable[[int, int, Share | None, Items, Items | None], exp.Expr]


def judge_together(
    together: Together,
    model: Model,
    terms: dict[str, Any],
    roles: Roles,
    *,
    hierarchy: str | Path | None = None,
    limit: int = 20,
    whole: bool = True,
) -> HistoryVerdict:
    """Judge releases in numbers by a promise whose parameters are `terms`."""
    how = joined_of(model)
    tuples = together.levels and together.overlap and not how.twins
    if tuples:
        join_nodes(together, hierarchy)
    joint = Joint(together, how.twins, how.empty, tuples)
    return _History(joint, model, how, terms, roles, limit).verdict(whole=whole)


def _roles_by_name(session: Session, *, ignore_unknown: bool) -> Roles:
    """The roles that lists and conditions give to items of these releases."""

    def named(option: str, items: Items) -> exp.Expr:
        relation = f"{option}_item"
        if relation not in session.relations:
            found = item_numbers(
                session, items, option, ignore_unknown=ignore_unknown, released=True
            )
            session.decide(relation, f"the items that --{option} names", found)
        return lists.labels(relation)

    def roles(k: int, p: int, h: Share | None, private: Items, public: Items | None) -> exp.Expr:
        if "private_item" not in session.relations:
            promised(
                session, k, p, h, private, public, ignore_unknown=ignore_unknown, released=True
            )
        return lists.roles()

    return Roles(named, roles)


def _checked(model: Model, promise: dict[str, Any]) -> dict[str, Any]:
    """The parameters of a promise, each as strict as in the typed functions."""
    model.refuse_lacking(promise, "--history")
    terms = {}
    for one in model.promise:
        if promise.get(one.name) is not None:
            default = None if one.default is NEEDED else one.default
            terms[one.name] = checked(model.name, one.name, promise[one.name], default)
    return terms


@dataclass(slots=True)
class _History:
    """Releases in numbers, and the promise that every set of them must keep."""

    joint: Joint
    model: Model
    how: Joined
    terms: dict[str, Any]
    roles: Roles
    limit: int
    judged: int = 0

    @property
    def together(self) -> Together:
        return self.joint.together

    @property
    def session(self) -> Session:
        return self.together.session

    def verdict(self, *, whole: bool) -> HistoryVerdict:
        """Judge all groups as a `whole`, and those of releases with slices slice by slice."""
        present = self.together.present
        broken: list[Broken] = []
        every = groups([one.presence for one in present])
        for batch in self._batches(every if whole else []):
            broken += self._judge(batch, sliced=False)
        sliced = set(self.together.sliced)
        for batch in self._batches([one for one in every if sliced & set(one.shown)]):
            broken += self._judge(batch, sliced=True)
        return HistoryVerdict(
            self.model.name,
            not broken,
            self.together.names,
            self.judged,
            sum(one.transactions for one in present),
            self.together.persons,
            tuple(broken),
            self.together.statements,
        )

    def _batches(self, every: Sequence[Group]) -> Iterator[list[Group]]:
        """Groups with not too many cells in all, to be judged at once."""
        cells = {one.presence: one.cells + one.transactions for one in self.together.present}
        batch: list[Group] = []
        rows = 0
        for one in every:
            own = sum(cells[presence] for presence in one.presences)
            if batch and rows + own > CELLS:
                yield batch
                batch, rows = [], 0
            batch.append(one)
            rows += own
        if batch:
            yield batch

    def _judge(self, batch: Sequence[Group], *, sliced: bool) -> list[Broken]:
        """The broken parts of these groups.

        A checker may stop early, or list some violations only. So the parts of which it listed one
        are left out, and the others are judged again, until they hold. If all parts together break
        the promise for an attacker who knows nothing, each is judged alone.
        """
        parts = range(self.joint.choose(batch, sliced=sliced))
        self.judged += len(parts)
        broken: list[Broken] = []
        turns: list[Sequence[int]] = [parts]
        while turns:
            turn = turns.pop()
            self.joint.keep(turn, sliced=sliced)
            verdict = self._check()
            if verdict.holds:
                continue
            if len(turn) > 1 and not all(map(numbers, verdict.violations)):
                turns += [[one] for one in turn]
                continue
            listed = by_part(verdict.violations, turn[0])
            if not set(listed) <= set(turn):
                raise CheckError(
                    "a checker named transactions that it was not given. This is a defect of "
                    "setveil: please report it"
                )
            complete = self.how.all_sizes and len(verdict.violations) == verdict.found
            broken += self._told(batch, listed, sliced=sliced, complete=complete)
            if rest := [one for one in turn if one not in listed]:
                turns.append(rest)
        return broken

    def _check(self) -> Any:
        """The verdict of the model's checker on all parts."""
        case = Case(
            session=self.session,
            cells=exp.to_table("history_cell"),
            owners=None if self.together.persons is None else ask.owner_rows(),
            named=lambda option, items: ask.label_rows(
                self.roles.named(option, items), self.joint.nodes
            ),
            roles=lambda *given: ask.roles(
                self.roles.roles(*given), self.joint.nodes, twins=self.how.twins
            ),
            limit=LISTED,
        )
        return self.model.judge(case, **self.terms)

    def _told(
        self, batch: Sequence[Group], listed: dict[int, list[Any]], *, sliced: bool, complete: bool
    ) -> list[Broken]:
        """The broken parts, with their worst violations and the number of those exposed."""
        together, persons = self.together, self.together.persons is not None
        exposed = find_exposed(
            self.session, listed, k=self.terms.get("k"), twins=self.how.twins, persons=persons
        )
        worst = {part: some[: self.limit] for part, some in listed.items()}
        every = [one for some in worst.values() for one in some]
        name = find_names(together, every, twins=self.how.twins, tuples=self.joint.tuples)
        found = []
        for row in self.session.ask(ask.parts(persons=persons, sliced=sliced)):
            size = _Size.of(row, persons=persons, sliced=sliced)
            if size.part in listed:
                group, some = batch[size.group_no], listed[size.part]
                found.append(
                    Broken(
                        shown=tuple(together.names[one] for one in group.shown),
                        lacking=tuple(together.names[one] for one in group.lacking),
                        slices=size.slices,
                        transactions=size.transactions,
                        persons=size.persons,
                        exposed=exposed[size.part][0],
                        exposed_persons=exposed[size.part][1],
                        found=len(some),
                        complete=complete,
                        violations=tuple(named(one, name) for one in worst[size.part]),
                    )
                )
        return found


@dataclass(frozen=True, slots=True)
class _Size:
    """A part, its group, and the numbers of its transactions and persons."""

    part: int
    group_no: int
    transactions: int
    persons: int | None
    slices: str | None

    @classmethod
    def of(cls, row: Row, *, persons: bool, sliced: bool) -> _Size:
        """Read a row of `parts`."""
        part, group_no, transactions, *more = row
        return cls(
            int(part),
            int(group_no),
            int(transactions),
            int(more[0]) if persons else None,
            str(more[-1]) if sliced else None,
        )
