"""Read a part of the transactions into a run of its own, as an experiment asks for it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction

from sqlglot import exp

from setveil.arguments.shares import share
from setveil.errors import InputError
from setveil.generator.dice import offset
from setveil.mine.itemsets import Support, least_support
from setveil.mine.search import frequent_itemsets
from setveil.run.reading import Baskets, owners_of, query_beside, read_beside
from setveil.run.words import counted
from setveil.sql.preparing import prepare as sql

LARGEST = 5  # items of a drawn pattern
LEAST, MOST = "0.2", "0.4"  # the supports of the paper's patterns
Amount = str | int | float  # a share up to 1, or a whole number


@dataclass(frozen=True, slots=True)
class Preparation:
    """The part of the data that is left: a sample, items of a least support, short transactions.

    `sample` is a share of the transactions or their number; where persons count, of the persons.
    `min_item_support` is a share of the sampled transactions or their number. `cutoff` is the most
    items of a transaction, which the seed chooses.
    """

    sample: Amount | None = None
    min_item_support: Amount | None = None
    cutoff: int | None = None

    @property
    def is_none(self) -> bool:
        return self == Preparation()


@dataclass(frozen=True, slots=True)
class Roles:
    """Names of items that were drawn to be public or sensitive, and of those that are private."""

    drawn: tuple[str, ...]
    private: tuple[str, ...]


@contextmanager
def prepared(baskets: Baskets, how: Preparation, seed: int) -> Iterator[Baskets]:
    """The prepared transactions in a run beside these baskets; themselves if nothing is asked."""
    if how.is_none:
        yield baskets
        return
    session = baskets.session
    session.begin()
    make(baskets, how, seed)
    if session.supposed(False, True):  # without data, the models are shown after the preparation
        session.was_read()
        yield baskets
        return
    source = query_beside(baskets, rows_of(baskets, how))
    with read_beside(baskets, source, tid="tid", item="item", owners=owners_of(baskets)) as left:
        if not left.occurrences:
            session.refuse(InputError("the preparation leaves no occurrence of any item"))
        yield left


def rows_of(baskets: Baskets, how: Preparation) -> exp.Select:
    """The prepared rows: lists where items were left out, so that emptied transactions stay."""
    of_run = baskets.session.backend.of_run
    left, basket, item = of_run("prepared"), of_run("basket"), of_run("item")
    if how.min_item_support is None:
        return sql.named_rows(left, basket, item)
    return sql.listed_rows(left, of_run("drawn"), basket, item)


def make(baskets: Baskets, how: Preparation, seed: int) -> int:
    """Make `prepared` in the run of these baskets: the occurrences that are left, in numbers.

    Return the number of transactions in the sample.
    """
    session = baskets.session
    units = baskets.transactions if baskets.persons is None else baskets.persons
    count = number_of(how.sample, units, "sample")
    step = sql.drawn(count, offset(seed, "sample"), persons=baskets.persons is not None)
    transactions = session.counted(step)
    least = 1
    if how.min_item_support is not None:
        least = least_support(how.min_item_support, transactions)
    session.create(sql.common(least))
    session.create(sql.prepared(how.cutoff, offset(seed, "cutoff")))
    return transactions


def drawn_roles(baskets: Baskets, part: Amount, seed: int, name: str) -> Roles:
    """Draw a share of the items at random; the others may be private as in the paper."""
    session = baskets.session
    session.begin()
    count = number_of(part, baskets.items, name)
    session.create(sql.marked(count, offset(seed, "role")))
    drawn = tuple(str(one) for (one,) in session.ask(sql.marked_names()))
    private = tuple(str(one) for (one,) in session.ask(sql.surest_names()))
    return Roles(drawn, private)


def drawn_patterns(
    baskets: Baskets, count: int, least: Support = LEAST, most: Support = MOST, seed: int = 0
) -> list[tuple[str, ...]]:
    """Draw patterns of 2 to 5 items whose support is from `least` to `most`: sizes in turn.

    Oliveira and Zaïane, TR 02-13, section 5.1, choose ten such patterns.
    """
    session = baskets.session
    session.begin()
    bounds = [least_support(one, baskets.transactions) for one in (least, most)]
    mined = frequent_itemsets(
        session,
        exp.to_table("occurrence"),
        items=baskets.items,
        transactions=baskets.transactions,
        least=bounds[0],
        max_size=LARGEST,
    )
    sizes = range(2, len(mined.counts) + 1)
    if not sizes:
        raise InputError(f"no pair of items is in {bounds[0]:,} transactions: draw rarer patterns")
    step = sql.chosen_patterns(mined.found, sizes, bounds[1], count, offset(seed, "pattern"))
    rows = [tuple(str(name) for name in row if name is not None) for row in session.ask(step)]
    if len(rows) < count:
        raise InputError(f"only {counted(len(rows), 'pattern')} have such a support, not {count}")
    return rows


def number_of(amount: Amount | None, all_of: int, name: str) -> int:
    """The number that a share of all is, rounded; a whole number above 1 is itself."""
    if amount is None:
        return all_of
    text = str(amount).strip()
    if text.isdecimal() and int(text) > 1:
        return min(all_of, int(text))
    part = share(text, name)
    if not part:
        raise InputError(f"{name} is a share above 0 or a whole number above 1, not {text}")
    return max(1, math.floor(part * all_of + Fraction(1, 2)))
