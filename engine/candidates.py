"""What a code may stand for: published and mined itemsets, and the pairs of them that fit.

The published itemsets are read from a Parquet file with the columns `items` and `frequency`, those
of the renamed data are mined at the same frequency. Pairs are pruned in the database to a
fixed point, and leave it as numbers. NULL items and the empty itemset tell nothing and are passed
over; an itemset that is there twice is an error.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np
from sqlglot import exp

from setveil.backends import formats, integers
from setveil.backends.files import NESTED, duckdb_of
from setveil.coherence import promised
from setveil.errors import InputError, UnreachableError
from setveil.matching import Ints, Itemsets, Pairs, Problem
from setveil.moles import find_moles
from setveil.session import Session
from setveil.sql import matching as sql
from setveil.sql import renaming
from setveil.sql.step import Step
from setveil.transactions import Baskets

OF_AN_ATTACK = re.compile(r"sought|(item|set)_pair_\d+|mined_(set|member)")


@dataclass(frozen=True, slots=True)
class Candidates:
    """The problem that pruning left, and the pairs of items that fit before it."""

    problem: Problem
    unpruned: Pairs
    itemset_pairs: int  # that fit before, of itemsets of all sizes
    rounds: int


def read_published(session: Session, path: str | Path) -> None:
    """Leave known_item, known_set and known_member."""
    relation = _listed_file(session, str(path), "itemsets", ("items", "frequency"))
    with formats.reading(str(path)):
        session.create(sql.published(relation))
    incomplete, repeated = session.one(sql.faults())
    if (incomplete or repeated) and not session.dry:
        raise InputError(
            f"{path}: {incomplete:,} itemsets lack their items or frequency, and {repeated:,} are "
            "there more than once; mend the file"
        )
    for step in (sql.known_items(), sql.known_sets(), sql.known_members()):
        session.create(step)


def read_key(session: Session, path: str | Path) -> None:
    """Leave key_pair(code, name), with the code as text."""
    relation = _listed_file(session, str(path), "key", ("code", "name"))
    with formats.reading(str(path)):
        session.create(renaming.key_pairs(relation))
    pairs, codes, names = session.one(renaming.key_sizes())
    if not session.dry and not pairs == codes == names:
        raise InputError(
            f"{path} is no key: it has {pairs:,} rows, {codes:,} codes and {names:,} names, and in "
            "a key each is there once"
        )


def _listed_file(session: Session, path: str, variable: str, wanted: tuple[str, str]) -> exp.Expr:
    """A Parquet file with two columns, as what stands behind FROM."""
    option, backend = f"--{variable}", duckdb_of(session)
    if not Path(path).is_file():
        raise InputError(f"{option}: no such file: {path!r}")
    if Path(path).suffix.lower() != ".parquet":
        raise InputError(f"{option}: {path} must be a Parquet file, as setveil writes it")
    text = formats.set_variable(variable, formats.pattern(path))
    session.run(variable, f"where {option} is read from", text)
    if session.dry:
        backend.execute(variable, text)
    relation = formats.parquet(variable)
    with formats.reading(path):
        columns = formats.columns_of(backend, relation)
    for name in wanted:
        if name not in columns:
            shown = ", ".join(repr(one) for one in columns)
            raise InputError(f"{option}: {path} has no column {name!r}; it has {shown}")
        kind, _, elements = columns[name].partition(" ")
        if (kind in formats.LISTS) != (name == "items") or (elements or kind) in NESTED[2:]:
            raise InputError(f"{option}: {path}: the column {name!r} is {columns[name]}")
    return relation


def least_support(
    session: Session, transactions: int, known: str, tolerance: int, given: float | str | None
) -> int:
    """In how many transactions an itemset of the data must be, to be looked at."""
    if given is not None:
        return _count(given, transactions)
    sizes = session.ask(sql.sizes(known))
    if not sizes:
        return 1
    nano = min(int(nano) for _, _, nano in sizes) - tolerance - sql.ROUNDED
    return max(1, math.ceil(Fraction(nano * transactions, sql.BILLION)))


def _count(given: float | str, transactions: int) -> int:
    """A whole number is a count of transactions, a number with a point a share of them."""
    try:
        share = Fraction(str(given))
    except ValueError:
        raise InputError(f"the support {given!r} is no number") from None
    if share <= 0 or ("." in str(given) and share > 1):
        raise InputError(f"a support is a share up to 1.0, or a count from 1, not {given}")
    whole = isinstance(given, int) or "." not in str(given) and "e" not in str(given)
    return max(1, math.ceil(share if whole else share * transactions))


def mine(baskets: Baskets, support: int, known: str) -> None:
    """Leave mined_set and mined_member: the frequent itemsets of the sizes that were published."""
    session = baskets.session
    published = {int(size) for size, _, _ in session.ask(sql.sizes(known))} | {1}
    promise = promised(session, support, max(published), Fraction(1), (), None)
    levels = find_moles(session, promise, items=baskets.items, transactions=baskets.transactions)
    present = [level.size for level in levels if level.size in published and level.present]
    session.create(sql.mined_sets(present or [1], baskets.transactions))
    session.create(sql.mined_members(present or [1]))


def find_candidates(
    session: Session,
    known: str,
    tolerance: int,
    *,
    unmatched: float | None,
    faithful: bool = False,
) -> Candidates:
    """The pairs that fit, pruned to a fixed point."""
    strict = unmatched is None
    if strict:
        _refuse_unequal(session, known)
    items = session.create(sql.item_pairs(known, tolerance))
    sets = session.create(sql.set_pairs(known, tolerance))
    unpruned = _pairs(session, sql.item_choices(0, known))
    last, rounds, itemset_pairs = (0, 0), 0, items + sets
    while last != (items, sets):
        last, rounds = (items, sets), rounds + 1
        sets = session.create(sql.pruned_sets(rounds, all_matched=strict))
        items = session.create(sql.pruned_items(rounds, known, all_matched=strict))
    problem = Problem(
        _itemsets(session, known, "known_member"),
        _itemsets(session, "mined_set", "mined_member"),
        _pairs(session, sql.item_choices(rounds, known)),
        _pairs(session, sql.set_choices(rounds, known)),
        tolerance,
        unmatched,
        faithful,
    )
    return Candidates(problem, unpruned, itemset_pairs, rounds)


def _refuse_unequal(session: Session, known: str) -> None:
    """Without missing or false itemsets there are as many on either side."""
    published, mined = (
        {int(size): int(count) for size, count, _ in session.ask(sql.sizes(sets))}
        for sets in (known, "mined_set")
    )
    for size in sorted(published.keys() | mined.keys()):
        here, there = published.get(size, 0), mined.get(size, 0)
        if here != there and not session.dry:
            raise UnreachableError(
                f"of the itemsets of {size}, {here:,} were published and {there:,} are frequent in "
                "the data: set --min-support to what they were mined at, or let itemsets be "
                "missing or false with --unmatched"
            )


def _itemsets(session: Session, sets: str, members: str) -> Itemsets:
    numbers = session.arrays(sql.set_numbers(sets))
    held = session.arrays(sql.member_numbers(members, sets))
    if not numbers or not held:
        nothing: Ints = np.empty(0, dtype=np.int64)
        return Itemsets(nothing, nothing, nothing, nothing, nothing)
    ids, sizes, nano = (integers(numbers[name]) for name in ("id", "size", "nano"))
    return Itemsets(ids, sizes, nano, integers(held["id"]), integers(held["item"]))


def _pairs(session: Session, step: Step) -> Pairs:
    found = session.arrays(step)
    if not found:
        nothing: Ints = np.empty(0, dtype=np.int64)
        return Pairs(nothing, nothing, nothing)
    return Pairs(*(integers(found[name]) for name in ("known", "mined", "apart")))
