"""Permutation: sensitive items are published per group of transactions, apart from the others.

A group holds each sensitive item in at most a share 1/degree of its transactions. A reader who
finds a transaction by its other items learns its group, and no more than these shares.
The method M of Jia et al., DASFAA 2014, section 4.5: CAHD, a heuristic for a band of transactions
with similar items. `order` and `groups` say where it differs from CAHD.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from setveil.arguments.strict import strict
from setveil.errors import InputError
from setveil.models.permutation.check import GroupsVerdict, check_permutation
from setveil.models.permutation.divergence import pair_divergence
from setveil.models.permutation.groups import Formed, form, refuse_crowded
from setveil.models.permutation.order import put_in_order
from setveil.run.files.parted import PartedRelease, Second
from setveil.run.files.parts import COUNT, GROUP
from setveil.run.persons import note_persons
from setveil.run.reading import Baskets
from setveil.run.release import kept, make_release
from setveil.run.roles.lists import Items, item_numbers
from setveil.run.roles.promise import Promise
from setveil.run.session import Session
from setveil.run.shape import Shape
from setveil.run.words import counted
from setveil.sql import pairs
from setveil.sql.models.permutation import check, group
from setveil.sql.models.permutation import release as sql
from setveil.sql.run import lists
from setveil.sql.run.reading import column, suppressed_items

METHODS = ("cahd",)


@dataclass(frozen=True, slots=True)
class PermutationMetrics:
    """The groups and what they leave of the pairs of a sensitive item and another.

    `pair_divergence` compares the supports of these pairs with those that a reader of the groups
    expects: our reading of Figure 9, in nats. Groups of transactions without other items, which
    have no sensitive items, are not counted.
    """

    transactions: int
    persons: int | None  # None: a group may hold several transactions of a person
    items: int
    occurrences: int
    duplicates: int
    sensitive_items: int
    sensitive_occurrences: int
    groups: int
    smallest_group: int
    largest_group: int
    cuts: int  # times that the order was halved, so that parts are grouped by themselves
    rounds: int
    blank_transactions: int  # without other items
    left_out_occurrences: int  # of sensitive items in them
    pair_divergence: float


@strict
def permutation(
    baskets: Baskets,
    *,
    sensitive: Items,
    degree: int,
    method: str = "cahd",
    ignore_unknown: bool = False,
) -> PartedRelease[PermutationMetrics]:
    """Publish sensitive items per group of transactions; the release has passed the checker.

    UnreachableError: too many transactions hold an item, so that no grouping hides it.
    """
    session = baskets.session
    if method not in METHODS:
        raise InputError(f"method is {METHODS[0]}, not {method!r}")
    shape = parted_shape(baskets.shape, baskets.source.name)
    session.begin()
    note_persons(session, baskets.shape, baskets.persons)
    secret = item_numbers(session, sensitive, "sensitive", ignore_unknown=ignore_unknown)
    session.decide("sensitive_item", "the items that must not be linked to a transaction", secret)
    put_in_order(session)
    persons = baskets.persons is not None
    session.create(group.clashes(persons=persons))
    refuse_crowded(session, degree)
    formed = form(session, degree, blank=baskets.shape.lists, persons=persons)
    for step in (sql.grouping(), sql.held()):
        session.create(step)
    metrics = _metrics(baskets, len(secret), formed, session)
    verdict = _make(baskets, shape, degree)
    _note_left_out(session, metrics)
    return PartedRelease(
        baskets,
        promise=Promise("permutation", {"degree": degree}, {"sensitive": "sensitive_item"}),
        model="permutation",
        parameters={"degree": degree, "method": method},
        verdict=verdict,
        metrics=metrics,
        run=session.runs,
        released=shape,
        second=_second(shape),
    )


def parted_shape(shape: Shape, source: str) -> Shape:
    """The shape of the first relation of the release; columns named like its own are refused."""
    taken = {"transaction": shape.key, "item": shape.item}
    for role, name in taken.items():
        if name is not None and name.casefold() in (GROUP, COUNT):
            raise InputError(
                f"{source}: the {role} column {name!r} has the name of a column that the release "
                "adds: rename it in a query"
            )
    return replace(shape, columns=(*shape.columns, GROUP), group=GROUP)


def _second(shape: Shape) -> Second:
    return Second(sql.SENSITIVE, (GROUP, shape.item, COUNT), (GROUP, shape.number))


def _make(baskets: Baskets, shape: Shape, degree: int) -> GroupsVerdict:
    """Make both relations of the release, and have the checker pass them."""
    session, given = baskets.session, baskets.shape
    session.create(suppressed_items("sensitive_item"))
    session.create(sql.counted(GROUP, given.item, COUNT, given.number))
    place = given.line if given.lists else given.number
    columns = [*dict.fromkeys([*given.columns, place])]
    made = sql.released(kept(baskets), columns, baskets.key, GROUP)
    return make_release(
        baskets,
        made,
        lambda cells: check_permutation(
            session,
            cells,
            check.groups_of("release", baskets.key, column(GROUP)),
            check.counts_of(sql.SENSITIVE, GROUP, given.item, COUNT),
            lists.labels("sensitive_item"),
            degree=degree,
            owners=baskets.owners,
        ),
        shape=shape,
    )


def _metrics(
    baskets: Baskets, sensitive: int, formed: Formed, session: Session
) -> PermutationMetrics:
    sized, smallest, largest, blank, held, left_out = map(int, session.one(sql.sizes()))
    before = pairs.together(sql.secrets(), "plain")
    after = pairs.expected("held", "plain", "grouping")
    return PermutationMetrics(
        transactions=baskets.transactions,
        persons=baskets.persons,
        items=baskets.items,
        occurrences=baskets.occurrences,
        duplicates=baskets.duplicates,
        sensitive_items=sensitive,
        sensitive_occurrences=held,
        groups=sized,
        smallest_group=smallest,
        largest_group=largest,
        cuts=formed.cuts,
        rounds=formed.rounds,
        blank_transactions=blank,
        left_out_occurrences=left_out,
        pair_divergence=pair_divergence(session, before, after),
    )


def _note_left_out(session: Session, metrics: PermutationMetrics) -> None:
    if metrics.left_out_occurrences:
        session.note(
            f"{counted(metrics.blank_transactions, 'transaction')} without other items: no group "
            f"hides that they hold sensitive ones, so {metrics.left_out_occurrences:,} occurrences "
            "of these are left out"
        )
