"""Set releases beside their original: what use is left of them, and what they still give away.

The original and each release are read into runs of one instance, items are matched by name and
transactions by key. `MEASURES` is the table of all measures, each with what it needs of the two; a
measure that lacks something of it is left out, as a number that means nothing would mislead.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from sqlglot import exp

from setveil import measures
from setveil.backends import Columns, integers
from setveil.backends.files import duckdb_of
from setveil.coherence import promised
from setveil.errors import InputError
from setveil.frequent import Frequent, frequent_itemsets
from setveil.guarantees import (
    Case,
    Guarantee,
    Terms,
    check_kind,
    check_terms,
    judge,
    take_sensitive,
)
from setveil.inspection import Band
from setveil.lists import Items
from setveil.moles import Promise
from setveil.nodes import level_of, read_nodes
from setveil.patterns import Patterns
from setveil.release import Release
from setveil.risk import Risk, risk_of
from setveil.session import Statement
from setveil.shares import Share, share
from setveil.sql import comparison as sql
from setveil.sql import inspection, lists
from setveil.transactions import Baskets, read_beside, source_beside
from setveil.verify import reread

SHOWN = 10  # items and itemsets that lost most


@dataclass(frozen=True, slots=True)
class Side:
    """The original, or a release."""

    transactions: int
    items: int
    occurrences: int
    mean_length: float
    supports: tuple[Band, ...]
    risk: Risk


@dataclass(frozen=True, slots=True)
class LostItem:
    """An item with less support than it had."""

    item: str
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class LostItemset:
    """A frequent itemset with less support; `after` is None where it is frequent no more."""

    items: tuple[str, ...]
    before: int
    after: int | None


@dataclass(frozen=True, slots=True)
class Itemsets:
    """The frequent itemsets of one size: how many there were, are, and are both."""

    size: int
    before: int
    after: int
    kept: int

    @property
    def lost(self) -> int:
        return self.before - self.kept

    @property
    def new(self) -> int:
        return self.after - self.kept


@dataclass(frozen=True, slots=True)
class Compared:
    """A release beside its original. `itemsets` and what was lost of them: where they were mined.

    `transactions_kept` and `occurrences_kept` are None where transactions cannot be matched. What
    is `generalized` holds nodes, each a level and a label: as no node is an item, nothing is said
    of items and itemsets, and its risk is that of attackers who know nodes, all but private items.
    """

    name: str
    generalized: bool
    side: Side
    items_gone: int | None
    items_new: int | None
    gone_support: int | None  # occurrences that the items had which went
    transactions_kept: int | None
    occurrences_kept: int | None
    kl: float | None  # None where something was added
    symmetric_kl: float | None
    discernibility: int | None  # of what is generalized
    items_lost_most: tuple[LostItem, ...]
    itemsets: tuple[Itemsets, ...]
    itemsets_lost_most: tuple[LostItemset, ...]
    guarantee: Guarantee | None
    measures: dict[str, float]


@dataclass(frozen=True, slots=True)
class Comparison:
    """All that was found. `sql` has the statements behind each figure."""

    source: str
    parameters: dict[str, object]
    original: Side
    releases: tuple[Compared, ...]
    sql: dict[str, tuple[Statement, ...]]

    def write_report(self, path: str | Path, *, public: bool = False, force: bool = False) -> None:
        """Write all of it as one HTML page: for the owner's eyes, or `public`, without names."""
        from setveil.pages import comparison_page  # which reads what is defined here
        from setveil.report import write_page

        write_page(comparison_page(self, public=public), path, force=force)


# The measures


@dataclass(frozen=True, slots=True)
class Pair:
    """What the measures are taken of: all that is known of a release but its measures."""

    original: Side
    release: Compared


@dataclass(frozen=True, slots=True)
class Measure:
    """A name, what it says, when it says something, and its formula."""

    name: str
    says: str
    applies: Callable[[Pair], bool]
    of: Callable[[Pair], float]
    is_share: bool = True


def is_matched(pair: Pair) -> bool:
    """Every transaction of the release is one of the original."""
    return pair.release.transactions_kept == pair.release.side.transactions


def is_suppressed(pair: Pair) -> bool:
    """The release says nothing that the original does not: what it lacks was suppressed."""
    return is_matched(pair) and pair.release.occurrences_kept == pair.release.side.occurrences


def is_generalized(pair: Pair) -> bool:
    """The release holds nodes in the place of items."""
    return pair.release.generalized


def is_mined(pair: Pair) -> bool:
    """There are itemsets to keep."""
    return bool(pair.release.itemsets)


def information_loss(pair: Pair) -> float:
    """Suppressed occurrences / occurrences of the original."""
    lost = pair.original.occurrences - (pair.release.occurrences_kept or 0)
    return lost / max(1, pair.original.occurrences)


def distortion(pair: Pair) -> float:
    """S/N: the supports of the items that are suppressed everywhere / all occurrences.

    Xu et al., KDD 2008, section 4. Where items are suppressed in places only, that is less than
    the information loss.
    """
    return (pair.release.gone_support or 0) / max(1, pair.original.occurrences)


def transactions_lost(pair: Pair) -> float:
    """Transactions that the release does not hold any more / those of the original."""
    lost = pair.original.transactions - (pair.release.transactions_kept or 0)
    return lost / max(1, pair.original.transactions)


def kl_divergence(pair: Pair) -> float:
    """KL(T' || T) = sum P'(i) log (P'(i) / P(i)), P(i) the support of i / the sum of supports.

    Jia et al., DASFAA 2014, section 4.1; in nats.
    """
    return pair.release.kl or 0.0


def symmetric_divergence(pair: Pair) -> float:
    """KL(T || M) / 2 + KL(T' || M) / 2, M being the mean of both; the same section."""
    return pair.release.symmetric_kl or 0.0


def discernibility(pair: Pair) -> float:
    """The sum of |E|^2 over the classes E of transactions that look the same.

    He and Naughton, VLDB 2009, section 3.2.
    """
    return pair.release.discernibility or 0


def itemsets_kept(pair: Pair) -> float:
    """Itemsets that are frequent before and after / those that are frequent before."""
    sizes = pair.release.itemsets
    return sum(one.kept for one in sizes) / max(1, sum(one.before for one in sizes))


def itemsets_new(pair: Pair) -> float:
    """Itemsets that are frequent after and were not before / those that are frequent after."""
    sizes = pair.release.itemsets
    return sum(one.new for one in sizes) / max(1, sum(one.after for one in sizes))


# A further measure joins by a line here; what it needs to know joins `Compared`.
MEASURES = (
    Measure(
        "information_loss",
        "occurrences that were suppressed, of all",
        is_suppressed,
        information_loss,
    ),
    Measure(
        "distortion", "occurrences of items that went everywhere, of all", is_suppressed, distortion
    ),
    Measure(
        "kl",
        "divergence of the items' distribution (KL, nats)",
        is_suppressed,
        kl_divergence,
        is_share=False,
    ),
    Measure(
        "symmetric_kl", "the same, symmetric", is_suppressed, symmetric_divergence, is_share=False
    ),
    Measure(
        "discernibility",
        "discernibility: transactions that look like each, summed",
        is_generalized,
        discernibility,
        is_share=False,
    ),
    Measure(
        "transactions_lost", "transactions that are gone, of all", is_matched, transactions_lost
    ),
    Measure("itemsets_kept", "frequent itemsets that still are, of all", is_mined, itemsets_kept),
    Measure(
        "itemsets_new", "frequent itemsets of the release that were not", is_mined, itemsets_new
    ),
)


# Comparing


@dataclass(frozen=True, slots=True)
class _Run:
    """A release that was read; its items are nodes if it is generalized."""

    name: str
    baskets: Baskets
    generalized: bool


@dataclass(frozen=True, slots=True)
class _Ask:
    """What is asked of every release."""

    promise: Promise
    known: bool  # were public items named?
    least: int | None
    max_size: int | None
    verify: str | None
    terms: Terms
    plan: str


def compare(
    original: Baskets,
    *releases: str | Path | Release[Any],
    k: int = 2,
    p: int = 2,
    h: Share = 1,
    private: Items = (),
    public: Items | None = None,
    ignore_unknown: bool = False,
    min_support: float | None = None,
    max_size: int | None = None,
    verify: str | None = None,
    m: int | str | None = None,
    rho: Share | None = None,
    sensitive: Items | None = None,
    patterns: Patterns | None = None,
    psi: Share | None = None,
    tid: str | None = None,
    item: str | None = None,
    drop_nulls: bool = False,
    plan: str = "auto",
) -> Comparison:
    """Measure the use that is left of each release, and the risk of it and of the original.

    A release is a file, a relation beside the original's, or a `Release` of these very baskets.
    `min_support` is a share below 1 or a count: with it, frequent itemsets are compared, of up to
    `max_size` items. With `verify`, the name of a model, its checker judges each release by the
    parameters that the model has: `h`, `k`, `p`, `m`, `rho`, `sensitive`, `patterns`, `psi`. `tid`
    and `item` name the columns of the releases where they are other than the original's.
    """
    if not releases:
        raise InputError("there is no release to compare with the original: name one or more")
    terms = Terms(m, rho, sensitive, patterns, psi, ignore_unknown)
    check_terms(verify, terms)
    with contextlib.ExitStack() as open_runs:
        runs = list[_Run]()
        for one in releases:
            run = _read(original, one, tid, item, drop_nulls)
            open_runs.callback(run.close)
            level = level_of(original, run)
            check_kind(verify, _name(one), generalized=level is not None)
            if level is not None:
                run = read_nodes(run, level, drop_nulls=drop_nulls)
                open_runs.callback(run.close)
            runs.append(_Run(_name(one), run, level is not None))
        return _compared(
            original, runs,
            {"k": k, "p": p, "h": h, "private": private, "public": public,
             "ignore_unknown": ignore_unknown},
            min_support, max_size, verify, terms, plan,
        )  # fmt: skip


def _read(
    original: Baskets,
    release: str | Path | Release[Any],
    tid: str | None,
    item: str | None,
    drop_nulls: bool,
) -> Baskets:
    if isinstance(release, Release):
        if release.baskets.session is not original.session:
            raise InputError(
                "this release was made of other baskets: write it to a file, and name that"
            )
        return reread(release)
    shape = original.shape
    source = source_beside(original, release)
    key = tid if tid is not None else shape.key
    return read_beside(
        original, source, tid=key, item=item or shape.item,
        drop_nulls=drop_nulls,
    )  # fmt: skip


def _name(release: str | Path | Release[Any]) -> str:
    return release.model if isinstance(release, Release) else str(release)


def _compared(
    original: Baskets,
    runs: list[_Run],
    roles: dict[str, Any],
    min_support: float | None,
    max_size: int | None,
    verify: str | None,
    terms: Terms,
    plan: str,
) -> Comparison:
    session, shown = original.session, dict[str, tuple[Statement, ...]]()
    session.begin()
    promise = promised(
        session, roles["k"], roles["p"], share(roles["h"]), roles["private"], roles["public"],
        ignore_unknown=roles["ignore_unknown"],
    )  # fmt: skip
    least = _least(min_support, original.transactions)
    ask = _Ask(promise, roles["public"] is not None, least, max_size, verify, terms, plan)
    take_sensitive(original, terms)
    before = _side(original, ask, shown, "original")
    frequent = None
    if least is not None:
        with _noting(shown, "original.itemsets", original):
            frequent = _mine(original, "occurrence", ask, original.items)
    compared = [
        (_generalized if run.generalized else _release)(
            original, before, frequent, run, ask, shown, f"release_{number}"
        )
        for number, run in enumerate(runs, 1)
    ]
    parameters: dict[str, object] = {
        "k": promise.k, "p": promise.p, "h": float(promise.h),
        "private_items": promise.private, "public_items": promise.public,
        "min_support": least, "max_size": max_size, "verify": verify,
    }  # fmt: skip
    return Comparison(original.source.name, parameters, before, tuple(compared), shown)


def _least(min_support: float | None, transactions: int) -> int | None:
    """A share of the transactions, below 1 and rounded up, or a count."""
    if min_support is None:
        return None
    exact = Fraction(str(min_support))
    if exact <= 0 or (exact > 1 and exact.denominator != 1):
        raise InputError(
            f"--min-support is a share between 0 and 1, or a whole number, not {min_support}"
        )
    return int(exact) if exact >= 1 else max(1, -int(-exact * transactions // 1))


@contextlib.contextmanager
def _noting(
    shown: dict[str, tuple[Statement, ...]], figure: str, baskets: Baskets
) -> Iterator[None]:
    """Keep the statements of the block as what is behind a figure."""
    mark = len(baskets.session.statements)
    yield
    made = [one for one in baskets.session.statements[mark:] if one.text]
    shown[figure] = (*shown.get(figure, ()), *made)


def _side(baskets: Baskets, ask: _Ask, shown: dict[str, tuple[Statement, ...]], name: str) -> Side:
    with _noting(shown, f"{name}.supports", baskets):
        bands = tuple(Band(*row) for row in baskets.session.ask(inspection.histogram()))
    with _noting(shown, f"{name}.risk", baskets):
        risk = risk_of(baskets, ask.promise, plan=ask.plan)
    return Side(
        transactions=baskets.transactions,
        items=baskets.items,
        occurrences=baskets.occurrences,
        mean_length=baskets.occurrences / max(1, baskets.transactions),
        supports=bands,
        risk=risk,
    )


def _mine(baskets: Baskets, relation: str, ask: _Ask, items: int) -> Frequent:
    assert ask.least is not None
    return frequent_itemsets(
        baskets.session, exp.to_table(relation), items=items,
        transactions=baskets.transactions, least=ask.least, max_size=ask.max_size,
    )  # fmt: skip


def _release(
    original: Baskets,
    before: Side,
    frequent: Frequent | None,
    given: _Run,
    ask: _Ask,
    shown: dict[str, tuple[Statement, ...]],
    figure: str,
) -> Compared:
    run = given.baskets
    session, home = run.session, duckdb_of(original.session).run
    with _noting(shown, f"{figure}.loss", run):
        session.create(sql.matched_items(sql.of_run(home, "item"), original.items))
        session.create(sql.after())
        gone, gone_support, new = session.one(sql.items_changed())
        transactions, occurrences = _match(original, run, home)
        lost = session.ask(sql.items_lost_most(SHOWN))
        changed = session.arrays(sql.supports_changed())
    _take_roles(run, home, ask)
    side = _side(run, ask, shown, figure)
    sizes: tuple[Itemsets, ...] = ()
    lost_itemsets: tuple[LostItemset, ...] = ()
    if frequent is not None:
        with _noting(shown, f"{figure}.itemsets", run):
            sizes, lost_itemsets = _itemsets(frequent, run, home, ask, original.items + new)
    guarantee = _verified(original, run, ask, shown, figure)
    kl, symmetric = _divergence(changed) if occurrences == run.occurrences else (None, None)
    compared = Compared(
        name=given.name,
        generalized=False,
        side=side,
        items_gone=gone,
        items_new=new,
        gone_support=gone_support,
        transactions_kept=transactions,
        occurrences_kept=occurrences,
        kl=kl,
        symmetric_kl=symmetric,
        discernibility=None,
        items_lost_most=tuple(LostItem(*row) for row in lost),
        itemsets=sizes,
        itemsets_lost_most=lost_itemsets,
        guarantee=guarantee,
        measures={},
    )
    return _measured(before, compared)


def _generalized(
    original: Baskets,
    before: Side,
    frequent: Frequent | None,
    given: _Run,
    ask: _Ask,
    shown: dict[str, tuple[Statement, ...]],
    figure: str,
) -> Compared:
    """The same of nodes: nothing that would take them for items."""
    run, home = given.baskets, duckdb_of(original.session).run
    with _noting(shown, f"{figure}.loss", run):
        transactions = _match_baskets(original, run, home)
        (alike,) = run.session.one(sql.discernibility())
    private = sql.of_run(home, "item"), sql.of_run(home, "private_item")
    run.session.create(sql.private_nodes(*private))
    run.session.create(lists.all_but_private())
    nobody = replace(ask, promise=ask.promise.without_secrets())
    side = _side(run, nobody, shown, figure)
    compared = Compared(
        name=given.name,
        generalized=True,
        side=side,
        items_gone=None,
        items_new=None,
        gone_support=None,
        transactions_kept=transactions,
        occurrences_kept=None,
        kl=None,
        symmetric_kl=None,
        discernibility=alike,
        items_lost_most=(),
        itemsets=(),
        itemsets_lost_most=(),
        guarantee=_verified(original, run, ask, shown, figure),
        measures={},
    )
    return _measured(before, compared)


def _divergence(supports: Columns) -> tuple[float, float]:
    """KL and symmetric KL of what is left; 0 if nothing is, as there is no distribution then."""
    if not supports or not supports["after"].any():
        return 0.0, 0.0
    before, after = (integers(supports[name]).tolist() for name in ("before", "after"))
    p, q = ([count / sum(counts) for count in counts] for counts in (after, before))
    return measures.kl(p, q), measures.symmetric_kl(p, q)


def _measured(before: Side, compared: Compared) -> Compared:
    pair = Pair(before, compared)
    return replace(
        compared, measures={one.name: one.of(pair) for one in MEASURES if one.applies(pair)}
    )


def _match(original: Baskets, run: Baskets, home: str) -> tuple[int | None, int | None]:
    """How many transactions and occurrences are still there, where keys can be matched."""
    kept = _match_baskets(original, run, home)
    if kept is None:
        return None, None
    (occurrences,) = run.session.one(sql.occurrences_kept(sql.of_run(home, "occurrence")))
    return kept, occurrences


def _match_baskets(original: Baskets, run: Baskets, home: str) -> int | None:
    """How many transactions are still there, where keys can be matched.

    Where transactions have no key, their places in the data stand for one, if none is missing.
    """
    keys = original.shape.key is not None, run.shape.key is not None
    alike = any(keys) or original.transactions == run.transactions
    if keys[0] != keys[1] or not alike:
        return None
    return run.session.counted(sql.matched_baskets(sql.of_run(home, "basket")))


def _take_roles(run: Baskets, home: str, ask: _Ask) -> None:
    run.session.create(sql.parts("private", sql.of_run(home, "private_item")))
    if ask.known:
        run.session.create(sql.parts("public", sql.of_run(home, "public_item")))
    else:
        run.session.create(lists.all_but_private())


def _itemsets(
    frequent: Frequent, run: Baskets, home: str, ask: _Ask, items: int
) -> tuple[tuple[Itemsets, ...], tuple[LostItemset, ...]]:
    session = run.session
    found = _mine(run, "after", ask, items)
    sizes, lost = list[Itemsets](), list[LostItemset]()
    for size in range(1, max(len(frequent.counts), len(found.counts)) + 1):
        before, after = _count(frequent, size), _count(found, size)
        kept = 0
        theirs = sql.of_run(home, frequent.relation(size).name)
        ours = found.relation(size) if after else None
        if before and ours is not None:
            (kept,) = session.one(sql.itemsets_kept(theirs, ours, size))
        if before and size > 1:
            rows = session.ask(sql.itemsets_lost_most(theirs, ours, size, SHOWN))
            lost += [LostItemset(tuple(names), had, has) for had, has, *names in rows]
        sizes.append(Itemsets(size, before, after, kept))
    lost.sort(key=lambda one: ((one.after or 0) - one.before, len(one.items), one.items))
    return tuple(sizes), tuple(lost[:SHOWN])


def _count(found: Frequent, size: int) -> int:
    return found.counts[size - 1] if size <= len(found.counts) else 0


def _verified(
    original: Baskets,
    run: Baskets,
    ask: _Ask,
    shown: dict[str, tuple[Statement, ...]],
    figure: str,
) -> Guarantee | None:
    if ask.verify is None:
        return None
    with _noting(shown, f"{figure}.guarantee", run):
        return judge(ask.verify, Case(original, run, ask.promise, ask.terms))


def measures_of(comparison: Comparison) -> Sequence[Measure]:
    """The measures that were taken of any of the releases, in the table's order."""
    taken = {name for one in comparison.releases for name in one.measures}
    return [one for one in MEASURES if one.name in taken]
