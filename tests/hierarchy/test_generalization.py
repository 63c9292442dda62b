"""Releases of nodes, and their loss, on the paper's own example: He, Naughton, Table 1."""

from __future__ import annotations

import pytest

import setveil
from printed import GROUPS, PAPER, TABLE_1B, rows
from runs import FINE
from setveil.hierarchy.recode import generalized, loss_of
from setveil.hierarchy.trees import read_hierarchy
from setveil.run.release import make_release
from setveil.sql.step import Step, duck


def recoded():
    """Health care for all, and alcohol for the first two."""
    query = """
        SELECT o.tid AS tid, o.item AS item,
            CASE WHEN n.label = 'Health Care' OR b.key < 'T3' THEN p.node ELSE o.item END AS node
        FROM occurrence AS o
        JOIN basket AS b ON b.tid = o.tid
        JOIN path AS p ON p.item = o.item AND p.level = 1
        JOIN node AS n ON n.node = p.node
    """
    return Step("recoded", "as in Table 1b", duck(query))


@pytest.fixture(params=["long", "lists"])
def baskets(request, connection):
    connection.execute("CREATE OR REPLACE TABLE given (tid VARCHAR, item VARCHAR)")
    connection.executemany("INSERT INTO given VALUES ($1, $2)", rows(PAPER))
    connection.execute("CREATE OR REPLACE TABLE tree (item VARCHAR, level1 VARCHAR)")
    connection.executemany("INSERT INTO tree VALUES ($1, $2)", list(GROUPS.items()))
    lists = "SELECT tid, LIST(item) AS item, 7 AS other FROM given GROUP BY tid"
    source, carry = (lists, ["other"]) if request.param == "lists" else ("given", [])
    with setveil.read(connection, source, tid="tid", carry=carry) as read:
        read.session.begin()
        yield read


def test_table_1(baskets):
    """ "So the total information loss of the database is (8/2)/12 = 1/3"."""
    hierarchy = read_hierarchy(baskets, "tree")
    baskets.session.create(recoded())
    loss = loss_of(baskets, hierarchy)
    assert loss.ncp == 1 / 3
    assert [(one.level, one.nodes, one.occurrences) for one in loss.levels] == [
        (0, 2, 4),
        (1, 2, 8),
    ]
    assert sum(one.ncp for one in loss.levels) == pytest.approx(1 / 3)
    # Beer and wine cost 1/2 in one of their three transactions, the others in all of theirs.
    assert loss.items == (1 / 6, 1 / 2, 1 / 2, 1 / 6)


@pytest.mark.everywhere
def test_release(baskets):
    hierarchy = read_hierarchy(baskets, "tree")
    baskets.session.create(recoded())
    step, shape = generalized(baskets)
    make_release(baskets, step, lambda cells: FINE, shape=shape)
    loss = loss_of(baskets, hierarchy)
    release = setveil.Release(
        baskets, "test", {}, FINE, loss, baskets.session.runs, released=shape
    )  # fmt: skip
    found = release.rows()
    if baskets.shape.lists:
        assert shape.columns == ("tid", "item", "level", "other")
        assert {key: list(zip(*lists, strict=True)) for key, *lists, _ in found} == TABLE_1B
    else:
        assert shape.columns == ("tid", "item", "level")
        assert found == [(key, *node) for key, nodes in TABLE_1B.items() for node in nodes]


def test_names_of_levels_give_way(connection):
    connection.execute("CREATE OR REPLACE TABLE given AS SELECT 1 AS \"Level\", 'a' AS level_")
    with setveil.read(connection, "given", tid="Level", item="level_") as baskets:
        release = setveil.km_anonymity(baskets, k=1, m=1, fanout=2)
        assert release.shape.columns == ("Level", "level_", "level__")
