"""The steps that join what several releases show, for tests/golden."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from setveil.sql.comparison import history as comparison
from setveil.sql.history import joint, shown, tuples
from setveil.sql.run import reading
from setveil.sql.step import Step

CELLS = exp.to_table("cell")
PLAIN = shown.Given(CELLS)
SLICED = shown.Given(
    exp.to_table("node_cell"),
    levels=True,
    key=reading.column("basket no"),
    rows=exp.to_table("source"),
    slice=reading.column("slice"),
)
Made = Iterator[tuple[str, Step | exp.Query]]


def of_shown() -> Made:
    yield "rows", shown.rows([PLAIN, SLICED])
    yield "unlevelled", shown.unlevelled()
    yield "keys", shown.keys()
    yield "nodes", shown.nodes()
    yield "present", shown.present()
    yield "shown", shown.shown()
    yield "presences", shown.presences()
    yield "found", shown.found()
    yield "slices", shown.slices([PLAIN, SLICED])
    yield "torn", shown.torn()
    in_run = shown.owners_in(exp.to_table("owner"), exp.to_table("person"))
    yield "owners-in_runs", shown.owners([in_run, in_run])
    yield "owners", shown.owners([shown.owners_of(exp.to_table("owner"))])
    yield "owned", shown.owned()
    yield "items", shown.items([CELLS, CELLS], as_text=False)
    yield "items-as_text", shown.items([CELLS, CELLS], as_text=True)


def of_joint() -> Made:
    yield "members", joint.members()
    yield "vectors", joint.vectors()
    yield "vectors_counted", joint.vectors_counted()
    yield "members_by_slice", joint.members_by_slice()
    yield "union_cells", joint.union_cells(twins=False, empty=False)
    yield "union_cells-twins", joint.union_cells(twins=True, empty=True)
    yield "joint_cells", joint.joint_cells(empty=True)
    for twins in (False, True):
        roles = joint.roles(exp.to_table("role"), "history_node", twins=twins)
        yield f"roles{'-twins' * twins}", roles.this
    yield "label_rows", joint.label_rows(exp.to_table("listed"), "history_node").this
    yield "owner_rows", joint.owner_rows().this
    yield "parts", joint.parts(persons=False, sliced=False)
    yield "parts-persons", joint.parts(persons=True, sliced=True)
    yield "exposed", joint.exposed(persons=False)
    yield "exposed-persons", joint.exposed(persons=True)
    yield "exposed_twins", joint.exposed_twins(5, persons=False)
    yield "exposed_twins-persons", joint.exposed_twins(5, persons=True)
    yield "met", joint.met()


def of_tuples() -> Made:
    yield "above", tuples.above()
    yield "strangers", tuples.strangers()
    yield "nested", tuples.nested()
    yield "joint", tuples.joint()
    yield "tuples", tuples.tuples()
    yield "met", tuples.met()


def of_comparison() -> Made:
    node, item, role = (exp.to_table(name) for name in ("history_node", "item", "private_item"))
    yield "known", comparison.known(node, item, None, role)
    yield "known-public", comparison.known(node, item, exp.to_table("public_item"), role)
    yield "nobody_hides", comparison.nobody_hides()


SOURCES = {comparison: of_comparison, shown: of_shown, joint: of_joint, tuples: of_tuples}
