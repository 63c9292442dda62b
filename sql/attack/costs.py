"""Read the costs of single itemsets that may stay without a match.

Reads item, and known_item, known_member, known_set, mined_member and mined_set of the attack. Makes
given_cost(items, parts, codes), and known_cost and mined_cost(id, parts), in millionths.
"""

from __future__ import annotations

from sqlglot import exp

from setveil.sql.attack.candidates import MILLION
from setveil.sql.step import Step, duck


def given_costs(relation: exp.Expr) -> Step:
    """One row per itemset of the file: its items, its cost in millionths, and if it has codes."""
    query = duck(
        """
        SELECT LIST_SORT(LIST_DISTINCT(f.items)) AS items,
            CAST(ROUND(f.cost * $million) AS BIGINT) AS parts, CAST(f.codes AS INT) AS codes
        FROM $file AS f
        """,
        million=MILLION,
        file=relation,
    )
    why = "each row is an itemset of names, or of codes, and its cost if it has no match"
    return Step("given_cost", why, query)


def cost_faults() -> Step:
    """One row: the rows that lack their items, a cost above 0 or their kind, and those repeated."""
    query = duck(
        """
        SELECT CAST(COALESCE(SUM(g.incomplete), 0) AS BIGINT) AS incomplete,
            CAST(COALESCE(SUM(g.itemsets - 1), 0) AS BIGINT) AS repeated
        FROM (
            SELECT c.items AS items, c.codes AS codes, COUNT(*) AS itemsets,
                SUM(CASE WHEN c.items IS NULL OR c.parts IS NULL OR c.parts <= 0 OR c.codes IS NULL
                    THEN 1 ELSE 0 END) AS incomplete
            FROM given_cost AS c GROUP BY c.items, c.codes
        ) AS g
        """
    )
    why = "counts incomplete and repeated rows: each itemset needs one cost above 0"
    return Step("cost_faults", why, query)


def own_costs(side: str) -> Step:
    """One row per itemset, published or mined, that has a cost of its own.

    An itemset is the one of a row if it holds all items of the row, and is as large.
    """
    names = "known_item" if side == "known" else "item"
    query = duck(
        """
        SELECT m.id AS id, MIN(u.parts) AS parts
        FROM (
            SELECT n.number AS number, n.parts AS parts, n.size AS size, UNNEST(n.items) AS name
            FROM (
                SELECT ROW_NUMBER() OVER (ORDER BY c.items) AS number, c.parts AS parts,
                    CAST(LEN(c.items) AS INT) AS size, c.items AS items
                FROM given_cost AS c WHERE c.codes = $codes
            ) AS n
        ) AS u
        JOIN $names AS i ON CAST(i.name AS TEXT) = CAST(u.name AS TEXT)
        JOIN $members AS m ON m.item = i.item
        JOIN $sets AS s ON s.id = m.id AND s.size = u.size
        GROUP BY m.id, u.number, u.size
        HAVING COUNT(*) = u.size
        """,
        codes=int(side == "mined"),
        names=names,
        members=f"{side}_member",
        sets=f"{side}_set",
    )
    return Step(f"{side}_cost", f"each row is an itemset that was {side}, and its own cost", query)


def costs(side: str) -> Step:
    """The itemsets of one side with a cost of their own, in millionths."""
    query = duck(
        "SELECT c.id AS id, c.parts AS parts FROM $costs AS c ORDER BY id", costs=f"{side}_cost"
    )
    return Step(f"{side}_costs", "lists the costs of itemsets that have one of their own", query)
