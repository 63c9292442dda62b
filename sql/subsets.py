"""Subsets of transactions as keys: how they are listed and packed, and the columns that hold them.

A transaction stands as its codes side by side (p_1, p_2, …), a subset of its places as a mask. The
key of a subset is its codes, packed in order into the columns k_0, k_1, …: sums of products, so no
join is needed to make it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce

from sqlglot import exp

from setveil.sql.step import term

BITS = 62  # of a BIGINT that a key may fill
PRIME = 2_147_483_647


@dataclass(frozen=True, slots=True)
class Frame:
    """How subsets are listed and packed.

    `places` codes of a transaction side by side, subsets of up to `most`; codes are below `radix`,
    those up to `harmless` are not sensitive.
    """

    places: int
    most: int
    radix: int
    harmless: int
    rho: Fraction

    @property
    def per_key(self) -> int:
        return max(1, BITS // max(1, (self.radix - 1).bit_length()))

    @property
    def keys(self) -> range:
        return range(-(-self.most // self.per_key))

    @property
    def columns(self) -> range:
        return range(1, self.places + 1)

    @property
    def subsets(self) -> int:
        """Above every mask."""
        return 1 << self.places


def roll(seed: int, owner: str, other: str = "0") -> exp.Expr:
    """A number in 0 … 2^31 - 2 from a transaction, the same on every engine."""
    mixed = f"CAST({owner}.tid AS BIGINT) * 48271 % {PRIME} + {other} * 69621 % {PRIME}"
    x = f"({mixed} + $seed) % {PRIME}"
    text = f"({x}) * ({x}) % {PRIME} * (({x}) * ({x}) % {PRIME}) % {PRIME} * ({x}) % {PRIME}"
    return term(text, seed=seed % PRIME)


def number(value: int) -> exp.Expr:
    return exp.Literal.number(value)


def total(terms: Iterable[exp.Expr]) -> exp.Expr:
    return reduce(lambda a, b: exp.Add(this=a, expression=b), [one.copy() for one in terms])


def copies(columns: Iterable[exp.Column]) -> list[exp.Column]:
    return [one.copy() for one in columns]


def place_name(n: int) -> str:
    return f"p_{n}"


def coefficient(key: int, column: int) -> str:
    return f"c_{key}_{column}"


def key_columns(frame: Frame, owner: str) -> list[exp.Column]:
    return [exp.column(f"k_{n}", table=owner) for n in frame.keys]


def packed(frame: Frame, codes: str, subset: str, prefix: str = "k") -> list[exp.Expr]:
    """The key of a subset: the codes at its places, times what puts each where it belongs."""
    return [
        total(
            exp.Mul(this=exp.column(place_name(n), table=codes),
                    expression=exp.column(coefficient(key, n), table=subset))
            for n in frame.columns
        ).as_(f"{prefix}_{key}")
        for key in frame.keys
    ]  # fmt: skip


def same_itemset(frame: Frame, left: str, right: str, prefix: str = "k") -> exp.Expr:
    """The same itemset of the same part."""
    pairs = [("part", "part"), *((f"k_{n}", f"{prefix}_{n}") for n in frame.keys)]
    return exp.and_(*(exp.column(a, table=left).eq(exp.column(b, table=right)) for a, b in pairs))


def side_by_side(frame: Frame, owner: str) -> list[exp.Expr]:
    """Codes side by side, by their place; 0 where there are no more."""
    return [
        term(f"MAX(CASE WHEN {owner}.place = $n THEN {owner}.code ELSE 0 END)", n=n).as_(
            place_name(n)
        )
        for n in frame.columns
    ]


def code_at(frame: Frame, codes: str, facet: str, place: str = "place") -> exp.Expr:
    """The code at the place that a facet, or whatever else has one, names."""
    ifs = [exp.If(this=number(n), true=exp.column(place_name(n), table=codes))
           for n in frame.columns]  # fmt: skip
    return exp.Case(this=exp.column(place, table=facet), ifs=ifs)
