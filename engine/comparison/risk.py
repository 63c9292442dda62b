"""The measures of risk of the original or a release: one entry each, in the order of the tables.

Attackers know up to 1, 2, … p public items of somebody. To add a measure, write its formula as a
function under `@measure`; the head of `measures` lists all places. Its value is a number, or one
for each of 1, 2, … p.
Xu, Wang, Fu, Yu: Anonymizing transaction databases for publication, KDD 2008.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from fractions import Fraction

from setveil.models.coherence.promise import Level, Promise
from setveil.models.coherence.search import find_moles
from setveil.run.reading import Baskets
from setveil.sql.comparison import changes as comparison
from setveil.sql.comparison import inspection

Value = float | tuple[float, ...] | None  # None if it means nothing for this data
Risk = dict[str, Value]


@dataclass(frozen=True, slots=True)
class Exposed:
    """The data that attackers look at: they know public_item, and look for private_item."""

    baskets: Baskets
    promise: Promise
    plan: str = "auto"
    found: dict[int, tuple[float, ...]] = field(default_factory=dict)

    def singled_out(self, k: int) -> tuple[float, ...]:
        """The share of transactions with up to 1, 2, … p public items that fewer than k hold."""
        if k not in self.found:
            baskets, promise = self.baskets, replace(self.promise, k=k).without_secrets()
            levels = find_moles(
                baskets.session,
                promise,
                items=baskets.items,
                transactions=baskets.transactions,
                plan=self.plan,
                exposed=True,
            )
            self.found[k] = exposed_shares(baskets, levels, promise.p)
        return self.found[k]


Formula = Callable[[Exposed], Value]


@dataclass(frozen=True, slots=True)
class Measure:
    """A key of JSON, a title in plain words with {k} and {items}, and a formula."""

    name: str
    title: str
    formula: Formula
    is_share: bool = True
    repeated_at: int | None = None  # no row for this k: the measure above has its values


MEASURES: dict[str, Measure] = {}


def measure(
    title: str, *, is_share: bool = True, repeated_at: int | None = None
) -> Callable[[Formula], Formula]:
    """Enter the formula below into the table of measures, under its own name."""

    def enter(formula: Formula) -> Formula:
        name = formula.__name__
        MEASURES[name] = Measure(name, title, formula, is_share, repeated_at)
        return formula

    return enter


def take(exposed: Exposed) -> Risk:
    """All measures of risk."""
    return {one.name: one.formula(exposed) for one in MEASURES.values()}


@measure("unique, attacker knows {items}")
def unique(exposed: Exposed) -> Value:
    """|{t : Sup(q) = 1 for some q of at most n public items in t}| / |T|, n = 1, 2, … p."""
    return exposed.singled_out(2)


@measure("held by fewer than {k}, attacker knows {items}", repeated_at=2)
def singled_out(exposed: Exposed) -> Value:
    """|{t : Sup(q) < k for some q of at most n public items in t}| / |T|, n = 1, 2, … p."""
    return exposed.singled_out(exposed.promise.k)


@measure("highest breach probability")
def breach(exposed: Exposed) -> Value:
    """max Sup(q + e) / Sup(q), q a set of up to p public items or the empty set, e a private item.

    None where no item is private. Each search is for itemsets above the highest known share, until
    it finds none.
    """
    baskets, promise = exposed.baskets, exposed.promise
    session = baskets.session
    if not promise.private:
        return None
    support, hits = session.one(comparison.knowing_nothing())
    best = Fraction(hits, max(1, support))
    while best < 1:
        levels = find_moles(
            session,
            replace(promise, h=best, k=1),
            items=baskets.items,
            transactions=baskets.transactions,
            plan=exposed.plan,
        )
        found = [
            Fraction(hits, support)
            for level in levels
            if session.supposed(level.revealing, 1)
            for support, hits in session.ask(comparison.breaches(level.size))
        ]
        if max(found, default=best) <= best:
            break
        best = max(found)
    return float(best)


def exposed_persons(baskets: Baskets, levels: list[Level], p: int) -> tuple[float, ...] | None:
    """The shares of persons with a transaction that the search marked, if persons are counted."""
    if baskets.persons is None:
        return None
    return _shares(
        (
            baskets.session.one(inspection.exposed_persons(level.size, level.width))[0]
            / max(1, baskets.persons)
            for level in levels
            if level.present
        ),
        p,
    )


def exposed_shares(baskets: Baskets, levels: list[Level], p: int) -> tuple[float, ...]:
    """The shares of a search that marked transactions; each size after its end finds no more."""
    return _shares(
        (
            baskets.session.one(inspection.exposure(level.size))[0] / max(1, baskets.transactions)
            for level in levels
            if level.present
        ),
        p,
    )


def _shares(found: Iterable[float], p: int) -> tuple[float, ...]:
    shares = list(found) or [0.0]
    return tuple(shares + [shares[-1]] * (p - len(shares)))
