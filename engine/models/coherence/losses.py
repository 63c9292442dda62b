"""The loss of suppressing an item: its support, 1, or a value from a table.

Losses are whole numbers, so that ratios can be compared exactly. Losses of a table are counted in
millionths.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path

import numpy as np

from setveil.backends import integers
from setveil.errors import InputError
from setveil.hierarchy.information import information_lost
from setveil.models.coherence.choose import Ints
from setveil.run.files.listed import columns_in
from setveil.run.roles.near_misses import refuse_near_misses
from setveil.run.session import Session
from setveil.sql.run import lists

MILLIONTHS = 10**6
LARGEST = 10**9

Loss = str | Path | Mapping[object, float]


@dataclass(frozen=True, slots=True)
class Losses:
    """The loss of every item, by its number, as a multiple of 1 / `unit`."""

    of: Ints
    unit: int
    supports: Ints

    def occurrences(self, items: Sequence[int]) -> int:
        """The number of occurrences of these items."""
        return int(self.supports[items].sum()) if len(self.supports) else 0

    def information(self, items: Sequence[int]) -> float:
        """The share of all bits that go with these items."""
        gone = np.zeros(len(self.supports), dtype=bool)
        gone[list(items)] = True
        rows = (
            (one, None if out else one, one) for one, out in zip(self.supports, gone, strict=True)
        )
        return information_lost(rows)

    def lost(self, items: Sequence[int]) -> float:
        """The sum of the losses of these items."""
        return int(self.of[items].sum()) / self.unit if len(self.of) else 0.0


def item_losses(session: Session, loss: Loss) -> Losses:
    """Losses by `support`, `unit`, a file with the columns item and loss, or a mapping."""
    columns = session.arrays(lists.supports())
    supports = integers(columns["support"]) if columns else np.empty(0, dtype=np.int64)
    if loss in ("information", "ncp"):
        raise InputError(f"--loss {loss} is for --method generalize")
    if loss == "support":
        return Losses(supports, 1, supports)
    if loss == "unit":
        return Losses(np.ones_like(supports), 1, supports)
    table = loss if isinstance(loss, Mapping) else _table(session, loss)
    parts = {str(name): _parts(value) for name, value in table.items()}
    if not len(supports):
        return Losses(supports, MILLIONTHS, supports)
    return Losses(_by_number(session, parts, supports), MILLIONTHS, supports)


def _table(session: Session, loss: str | Path) -> dict[str, str]:
    if not os.path.isfile(loss):
        raise InputError(f"--loss is support, unit or a file; there is no file {str(loss)!r}")
    table: dict[str, str] = {}
    for name, value in columns_in(session, str(loss), ("item", "loss"), "loss"):
        if table.setdefault(name, value) != value:
            raise InputError(f"--loss: {loss} has {table[name]} and {value} for {name!r}: keep one")
    return table


def _parts(value: object) -> int:
    try:
        exact = Decimal(str(value))
    except InvalidOperation:
        raise InputError(f"--loss: {value!r} is not a number") from None
    if exact.is_nan() or not 0 <= exact <= LARGEST:
        raise InputError(f"--loss: {value} is not between 0 and {LARGEST:,}")
    return int((exact * MILLIONTHS).to_integral_value())


def _by_number(session: Session, table: dict[str, int], supports: Ints) -> Ints:
    """The losses in the order of item numbers; a public item without a loss is an error."""
    session.backend.insert_columns("named", ("name",), [list(table)])
    found = session.look_up(lists.chosen_by_name("loss"))
    session.forget("named")
    losses = np.full(len(supports), -1, dtype=np.int64)
    for name, number in found:
        if number is not None:
            losses[int(number)] = table[name]
    public = integers(session.arrays(lists.public())["item"])
    lacking = [int(item) for item in public[losses[public] < 0]]
    if lacking:
        unknown = [str(name) for name, number in found if number is None]
        refuse_near_misses(session, "loss", unknown, table.keys() - set(unknown))
        shown = ", ".join(repr(str(n)) for (n,) in session.ask(lists.named_numbers(lacking[:5])))
        raise InputError(f"--loss: {len(lacking):,} public items have no loss, among them {shown}")
    return np.maximum(losses, 0)
