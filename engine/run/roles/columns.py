"""Columns beside the items: what publishing them would tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from setveil.run.persons import likely_persons
from setveil.run.reading import Baskets
from setveil.run.words import percent
from setveil.sql.run import columns as sql

# Types whose values have no text that all databases write alike.
UNREADABLE = ("blob", "bytea", "geometry", "map", "struct", "variant")
MOMENTS = ("date", "time")  # the first words of types that tell when
DANGEROUS = 0.01  # of the transactions
FEW = 5  # a smaller group of people is a risk in the view of most authorities


@dataclass(frozen=True, slots=True)
class Beside:
    """A column, its values, and the share of transactions with a value that fewer than k hold."""

    name: str
    distinct_values: int
    singled_out: float
    persons: bool = False  # is it the column of persons?
    may_be_persons: bool = False
    tells_when: bool = False

    @property
    def dangerous(self) -> bool:
        """Would it single out people, or join their data, whatever is done to the items?"""
        told = self.persons or self.may_be_persons or self.tells_when
        return told or self.singled_out >= DANGEROUS

    @property
    def dangers(self) -> list[str]:
        """The reasons why it is dangerous, in words."""
        reasons = {
            "may name persons": self.may_be_persons,
            "tells when": self.tells_when,
            f"singles out {percent(self.singled_out)} of the transactions": self.singled_out
            >= DANGEROUS,
        }
        return [reason for reason, holds in reasons.items() if holds]


def columns_beside(
    baskets: Baskets, k: int = FEW, among: Sequence[str] | None = None
) -> tuple[Beside, ...]:
    """Every column that `--carry` could publish, or those `among` them."""
    session, shape = baskets.session, baskets.shape
    kinds = session.backend.columns_of(exp.to_table("source"))
    named = likely_persons(session, shape)

    def beside(name: str) -> Beside:
        values, transactions = session.one(sql.rare_values(name, baskets.key, k))
        return Beside(
            name,
            values,
            transactions / max(1, baskets.transactions),
            persons=name == shape.person,
            may_be_persons=name in named and name != shape.person,
            tells_when=kinds[name].lower().startswith(MOMENTS),
        )

    return tuple(
        beside(name)
        for name in (shape.beside if among is None else among)
        if name in kinds and not kinds[name].lower().startswith(UNREADABLE)
    )


def note_carried(baskets: Baskets) -> None:
    """Note which carried columns are dangerous, and how many all of them single out together."""
    session, shape = baskets.session, baskets.shape
    carried = [name for name in shape.others if name not in (shape.level, shape.group)]
    if not carried or session.dry:
        return
    found = columns_beside(baskets, among=carried)
    for one in found:
        if one.dangerous:
            session.note(f"--carry: the column {one.name!r} {', and '.join(one.dangers)}")
    names = [one.name for one in found]
    if len(names) > 1:
        (transactions,) = session.one(sql.rare_together(names, baskets.key, FEW))
        share = transactions / max(1, baskets.transactions)
        if share > max(one.singled_out for one in found) and share >= DANGEROUS:
            session.note(
                f"--carry: together the carried columns single out {percent(share)} of the "
                "transactions"
            )
