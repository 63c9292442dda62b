"""Notes on the limits of a promise, for releases and for verdicts."""

from __future__ import annotations

from collections.abc import Sequence

from setveil.run.session import Session
from setveil.run.shape import SLICE, Shape

KEPT = "transaction ids are published unchanged: --renumber replaces them by random numbers"
NOT_JUDGED = (
    "no verdict covers transaction ids, the absence of items, or several releases of the same data "
    "combined"
)
NOT_JUDGED_TOGETHER = "no verdict covers transaction ids, or the absence of items"
ORDERED = "the order of the transactions comes from the source: --renumber shuffles them"


def note_published(session: Session, shape: Shape, columns: Sequence[str]) -> None:
    """Note the columns that are published beside the items."""
    carried = [
        name for name in shape.others if name in columns and name not in (shape.level, shape.group)
    ]
    if carried:
        session.note(f"published unchanged, and covered by no promise: {_shown(carried)}")


def note_ids(session: Session, shape: Shape, columns: Sequence[str]) -> None:
    """Note that ids or places match a transaction with the source or with other releases."""
    session.note(KEPT if shape.key in columns else ORDERED)


def note_target_persons(session: Session) -> None:
    """Note that shares of persons do not add up from slice to slice."""
    session.note(
        "shares counted in persons hold in each slice and in the whole target, not in every set of "
        "slices"
    )


def note_unjudged(session: Session, name: str, shape: Shape) -> None:
    """Note the columns of a release that no checker reads."""
    if columns := uncovered(shape):
        session.note(f"{name}: no promise covers the columns {_shown(columns)}")


def uncovered(shape: Shape) -> list[str]:
    """The columns of a release that no checker reads."""
    read = (shape.level, shape.group, shape.person, SLICE)
    return [one for one in shape.beside if one not in read]


def _shown(columns: Sequence[str]) -> str:
    return ", ".join(map(repr, columns))
