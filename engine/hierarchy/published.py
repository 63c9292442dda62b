"""Make the hierarchy that goes with a generalized release: what its labels mean, and no more.

A file of a hierarchy names all items, also those that few hold. Recipients get the paths above the
published nodes, the items that the release names itself, and members of nodes that k hold.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from setveil.errors import InputError
from setveil.hierarchy.nodes import level_of
from setveil.hierarchy.trees import SHOWN, Hierarchy, write_rows
from setveil.run.files.local_duckdb import copy_relation
from setveil.run.reading import Baskets, cells_of, read_beside, source_beside
from setveil.run.roles.lists import Items, item_numbers
from setveil.run.words import counted
from setveil.sql.hierarchy import cover
from setveil.sql.hierarchy import published as sql


def write_published(
    baskets: Baskets,
    hierarchy: Hierarchy,
    release: str | Path,
    path: str | Path,
    *,
    k: int | None = None,
    private: Items = (),
    ignore_unknown: bool = False,
    force: bool = False,
) -> None:
    """Write what recipients of the release may know of the last hierarchy of the run.

    Members of published nodes are named if `k` transactions of the baskets hold them, or k persons.
    Without `k`, and for private items, no member is named that the release does not name itself.
    """
    if k is not None and k < 1:
        raise InputError(f"k is a whole number of at least 1, not {k}")
    session, levels = baskets.session, hierarchy.top - 1
    source = source_beside(baskets, release)
    shape = baskets.shape
    with read_beside(baskets, source, tid=shape.tid, item=shape.item) as run:
        level = level_of(baskets, run)
        if level is None:
            raise InputError(f"{release} has no column of levels: it is no generalized release")
        cells = cells_of(run.session, replace(run.shape, level=level), "source")
        copy_relation(session, run.session, sql.nodes(cells))
    strange = session.ask(sql.strange(SHOWN))
    if strange:
        raise InputError(_strange(str(release), strange))
    secret = item_numbers(session, private, "private", ignore_unknown=ignore_unknown)
    session.decide("private_item", "the items that must not be inferred", secret)
    session.create(sql.members(k, persons=baskets.persons is not None))
    session.create(cover.ancestors(levels))
    session.create(sql.readable(levels))
    write_rows(baskets, sql.written(levels), path, force=force)


def _strange(release: str, rows: list[tuple[object, ...]]) -> str:
    shown = ", ".join(f"{name!r} of level {level}" for level, name, _ in rows)
    more = ", …" if int(str(rows[0][2])) > len(rows) else ""
    nodes = counted(int(str(rows[0][2])), "node")
    return (
        f"--of: {release} publishes {nodes} that the hierarchy lacks: {shown}{more}; was it made "
        "with this hierarchy?"
    )
