"""Columns beside the items: what publishing them would tell."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from setveil.run.reading import Baskets
from setveil.sql.advising.columns import rare_values

# Types whose values have no text that all databases write alike.
UNREADABLE = ("blob", "bytea", "geometry", "map", "struct", "variant")
DANGEROUS = 0.01  # of the transactions


@dataclass(frozen=True, slots=True)
class Beside:
    """A column, its values, and the share of transactions with a value that fewer than k hold."""

    name: str
    distinct_values: int
    singled_out: float
    persons: bool = False  # is it the column of persons?

    @property
    def dangerous(self) -> bool:
        """Would it single out people, whatever is done to the items?"""
        return self.persons or self.singled_out >= DANGEROUS


def columns_beside(baskets: Baskets, k: int) -> tuple[Beside, ...]:
    """Every column that `--carry` could publish."""
    session, shape = baskets.session, baskets.shape
    kinds = session.backend.columns_of(exp.to_table("source"))
    return tuple(
        _beside(baskets, name, k)
        for name in shape.beside
        if name in kinds and not kinds[name].lower().startswith(UNREADABLE)
    )


def _beside(baskets: Baskets, name: str, k: int) -> Beside:
    values, transactions = baskets.session.one(rare_values(name, baskets.key, k))
    share = transactions / max(1, baskets.transactions)
    return Beside(name, values, share, persons=name == baskets.shape.person)
