"""One recoding for all slices: a cut starts from that of earlier slices, and is only coarsened.

A node that a slice published is never split in a later one, so that labels stay comparable. Parts
of the hierarchy that no slice has published are free.
"""

from __future__ import annotations

from setveil.run.reading import Baskets
from setveil.run.words import percent
from setveil.sql.run.slices import tree as sql


def frozen_nodes(baskets: Baskets) -> list[int]:
    """The numbers of the inner nodes that earlier slices published, ascending."""
    if baskets.slice is None or baskets.slice.is_first:
        return []
    return [int(node) for (node,) in baskets.session.look_up(sql.frozen())]


def note_frozen(baskets: Baskets, loss: str, now: float, free: float) -> None:
    """Note what it costs that nodes of earlier slices are not split."""
    assert baskets.slice is not None
    more = "nothing more" if now <= free else f"{percent(now)} instead of {percent(free)}"
    baskets.session.note(
        f"nodes that earlier slices of {baskets.slice.target.name} published are not split: this "
        f"slice loses {more} ({loss})"
    )
