"""k-anonymity by top-down local generalization ("Partition"), or by top-down specialization.

A release is k-anonymous if every transaction has k - 1 twins: others with the same set of nodes. A
node is a level and a label.
He, Naughton: Anonymization of set-valued data via top-down, local generalization, VLDB 2009.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from sqlglot import exp

from setveil.arguments.strict import strict
from setveil.errors import InputError, UnreachableError, option
from setveil.hierarchy.recode import (
    GeneralizationLoss,
    LevelLoss,
    generalized,
    loss_of,
    refuse_carried,
)
from setveil.hierarchy.trees import read_hierarchy
from setveil.models.k_anonymity import UNPROTECTED
from setveil.models.k_anonymity.check import Verdict, check_k_anonymity
from setveil.models.k_anonymity.partition import Search, recode
from setveil.models.k_anonymity.specialize import TDS, TdsMetrics, specialize
from setveil.run.persons import note_persons
from setveil.run.reading import Baskets, cells_of
from setveil.run.release import Release, make_release
from setveil.run.roles.keys import with_key
from setveil.run.roles.known import divide_items
from setveil.run.roles.lists import Items
from setveil.run.roles.promise import Promise
from setveil.run.shape import LEVEL, Shape
from setveil.run.words import counted
from setveil.sql.models.k_anonymity import anonymize as sql
from setveil.sql.models.k_anonymity import persons as of_persons
from setveil.sql.models.k_anonymity.anonymize import ALL, KNOWN
from setveil.sql.run import lists

METHODS = ("partition", TDS)
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


@strict
def k_anonymity(
    baskets: Baskets,
    *,
    k: int,
    private: Items = (),
    public: Items | None = None,
    method: str = "partition",
    hierarchy: str | Path | None = None,
    fanout: int | None = None,
    refine: bool = False,
    ignore_unknown: bool = False,
) -> Release[KAnonymityMetrics] | Release[TdsMetrics]:
    """Generalize items until every transaction has k - 1 twins; the checker has passed it.

    If the transactions were read with persons, every class of twins is of at least k persons. Twins
    agree on all items but `private` ones or, with `public`, on these alone.

    The hierarchy is a file or relation, or an even one of this fan-out over the sorted items.
    UnreachableError: there are too few transactions or persons. A source with a column `level`
    that keeps the promise already is not changed. `refine` takes longer to lose less; a node can
    then be published beside an ancestor that covers other items of the transaction. The method
    tds recodes an item alike in all transactions; without a hierarchy it suppresses items.
    """
    session = baskets.session
    check_options(k, method, refine=refine)
    if method != TDS or hierarchy is not None or fanout is not None:
        refuse_carried(baskets.shape)
    session.begin()
    note_persons(session, baskets.shape, baskets.persons)
    parameters: dict[str, object] = {
        "k": k,
        "method": method,
        "hierarchy": None if hierarchy is None else str(hierarchy),
        "fanout": fanout,
        "refine": refine,
    }
    run = _Run(baskets, k, private, public, parameters, ignore_unknown=ignore_unknown)
    if released := released_shape(baskets):
        return _unchanged(run, released)
    if method == TDS:
        return specialize(
            baskets,
            run.promise,
            parameters,
            k=k,
            public=run.divide(),
            hierarchy=hierarchy,
            fanout=fanout,
            check=run.check,
        )
    return _partition(run, hierarchy, fanout, refine=refine)


class _Run:
    """The run of one release, and the items that its twins agree on."""

    def __init__(
        self,
        baskets: Baskets,
        k: int,
        private: Items,
        public: Items | None,
        parameters: dict[str, object],
        *,
        ignore_unknown: bool,
    ) -> None:
        self.baskets, self.k, self.parameters = baskets, k, parameters
        self.private, self.public, self.ignore_unknown = private, public, ignore_unknown
        self.listed = public is not None or isinstance(private, str | Path) or bool(tuple(private))
        roles = {"private": "private_item"} | ({} if public is None else {"public": "public_item"})
        self.promise = Promise("k-anonymity", {"k": k}, roles if self.listed else {})

    def divide(self) -> int:
        """Make private_item and public_item; return the number of public items."""
        session = self.baskets.session
        _, known = divide_items(
            session, self.private, self.public, ignore_unknown=self.ignore_unknown
        )
        if self.listed:
            session.note(UNPROTECTED)
        return known

    def check(self, cells: exp.Expr, *, levels: bool = True) -> Verdict:
        return check_k_anonymity(
            self.baskets.session,
            cells,
            roles=lists.roles() if self.listed else None,
            owners=self.baskets.owners,
            k=self.k,
            levels=levels,
        )


def check_options(k: int, method: str, *, refine: bool) -> None:
    """Refuse options that do not fit together."""
    if k < 1:
        raise InputError(f"k is a whole number of at least 1, not {k}")
    if method not in METHODS:
        raise InputError(f"there is no method {method!r}; choose one of {', '.join(METHODS)}")
    if refine and method == TDS:
        raise InputError(
            f"{option('refine')} is for the method partition: {TDS} recodes everywhere"
        )


def refuse_unreachable(
    baskets: Baskets,
    *,
    k: int,
    private: Items = (),
    public: Items | None = None,
    ignore_unknown: bool = False,
    **_: object,
) -> None:
    """Refuse data of which no release can keep the promise, without making one."""
    baskets.session.begin()
    run = _Run(baskets, k, private, public, {}, ignore_unknown=ignore_unknown)
    _refuse_unreachable(baskets, k, _known(run))


def _known(run: _Run) -> str:
    """The relation of the items that twins agree on."""
    if not run.listed:
        return ALL
    run.divide()
    run.baskets.session.create(lists.leaving())
    run.baskets.session.create(sql.known())
    return KNOWN


def _partition(
    run: _Run, hierarchy: str | Path | None, fanout: int | None, *, refine: bool
) -> Release[KAnonymityMetrics]:
    """Generalize items in single transactions, by partitions."""
    baskets, session, k = run.baskets, run.baskets.session, run.k
    rows, leaving = _known(run), exp.to_table("leaving_item") if run.listed else None
    found = read_hierarchy(baskets, hierarchy, fanout)
    _refuse_unreachable(baskets, k, rows)
    search = recode(session, k, refine=refine, persons=baskets.persons is not None, rows=rows)
    loss = loss_of(baskets, found, leaving=leaving)
    made, shape = generalized(baskets)
    verdict = make_release(baskets, made, run.check, shape=shape)
    return Release(
        baskets,
        promise=run.promise,
        model="k-anonymity",
        parameters=run.parameters,
        verdict=verdict,
        metrics=_metrics(baskets, loss, search, verdict),
        run=session.runs,
        released=shape,
    )


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


def _unchanged(run: _Run, shape: Shape) -> Release[KAnonymityMetrics]:
    """Release a generalized source unchanged, or refuse it: its nodes are no items."""
    baskets, session, k = run.baskets, run.baskets.session, run.k
    if run.listed:
        run.divide()
    given = run.check(cells_of(session, shape, "source"))
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
    verdict = make_release(baskets, made, run.check, shape=shape)
    metrics = _metrics(baskets, NOTHING, Search(), verdict, unchanged=True)
    parameters = run.parameters | {"hierarchy": None, "fanout": None, "refine": False}
    return Release(
        baskets, "k-anonymity", parameters, verdict, metrics, session.runs, shape, run.promise
    )


def _in_persons(baskets: Baskets) -> str:
    return "" if baskets.persons is None else " in persons"


def _refuse_unreachable(baskets: Baskets, k: int, rows: str) -> None:
    """Refuse too few transactions: at the root, all with items are twins, and all without."""
    session = baskets.session
    if not baskets.transactions:
        return
    for count, what, apart in _apart(baskets, rows):
        if 0 < count < k:
            session.refuse(
                UnreachableError(
                    f"{baskets.source.name} has {counted(count, what)}{apart}, fewer than "
                    f"k = {k}: no release can give them k - 1 twins; lower k"
                    + (", or leave them out" if apart else "")
                )
            )


def _apart(baskets: Baskets, rows: str) -> tuple[tuple[int, str, str], ...]:
    """The transactions or persons: all, those without items and those with items, with words."""
    items = "items" if rows == ALL else "public items"
    if baskets.persons is None:
        (empty,) = baskets.session.one(sql.empty_transactions(rows))
        return (
            (baskets.transactions, "transaction", ""),
            (empty, "transaction", f" without {items}"),
            (baskets.transactions - empty, "transaction", f" with {items}"),
        )
    without, having = baskets.session.one(of_persons.persons_of_kinds(rows))
    return (
        (baskets.persons, "person", ""),
        (without, "person", f" of transactions without {items}"),
        (having, "person", f" of transactions with {items}"),
    )


def _metrics(
    baskets: Baskets,
    loss: GeneralizationLoss,
    search: Search,
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
