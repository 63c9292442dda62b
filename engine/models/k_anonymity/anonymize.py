"""k-anonymity by top-down local generalization ("Partition").

A release is k-anonymous if every transaction has k - 1 twins: others with the same set of nodes. A
node is a level and a label. All transactions start as one partition, generalized to the root. Each
partition expands the node with the largest gain. Transactions with equal children are a new
partition; groups of fewer than k are a leftover that keeps the node.
He, Naughton: Anonymization of set-valued data via top-down, local generalization, VLDB 2009.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from sqlglot import exp

from setveil.arguments.strict import strict
from setveil.errors import InputError, UnreachableError
from setveil.hierarchy.recode import (
    GeneralizationLoss,
    LevelLoss,
    generalized,
    loss_of,
    refuse_carried,
)
from setveil.hierarchy.trees import read_hierarchy
from setveil.models.k_anonymity import refine as refinement
from setveil.models.k_anonymity.check import Verdict, check_k_anonymity
from setveil.run.persons import note_persons
from setveil.run.reading import Baskets, cells_of
from setveil.run.release import Release, make_release
from setveil.run.roles.keys import with_key
from setveil.run.roles.promise import Promise
from setveil.run.session import Session
from setveil.run.shape import LEVEL, Shape
from setveil.run.words import counted
from setveil.sql.models.k_anonymity import anonymize as sql
from setveil.sql.models.k_anonymity import persons as of_persons
from setveil.sql.models.k_anonymity import refine as more_sql
from setveil.sql.step import Step

NOTHING = GeneralizationLoss(0.0, (), ())


@dataclass(frozen=True, slots=True)
class KAnonymityMetrics:
    """The loss and the classes. `ncp` is the normalized certainty penalty, a share from 0 to 1.

    A leftover is a group of transactions that keep a node, since an expansion would make a class
    of fewer than k, in transactions or in persons. A `refined` release has no leftovers.
    """

    transactions: int
    items: int
    occurrences: int
    duplicates: int
    persons: int | None  # None: transactions are counted
    ncp: float
    information_lost: float | None  # of all bits; None if the source was generalized already
    ncp_by_level: tuple[LevelLoss, ...]
    generalized_occurrences: int
    rounds: int
    partitions: int  # classes of twins
    smallest_partition: int
    fewest_persons: int | None  # persons of the class with the fewest persons
    discernibility: int  # the sum over transactions of the sizes of their classes
    leftovers: int
    leftover_transactions: int
    largest_leftover: int
    refined: bool
    unchanged: bool  # True if the source was such a release already


@dataclass(frozen=True, slots=True)
class _Search:
    """The counters of the search for partitions."""

    rounds: int = 0
    leftovers: int = 0
    moved: int = 0
    largest: int = 0
    refined: bool = False


@strict
def k_anonymity(
    baskets: Baskets,
    *,
    k: int,
    hierarchy: str | Path | None = None,
    fanout: int | None = None,
    refine: bool = False,
) -> Release[KAnonymityMetrics]:
    """Generalize items in single transactions; the release has passed the checker.

    If the transactions were read with persons, every class of twins is of at least k persons.

    The hierarchy is a file or relation, or an even one of this fan-out over the sorted items.
    UnreachableError: there are too few transactions or persons. A source with a column `level`
    that keeps the promise already is not changed. `refine` takes longer to lose less; a node can
    then be published beside an ancestor that covers other items of the transaction.
    """
    session = baskets.session
    if k < 1:
        raise InputError(f"k is a whole number of at least 1, not {k}")
    refuse_carried(baskets.shape)
    session.begin()
    note_persons(session, baskets.shape, baskets.persons)
    if released := released_shape(baskets):
        return _unchanged(baskets, released, k)
    found = read_hierarchy(baskets, hierarchy, fanout)
    _refuse_unreachable(baskets, k)
    search = recode(session, k, refine=refine, persons=baskets.persons is not None)
    loss = loss_of(baskets, found)
    made, shape = generalized(baskets)
    verdict = make_release(baskets, made, partial(_check, baskets, k), shape=shape)
    parameters: dict[str, object] = {
        "k": k,
        "hierarchy": None if hierarchy is None else str(hierarchy),
        "fanout": fanout,
        "refine": refine,
    }
    return Release(
        baskets,
        promise=Promise("k-anonymity", {"k": k}),
        model="k-anonymity",
        parameters=parameters,
        verdict=verdict,
        metrics=_metrics(baskets, loss, search, verdict),
        run=session.runs,
        released=shape,
    )


def _check(baskets: Baskets, k: int, cells: exp.Expr) -> Verdict:
    return check_k_anonymity(baskets.session, cells, owners=baskets.owners, k=k, levels=True)


def released_shape(baskets: Baskets) -> Shape | None:
    """The shape of a source that is a generalized release: it has a column of levels."""
    shape, session = baskets.shape, baskets.session
    if LEVEL not in shape.beside:
        return None
    kind = session.backend.columns_of(exp.to_table("source")).get(LEVEL)
    wanted = ("list integer", "list bigint") if shape.lists else ("integer", "bigint")
    if kind not in wanted:
        return None
    columns = with_key(shape, (n for n in shape.given if n == LEVEL or n in shape.shown))
    return replace(shape, columns=columns, level=LEVEL)


def _unchanged(baskets: Baskets, shape: Shape, k: int) -> Release[KAnonymityMetrics]:
    """Release a generalized source unchanged, or refuse it: its nodes are no items."""
    session = baskets.session
    cells = cells_of(session, shape, "source")
    given = _check(baskets, k, cells)
    if not given.holds:
        raise InputError(
            f"{baskets.source.name} has a column {LEVEL!r} like a generalized release, and is not "
            f"{k}-anonymous{_in_persons(baskets)}: start from the original data (or, if {LEVEL!r} "
            "is no level of a hierarchy, leave that column out)"
        )
    session.chat(
        f"{baskets.source.name} is {k}-anonymous{_in_persons(baskets)} already: nothing is "
        "generalized"
    )
    made = sql.as_given(
        shape.columns,
        shape.item,
        baskets.key,
        LEVEL,
        None if shape.lists else shape.number,
        shape.line,
    )
    verdict = make_release(baskets, made, partial(_check, baskets, k), shape=shape)
    metrics = _metrics(baskets, NOTHING, _Search(), verdict, unchanged=True)
    parameters: dict[str, object] = {"k": k, "hierarchy": None, "fanout": None, "refine": False}
    return Release(
        baskets,
        "k-anonymity",
        parameters,
        verdict,
        metrics,
        session.runs,
        shape,
        Promise("k-anonymity", {"k": k}),
    )


def _in_persons(baskets: Baskets) -> str:
    return "" if baskets.persons is None else " in persons"


def _refuse_unreachable(baskets: Baskets, k: int) -> None:
    """Refuse too few transactions: at the root, all with items are twins, and all without."""
    session = baskets.session
    if not baskets.transactions:
        return
    for count, what, apart in _apart(baskets):
        if 0 < count < k:
            session.refuse(
                UnreachableError(
                    f"{baskets.source.name} has {counted(count, what)}{apart}, fewer than "
                    f"k = {k}: no release can give them k - 1 twins; lower k"
                    + (", or leave them out" if apart else "")
                )
            )


def _apart(baskets: Baskets) -> tuple[tuple[int, str, str], ...]:
    """The transactions or persons: all, those without items and those with items, with words."""
    if baskets.persons is None:
        (empty,) = baskets.session.one(sql.empty_transactions())
        return (
            (baskets.transactions, "transaction", ""),
            (empty, "transaction", " without items"),
            (baskets.transactions - empty, "transaction", " with items"),
        )
    without, having = baskets.session.one(of_persons.persons_of_kinds())
    return (
        (baskets.persons, "person", ""),
        (without, "person", " of transactions without items"),
        (having, "person", " of transactions with items"),
    )


def recode(session: Session, k: int, *, refine: bool, persons: bool = False) -> _Search:
    """Make `recoded` by the greedy search or, with `refine`, by the search that loses less."""
    branches = prepare(session)
    rounds = expand(session, k, persons=persons)
    if refine:
        more = refinement.refine(session, k, branches, persons=persons)
        refined, greedy = session.one(more_sql.costs())
        if refined < greedy:
            session.create(more_sql.recoded())
            return _Search(more, refined=True)
    session.create(sql.recoded())
    return _Search(rounds, *session.one(sql.leftovers()))


def prepare(session: Session) -> int:
    """Make the relations of both searches; return the number of nodes that can be expanded."""
    for step in (sql.branches(), sql.descents(), sql.slots()):
        session.create(step)
    children, branches = session.one(sql.widest())
    session.create(sql.held(int(children), int(branches)))
    return int(branches)


def expand(session: Session, k: int, *, persons: bool = False) -> int:
    """Make `closed` by the paper's greedy algorithm; return the number of rounds."""
    session.create(sql.closed())
    number, left = 1, session.counted(sql.opened())
    while left:
        left = _round(session, number, k, _divided_by_persons if persons else _divided)
        number += 1
    session.give_back("held")
    return number - 1


def _divided(number: int, k: int) -> tuple[Step, ...]:
    """The steps that give the transactions of each partition to buckets and a leftover."""
    return (
        sql.picked(number, k),
        sql.split(number),
        sql.buckets(number, k),
        sql.drawn(number),
        sql.moved(number),
    )


def _divided_by_persons(number: int, k: int) -> tuple[Step, ...]:
    """The steps that do so where each bucket and leftover needs k persons."""
    return (
        of_persons.crowds(number),
        of_persons.picked(number, k),
        sql.split(number),
        of_persons.shares(number),
        of_persons.sizes(number),
        of_persons.lacks(number, k),
        of_persons.givers(number, k),
        of_persons.fills(number, k),
        of_persons.buckets(number, k),
        of_persons.drawn(number),
        sql.moved(number),
    )


def _round(
    session: Session, number: int, k: int, divided: Callable[[int, int], tuple[Step, ...]]
) -> int:
    """Expand a branch of every partition; return the number of rows still open."""
    steps = divided(number, k)
    for step in steps:
        session.create(step)
    session.append(sql.left_over(number))
    left = session.counted(sql.reopened(number))
    for name in (f"open_{number}", *(step.name for step in steps)):
        session.give_back(name)
    return left


def _metrics(
    baskets: Baskets,
    loss: GeneralizationLoss,
    search: _Search,
    verdict: Verdict,
    *,
    unchanged: bool = False,
) -> KAnonymityMetrics:
    return KAnonymityMetrics(
        transactions=baskets.transactions,
        items=baskets.items,
        occurrences=baskets.occurrences,
        duplicates=baskets.duplicates,
        persons=baskets.persons,
        ncp=loss.ncp,
        information_lost=None if unchanged else loss.information,
        ncp_by_level=loss.levels,
        generalized_occurrences=sum(one.occurrences for one in loss.levels if one.level),
        rounds=search.rounds,
        partitions=verdict.checked,
        smallest_partition=verdict.smallest,
        fewest_persons=verdict.fewest,
        discernibility=verdict.discernibility,
        leftovers=search.leftovers,
        leftover_transactions=search.moved,
        largest_leftover=search.largest,
        refined=search.refined,
        unchanged=unchanged,
    )
