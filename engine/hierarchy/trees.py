"""Read or build a hierarchy: the nodes above each item.

A hierarchy is a file (Parquet, CSV) or a relation of the data's database. Its columns are `item,
level1, level2, …`, from a leaf's parent upwards, without the root. An even hierarchy is built over
the sorted items. A shorter branch has NULL for the levels it lacks. Every item of the data has one
row, and every node has one parent. Labels may repeat on other levels, so a node is a level and a
label. See `sql/hierarchy/trees.py` for the relations of a run.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace
from pathlib import Path

from sqlglot import exp

from setveil.backends import Row
from setveil.backends.local import formats
from setveil.errors import InputError
from setveil.run.files import places, publishing
from setveil.run.files.listed import columns_named, drop_sent, rows_in, send_rows
from setveil.run.files.local_duckdb import duckdb_of, outside, recorded, with_full_names
from setveil.run.files.places import no_file
from setveil.run.files.source import format_of
from setveil.run.reading import Baskets
from setveil.run.roles.near_misses import alike, told
from setveil.run.session import Session
from setveil.run.words import counted
from setveil.sql.hierarchy import trees as sql
from setveil.sql.run.reading import column

SHOWN = 5  # offending rows in a message
VARIABLE, BROUGHT = "hierarchy", "brought_hierarchy"


@dataclass(frozen=True, slots=True)
class Hierarchy:
    """A hierarchy in a run: the relations `node` and `path`. Labels are counted per level."""

    nodes: int
    leaves: int  # number of leaves, also of those that the data lacks
    labels: tuple[int, ...]  # number of labels per level, from the leaves to the root

    @property
    def root(self) -> int:
        """The root has the last number."""
        return self.nodes - 1

    @property
    def top(self) -> int:
        """The level of the root."""
        return len(self.labels) - 1


def read_hierarchy(
    baskets: Baskets,
    hierarchy: str | Path | None = None,
    fanout: int | None = None,
    *,
    filled: bool = False,
) -> Hierarchy:
    """Make `node` and `path` of the named hierarchy, or of an even or a filled one."""
    levels = given_levels(baskets, hierarchy, fanout, filled=filled)
    return build(baskets, levels, None if hierarchy is None else str(hierarchy))


def build(baskets: Baskets, levels: int, name: str | None) -> Hierarchy:
    """Make `node` and `path` from the relation given_hierarchy, which has so many levels.

    A named hierarchy can have faults. An even one has a path per item, and a label per node.
    """
    session = baskets.session
    if name is not None:
        faults = session.ask(sql.faults(levels, SHOWN))
        named = session.look_up(sql.named_leaves()) if faults else []
        _refuse_faults(name, faults, [str(one) for (one,) in named])
    session.create(sql.leaves())
    session.create(sql.lineage(levels))
    session.within(sql.named_nodes())
    if name is not None:
        _refuse_strays(name, session.ask(sql.strays(SHOWN)))
    session.create(sql.nodes())
    session.create(sql.paths(baskets.items))
    sizes = {int(level): int(count) for level, count in session.ask(sql.sizes())}
    for made in ("lineage", "named_node", "leaf"):
        session.give_back(made)
    labels = tuple(sizes.get(n, session.supposed(0, 1)) for n in range(levels + 2))
    return Hierarchy(sum(labels), labels[0], labels)


def write_hierarchy(
    baskets: Baskets, hierarchy: Hierarchy, path: str | Path, *, force: bool = False
) -> None:
    """Write the last hierarchy of the run to a Parquet or CSV file."""
    write_rows(baskets, sql.written(hierarchy.top - 1), path, force=force)


def write_rows(
    baskets: Baskets, rows: exp.Select, path: str | Path, *, force: bool = False
) -> None:
    """Write rows of a hierarchy to a Parquet or CSV file."""
    session, target = baskets.session, str(path)
    if format_of(target) == "basket":
        raise InputError(f"{target}: a hierarchy is a CSV or Parquet file")
    places.check_place(target, force=force)
    session.inputs.refuse(target)
    query = publishing.put_in_order(session, rows, "written_hierarchy")
    statement = publishing.copy_statement(query, target)
    with places.whole_file(target, session.inputs, force=force) as place:
        publishing.publish_file(session, statement, place, "the hierarchy")


def given_levels(
    baskets: Baskets,
    hierarchy: str | Path | None,
    fanout: int | None = None,
    *,
    filled: bool = False,
) -> int:
    """Make `given_hierarchy`; return the number of its levels between leaves and root."""
    if hierarchy is not None and fanout is not None:
        raise InputError("--hierarchy and --fanout exclude each other: name one")
    if hierarchy is None and fanout is None:
        raise InputError(
            "name a hierarchy with --hierarchy, or have an even one built with --fanout"
        )
    if hierarchy is not None:
        return _named(baskets, hierarchy)
    assert fanout is not None
    if fanout < 2:
        raise InputError(f"fanout is a whole number of at least 2, not {fanout}")
    items = baskets.session.supposed(baskets.items, fanout**3)
    baskets.session.create(sql.even(fanout, items, filled=filled))
    return len(sql.even_widths(fanout, items))


def _named(baskets: Baskets, hierarchy: str | Path) -> int:
    """Make `given_hierarchy` of a file or a relation; return the number of its levels."""
    session, name = baskets.session, str(hierarchy)
    backend, item = session.backend, baskets.shape.item
    if baskets.source.beside_files or isinstance(hierarchy, Path) or _is_file(name):
        with formats.reading(name):
            if not backend.is_local:
                return _brought(baskets, name, item)
            relation = _file(session, name)
            return _create(baskets, relation, list(backend.local.columns_of(relation)), name)
    if baskets.source.pulled:
        raise InputError(
            f"--hierarchy {name!r} is no file, and --engine duckdb copies only the data from the "
            "server: name a .csv or .parquet file with --hierarchy"
        )
    _look_up(session, outside(session, baskets.source), "table names are looked up here first")
    with formats.reading(name):
        relation = backend.relation(name)
        columns = list(backend.columns_of(relation))
        with recorded(session, replace(baskets.source, name=name), relation):
            levels = _create(baskets, relation, columns, name)
    _look_up(session, backend.inside, "from here on, names are relations of the run")
    return levels


def _brought(baskets: Baskets, name: str, item: str) -> int:
    """Make `given_hierarchy` of a file, whose rows are sent to the server as text."""
    session = baskets.session
    columns = columns_named(session, name, "hierarchy")
    wanted = [_item(columns, item), *_levels(name, columns, _item(columns, item))]
    rows = rows_in(session, name, tuple(wanted), "hierarchy")
    send_rows(session, BROUGHT, wanted, rows, name)
    levels = _create(baskets, exp.to_table(BROUGHT), wanted, name)
    drop_sent(session, BROUGHT)
    return levels


def _is_file(name: str) -> bool:
    return os.path.isfile(name) and Path(name).suffix.lower() in (".parquet", ".csv", ".tsv")


def _look_up(session: Session, statement: str, why: str) -> None:
    session.reach("run", why, statement)


def _file(session: Session, name: str) -> exp.Expr:
    """The file as a relation after FROM."""
    if not os.path.isfile(name):
        raise InputError(no_file(name, f"--hierarchy: no such file: {name!r}"))
    form, text = format_of(name), formats.set_variable(VARIABLE, formats.pattern(name))
    if form == "basket":
        raise InputError(f"--hierarchy: {name} must be a CSV or Parquet file")
    session.inputs.add([name], "--hierarchy")
    session.reach("input", "the path of the hierarchy", text)
    backend = duckdb_of(session)
    if form == "parquet":
        return formats.parquet(VARIABLE)
    wanted = {"item", sql.level_name(1)}
    return formats.csv(VARIABLE, formats.delimiter_of(backend, VARIABLE, wanted))


def _create(baskets: Baskets, relation: exp.Expr, columns: list[str], name: str) -> int:
    session, item = baskets.session, _item(columns, baskets.shape.item)
    levels = _levels(name, columns, item)
    step = sql.given(relation, column(item), [column(one) for one in levels])
    place = session.backend.of_run(step.name)
    session.create_at(place, with_full_names(session, baskets.source, step))
    session.relations.append(step.name)
    return len(levels)


def _item(columns: list[str], item: str) -> str:
    """The column of the items: `item`, or else the name that the data's column has."""
    return item if "item" not in columns else "item"


def _levels(name: str, columns: list[str], item: str) -> list[str]:
    """The level columns, upwards; other columns are ignored."""
    shown = ", ".join(repr(one) for one in columns)
    if item not in columns:
        raise InputError(f"--hierarchy: {name} has no column 'item'; it has {shown}")
    numbers = sorted(int(one[5:]) for one in columns if re.fullmatch(r"level[1-9][0-9]*", one))
    if not numbers or numbers != list(range(1, len(numbers) + 1)):
        raise InputError(
            f"--hierarchy: {name} must have the columns item, level1, level2, … without a gap; "
            f"it has {shown}"
        )
    return [sql.level_name(number) for number in numbers]


FAULTS = {
    "nameless": "{rows} without an item (NULL): {shown}; give each row its item",
    "twice": "{items} with more than one path: {shown}; keep one row of each",
    "orphan": "{items} without a parent: {shown}; name a node above each",
    "lacking": "the hierarchy lacks {items} of the data: {shown}; add a row for each",
}


def _refuse_faults(name: str, rows: list[Row], named: list[str]) -> None:
    for fault, message in FAULTS.items():
        found = [row for row in rows if row[0] == fault]
        if not found:
            continue
        if fault == "nameless":
            shown = ", ".join(repr(first) for _, _, first, _, _ in found)
        elif fault == "twice":
            shown = ", ".join(f"{one!r} ({first!r}, {last!r})" for _, one, first, last, _ in found)
        else:
            shown = ", ".join(repr(one) for _, one, *_ in found)
            pairs = alike([one for _, one, *_ in found], named) if fault == "lacking" else []
            if pairs:
                shown += f" ({told(pairs, 'is not')})"
        more = ", …" if found[0][4] > len(found) else ""
        rows_, items = (counted(found[0][4], one) for one in ("row", "item"))
        text = message.format(rows=rows_, items=items, shown=shown + more)
        raise InputError(f"--hierarchy: {name}: {text}")


def _refuse_strays(name: str, rows: list[Row]) -> None:
    if not rows:
        return
    shown = ", ".join(
        f"{label!r} of level{level} ({first!r} of level{low}, {last!r} of level{high})"
        for level, label, low, high, first, last, _ in rows
    )
    more = ", …" if rows[0][6] > len(rows) else ""
    nodes = counted(rows[0][6], "node")
    raise InputError(
        f"--hierarchy: {name}: {nodes} with more than one parent: {shown}{more}; "
        "give each node one parent, or two labels"
    )
