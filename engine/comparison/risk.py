"""The measures of risk of the original or a release: one entry each, in the order of the tables.

Attackers know up to 1, 2, … p public items of somebody. To add a measure, write its formula as a
function under `@measure`; the head of `measures` lists all places. Its value is a number, or one
for each of 1, 2, … p. A measure for `evidence` takes searches of its own, and waits to be asked.
Xu, Wang, Fu, Yu: Anonymizing transaction databases for publication, KDD 2008.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from setveil.models.coherence.promise import Level, Promise
from setveil.models.coherence.search import find_moles
from setveil.run.reading import Baskets
from setveil.sql.comparison import changes as comparison
from setveil.sql.comparison import inspection, intruder

Value = float | tuple[float, ...] | None  # None if it means nothing for this data
Risk = dict[str, Value]

DRAWS, SEED = 1000, 1
HIGH = 12  # the least group in which no risk is above 0.09, the bound of many authorities


@dataclass(frozen=True, slots=True)
class Found:
    """Shares that attackers of power 1, 2, … p single out: of transactions, and of persons."""

    transactions: tuple[float, ...]
    persons: tuple[float, ...] | None
    largest_share: float | None


@dataclass(frozen=True, slots=True)
class Guess:
    """Drawn transactions that have so many candidates, of so many persons."""

    transactions: int
    persons: int
    draws: int


Guesses = list[Guess]


@dataclass(frozen=True, slots=True)
class Intruder:
    """An attacker who looks for so many random transactions; the seed says which."""

    draws: int = DRAWS
    seed: int = SEED


@dataclass(frozen=True, slots=True)
class Exposed:
    """The data that attackers look at: they know public_item, and look for private_item."""

    baskets: Baskets
    promise: Promise
    plan: str = "auto"
    intruder: Intruder | None = None  # None: measures for evidence are not taken
    found: dict[int, Found] = field(default_factory=dict)
    guesses: list[Guesses] = field(default_factory=list)

    def singled_out(self, k: int) -> Found:
        """The transactions with up to 1, 2, … p public items that fewer than k hold."""
        if k not in self.found:
            baskets, promise = self.baskets, replace(self.promise, k=k).without_secrets()
            levels = find_moles(
                baskets.session,
                promise,
                items=baskets.items,
                transactions=baskets.transactions,
                persons=baskets.persons is not None,
                plan=self.plan,
                exposed=True,
            )
            self.found[k] = found_of(baskets, levels, promise.p)
        return self.found[k]

    def guessed(self, risk: Callable[[int], Fraction], *, persons: bool = False) -> Value:
        """The mean risk of the drawn transactions, n = 1, 2, … p items of them being revealed."""
        if persons and self.baskets.persons is None:
            return None
        if not self.guesses:
            self.guesses.extend(self._draw())
        return tuple(
            float(
                sum(risk(one.persons if persons else one.transactions) * one.draws for one in level)
                / max(1, sum(one.draws for one in level))
            )
            for level in self.guesses
        )

    def _draw(self) -> Iterator[Guesses]:
        """Of a transaction without public items nothing is revealed: all are candidates."""
        baskets, session = self.baskets, self.baskets.session
        how = self.intruder or Intruder()
        session.create(intruder.drawn(how.draws, how.seed))
        session.create(intruder.revealed(self.promise.p, how.seed))
        (drawn,) = session.sizes("drawn")
        for n in range(1, self.promise.p + 1):
            session.create(intruder.known(n))
            rows = session.ask(intruder.candidates(n, persons=baskets.persons is not None))
            found = [Guess(*row) for row in rows]
            if silent := drawn - sum(one.draws for one in found):
                found.append(Guess(baskets.transactions, baskets.persons or 0, silent))
            yield found


Formula = Callable[[Exposed], Value]


@dataclass(frozen=True, slots=True)
class Measure:
    """A key of JSON, a title in plain words with {k} and {items}, and a formula."""

    name: str
    title: str
    formula: Formula
    is_share: bool = True
    repeated_at: int | None = None  # no row for this k: the measure above has its values
    evidence: bool = False  # taken if it is asked for
    drawn: bool = False  # of a motivated intruder


MEASURES: dict[str, Measure] = {}


def measure(title: str, **how: Any) -> Callable[[Formula], Formula]:
    """Enter the formula below into the table of measures, under its own name."""

    def enter(formula: Formula) -> Formula:
        name = formula.__name__
        MEASURES[name] = Measure(name, title, formula, **how)
        return formula

    return enter


def take(exposed: Exposed) -> Risk:
    """All measures of risk."""
    return {
        one.name: one.formula(exposed) if exposed.intruder or not one.evidence else None
        for one in MEASURES.values()
    }


@measure("unique, attacker knows {items}")
def unique(exposed: Exposed) -> Value:
    """|{t : Sup(q) = 1 for some q of at most n public items in t}| / |T|, n = 1, 2, … p.

    Where persons are counted, Sup(q) is the number of persons with a transaction that holds q.
    """
    return exposed.singled_out(2).transactions


@measure("held by fewer than {k}, attacker knows {items}", repeated_at=2)
def singled_out(exposed: Exposed) -> Value:
    """|{t : Sup(q) < k for some q of at most n public items in t}| / |T|, n = 1, 2, … p."""
    return exposed.singled_out(exposed.promise.k).transactions


@measure("persons of whom a transaction is unique, attacker knows {items}")
def unique_persons(exposed: Exposed) -> Value:
    """The persons with a transaction that `unique` counts, by all persons; None without persons."""
    return exposed.singled_out(2).persons


@measure("persons singled out among fewer than {k}, attacker knows {items}", repeated_at=2)
def singled_out_persons(exposed: Exposed) -> Value:
    """The persons with a transaction of `singled_out`, by all persons; None without persons."""
    return exposed.singled_out(exposed.promise.k).persons


@measure("largest share of one person in the transactions of items that {k} persons hold")
def largest_share(exposed: Exposed) -> Value:
    """max |T_i(q)| / |T(q)|, q of at most p public items of k persons, T_i(q) those of person i."""
    return exposed.singled_out(exposed.promise.k).largest_share


@measure("highest breach probability")
def breach(exposed: Exposed) -> Value:
    """max Sup(q + e) / Sup(q), q a set of up to p public items or the empty set, e a private item.

    None where no item is private. Of persons the share is that of the persons with a transaction
    that holds q; the larger share counts. Each search is for itemsets above the highest known
    share, until it finds none.
    """
    baskets, promise = exposed.baskets, exposed.promise
    session = baskets.session
    if not promise.private:
        return None
    with_persons = baskets.persons is not None
    guesses = session.ask(comparison.knowing_nothing(persons=with_persons))
    best = max((Fraction(hits, max(1, n)) for n, hits in guesses), default=Fraction(0))
    while best < 1:
        levels = find_moles(
            session,
            replace(promise, h=best, k=1),
            items=baskets.items,
            transactions=baskets.transactions,
            persons=with_persons,
            plan=exposed.plan,
        )
        found = [
            Fraction(hits, support)
            for level in levels
            if session.supposed(level.revealing, 1)
            for support, hits in session.ask(comparison.breaches(level.size, persons=with_persons))
        ]
        if max(found, default=best) <= best:
            break
        best = max(found)
    return float(best)


@measure("risk above 0.09, attacker knows {items}", repeated_at=HIGH, evidence=True)
def above_bound(exposed: Exposed) -> Value:
    """|{t : 1 / Sup(q) > 0.09 for some q of at most n public items in t}| / |T|."""
    return exposed.singled_out(HIGH).transactions


@measure("persons with a risk above 0.09, attacker knows {items}", repeated_at=HIGH, evidence=True)
def above_bound_persons(exposed: Exposed) -> Value:
    """The persons with a transaction of `above_bound`, by all persons; None without persons."""
    return exposed.singled_out(HIGH).persons


@measure("largest risk, 1 / the smallest group", evidence=True)
def largest_risk(exposed: Exposed) -> Value:
    """max 1 / Sup(q), q of at most p public items of a transaction; None if there is none.

    The searches are for groups below k. They begin above the searches of the other measures, since
    a release often has a group of just the k that it promises. Steps double, then halve.
    """
    baskets = exposed.baskets
    units = baskets.transactions if baskets.persons is None else baskets.persons
    held = {k: bool(one.transactions[-1]) for k, one in exposed.found.items()}
    none = max((k for k, known in held.items() if not known), default=1)  # no group is below it
    some = min((k for k, known in held.items() if known), default=0)  # a group is below it
    step = 1
    while not some:
        if none > units:
            return None
        if exposed.singled_out(none + step).transactions[-1]:
            some = none + step
        else:
            none, step = none + step, step * 2
    while some - none > 1:
        middle = (none + some) // 2
        if exposed.singled_out(middle).transactions[-1]:
            some = middle
        else:
            none = middle
    return 1 / none


@measure("one candidate, {items} revealed", evidence=True, drawn=True)
def intruder_unique(exposed: Exposed) -> Value:
    """|{t in D : Sup(q) = 1}| / |D|, q being n random public items of the drawn transaction t.

    D has up to N transactions, each drawn once. Where t has fewer public items, q has all of them.
    """
    return exposed.guessed(lambda held: Fraction(held == 1))


@measure("fewer than {k} candidates, {items} revealed", repeated_at=2, evidence=True, drawn=True)
def intruder_few(exposed: Exposed) -> Value:
    """|{t in D : Sup(q) < k}| / |D|, as in `intruder_unique`."""
    return exposed.guessed(lambda held: Fraction(held < exposed.promise.k))


@measure("mean risk: 1 / candidates, {items} revealed", evidence=True, drawn=True)
def intruder_risk(exposed: Exposed) -> Value:
    """The mean of 1 / Sup(q) over D: the chance that a candidate at random is the right one."""
    return exposed.guessed(lambda held: Fraction(1, held))


@measure("one person among the candidates, {items} revealed", evidence=True, drawn=True)
def intruder_unique_persons(exposed: Exposed) -> Value:
    """The draws whose candidates are of one person; None without persons, as the two below."""
    return exposed.guessed(lambda held: Fraction(held == 1), persons=True)


@measure(
    "fewer than {k} persons among them, {items} revealed",
    repeated_at=2,
    evidence=True,
    drawn=True,
)
def intruder_few_persons(exposed: Exposed) -> Value:
    """The draws whose candidates are of fewer than k persons, by all draws."""
    return exposed.guessed(lambda held: Fraction(held < exposed.promise.k), persons=True)


@measure("mean risk: 1 / their persons, {items} revealed", evidence=True, drawn=True)
def intruder_risk_persons(exposed: Exposed) -> Value:
    """The mean of 1 / persons, the persons with a transaction that holds q."""
    return exposed.guessed(lambda held: Fraction(1, held), persons=True)


def found_of(baskets: Baskets, levels: list[Level], p: int) -> Found:
    """The shares that a search with marks found."""
    return Found(
        exposed_shares(baskets, levels, p),
        exposed_persons(baskets, levels, p),
        float(max(one.dominance for one in levels)) if baskets.persons is not None else None,
    )


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
