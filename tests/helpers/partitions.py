"""Run the search of partition on a tree and transactions of numbers."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import duckdb

import harness
import oracles_partition as oracle
from setveil.models.k_anonymity.partition import prepare, recode
from setveil.models.k_anonymity.refine import refine as refine_by
from setveil.run.session import Session
from setveil.sql.models.k_anonymity import refine as sql

TABLES = {
    "node": "node INT, level INT, label VARCHAR, parent INT, leaves INT",
    "path": "item INT, node INT, level INT",
    "occurrence": "tid INT, item INT",
    "basket": "tid INT, person INT",
}


@contextlib.contextmanager
def prepared(
    connection: duckdb.DuckDBPyConnection,
    tree: oracle.Tree,
    baskets: list[oracle.Basket],
    whose: oracle.Persons | None = None,
) -> Iterator[Session]:
    """A run with the relations that partition reads."""
    rows = {
        "node": [(n.number, n.level, n.label, n.parent, n.leaves) for n in tree.nodes.values()],
        "path": [
            (item, node, tree.nodes[node].level)
            for item, path in tree.paths.items()
            for node in path
        ],
        "occurrence": [(tid, item) for tid, basket in enumerate(baskets) for item in basket],
        "basket": list(enumerate(range(len(baskets)) if whose is None else whose)),
    }
    relations = {name: (columns, rows[name]) for name, columns in TABLES.items()}
    with harness.prepared(connection, **relations) as session:
        yield session


def run(
    connection: duckdb.DuckDBPyConnection,
    tree: oracle.Tree,
    baskets: list[oracle.Basket],
    k: int,
    *,
    refine: bool = False,
    whose: oracle.Persons | None = None,
) -> oracle.Recoding:
    with prepared(connection, tree, baskets, whose) as session:
        recode(session, k, refine=refine, persons=whose is not None)
        rows = session.backend.rows("recoded", "SELECT tid, item, node FROM recoded")
    return {(tid, item): node for tid, item, node in rows}


def refined(
    connection: duckdb.DuckDBPyConnection,
    tree: oracle.Tree,
    baskets: list[oracle.Basket],
    k: int,
    whose: oracle.Persons | None = None,
) -> oracle.Recoding:
    """The result of the refined search, even if the greedy one loses less."""
    with prepared(connection, tree, baskets, whose) as session:
        refine_by(session, k, prepare(session), persons=whose is not None)
        session.create(sql.recoded())
        rows = session.backend.rows("recoded", "SELECT tid, item, node FROM recoded")
    return {(tid, item): node for tid, item, node in rows}


def seeded(seed: int, transactions: int) -> tuple[oracle.Tree, list[oracle.Basket]]:
    """Transactions of up to five of twelve items, and a tree of two levels."""
    tree = oracle.tree([[f"a{n // 2}", f"b{n // 4}"] for n in range(12)])
    baskets, x = [], seed + 1
    for _ in range(transactions):
        held = set()
        for _ in range(1 + x % 5):
            x = (x * 48271) % 2147483647
            held.add((x % 12) * (x // 97 % 12) // 12)
        baskets.append(frozenset(held))
    return tree, baskets
