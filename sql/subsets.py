"""List and pack the subsets of transactions as keys, and name the columns that hold them.

A row holds a transaction's codes in the columns p_1, p_2, …; a mask, a number, says at which places
a subset has its codes. The key of a subset packs its codes in order into the columns k_0, k_1, …:
sums of products, so that no join is needed.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from sqlglot import exp

from setveil.sql.step import cases, each, shown, term

BITS = 62  # bits of a BIGINT that a key may fill
PRIME = 2_147_483_647


@dataclass(frozen=True, slots=True)
class Frame:
    """The limits by which subsets are listed and packed.

    A transaction has up to `places` codes, a subset up to `most`. Codes are below `radix`; codes up
    to `harmless` belong to items that are not sensitive. With `persons`, transactions have persons.
    """

    places: int
    most: int
    radix: int
    harmless: int
    rho: Fraction
    persons: bool = False  # transactions have persons, who are counted too

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
        """A number above every mask."""
        return 1 << self.places


def die(seed: int, owner: str, other: str = "") -> exp.Expr:
    """A number in 0 … 2^31 - 2, mixed from a transaction, the seed, and possibly another number."""
    also = f" + {other} * 69621 % {PRIME}" if other else ""
    text = f"(CAST({owner}.tid AS BIGINT) * 48271 % {PRIME}{also} + $seed) % {PRIME}"
    return term(text, seed=seed % PRIME)


def rolled(die: str) -> exp.Expr:
    """The fifth power of a die, modulo the prime.

    The map is one to one and hides the order of the dice; every engine computes equal numbers.
    """
    square = f"{die} * {die} % {PRIME}"
    return term(f"{square} * ({square}) % {PRIME} * {die} % {PRIME}")


def packed(frame: Frame, codes: str, subset: str, prefix: str = "k") -> list[exp.Expr]:
    """The key of a subset: the sum of the codes at its places, each times its factor."""
    products = (f"{codes}.p_{n} * {subset}.c_{{n}}_{n}" for n in frame.columns)
    return each(f"{' + '.join(products)} AS {prefix}_{{n}}", frame.keys)


def coefficients(frame: Frame, owner: str) -> list[exp.Expr]:
    """The columns of a relation that hold the factors of a subset."""
    text = f"{owner}.c_{{key}}_{{n}} AS c_{{key}}_{{n}}"
    return [one for key in frame.keys for one in each(text, frame.columns, key=key)]


def side_by_side(frame: Frame, owner: str) -> list[exp.Expr]:
    """The codes of a transaction in columns by their place; 0 where there is no further code."""
    text = f"MAX(CASE WHEN {owner}.place = {{n}} THEN {owner}.code ELSE 0 END) AS p_{{n}}"
    return each(text, frame.columns)


def code_at(frame: Frame, codes: str, place: str) -> exp.Expr:
    """The code at a place of the columns p_1, p_2, …"""
    choices = cases(f"WHEN {{n}} THEN {codes}.p_{{n}}", frame.columns)
    return term(f"CASE {place} {choices} END")


def picked(frame: Frame, codes: str, facet: str) -> exp.Expr:
    """The code at the place of a facet, whose s_1, s_2, … are 1 there and 0 elsewhere."""
    return term(" + ".join(f"{codes}.p_{n} * {facet}.s_{n}" for n in frame.columns))


def with_persons(frame: Frame, *columns: str) -> list[exp.Expr]:
    """These columns, such as `a.person`, where persons are counted; without persons none."""
    return [shown(f"{one} AS {one.split('.')[-1]}") for one in columns] if frame.persons else []
