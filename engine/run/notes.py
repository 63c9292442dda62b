"""Notes on safety: the limits of a promise, said where it is made and where it is judged."""

from __future__ import annotations

from collections.abc import Sequence

from setveil.run.session import Session
from setveil.run.shape import Shape

PERSONS = "transactions are counted, not persons: k transactions can all be of one person"
KEPT = "transaction ids are published as they are: --renumber puts random numbers in their place"
ORDERED = "transactions stand in an order that comes from the source: --renumber shuffles them"


def note_persons(session: Session) -> None:
    """Who is behind a transaction, and how often, the data does not say."""
    session.note(PERSONS)


def note_published(session: Session, shape: Shape, columns: Sequence[str]) -> None:
    """What leaves beside the items."""
    carried = [name for name in shape.others if name in columns and name != shape.level]
    if carried:
        session.note(f"published as they are, and judged by nobody: {_shown(carried)}")


def note_ids(session: Session, shape: Shape, columns: Sequence[str]) -> None:
    """Ids and places join a transaction of a release with the source, or with other releases."""
    session.note(KEPT if shape.key in columns else ORDERED)


def note_unjudged(session: Session, name: str, shape: Shape) -> None:
    """A release that was read can have more columns than a checker looks at."""
    columns = [one for one in shape.beside if one != shape.level]
    if columns:
        session.note(f"{name}: nobody judges the columns {_shown(columns)}")


def _shown(columns: Sequence[str]) -> str:
    return ", ".join(map(repr, columns))
