"""Find the moles among the nodes of a hierarchy, for a cut that publishes none.

Reads occurrence(tid, item), item, public_item, private_item, node and path. Nodes stand for public
items only. Makes climb(item, node), above(tid, node), secret(tid, item), forest and lifted(tid,
node): the transactions of the nodes that may be published. Where persons are counted, above and
lifted have the person of the transaction. conflict_N(node_1 … node_N) has the
moles of N nodes: of all pairs that may be published, of larger sets those that a cut publishes.
"""

from __future__ import annotations

from fractions import Fraction

from sqlglot import exp

from setveil.sql import levels
from setveil.sql.step import Step, duck, duck_union, each, joins, query_of, term


def climb() -> Step:
    """One row per public item and node above it, the item and the root included."""
    query = duck(
        """
        SELECT p.item AS item, p.node AS node
        FROM path AS p JOIN public_item AS r ON r.item = p.item
        """
    )
    return Step(
        "climb", "each row is a public item and a node that can be published in its place", query
    )


def above(*, persons: bool) -> Step:
    """One row per transaction and node above one of its public items; with its person, if asked."""
    query = duck(
        """
        SELECT DISTINCT o.tid AS tid, c.node AS node, $person
        FROM occurrence AS o JOIN climb AS c ON c.item = o.item JOIN $basket
        """,
        person=each("b.person AS person", range(persons)),
        basket=joins("JOIN basket AS b ON b.tid = o.tid", range(persons)),
    )
    return Step("above", "each row is a transaction and a node above one of its items", query)


def secrets() -> Step:
    """One row per transaction and private item it holds."""
    query = duck(
        """
        SELECT o.tid AS tid, o.item AS item
        FROM occurrence AS o JOIN private_item AS r ON r.item = o.item
        """
    )
    return Step("secret", "each row is a private item that a transaction holds", query)


def forest(h: Fraction, k: int, *, persons: bool) -> Step:
    """One row per node: its parent (-1: none), leaves, support, occurrences, and if it is fit.

    A node is fit if it is no mole by itself, and if no child stands for all its occurrences.
    """
    query = duck(
        """
        WITH told AS (
            SELECT q.node AS node, MAX(q.hits) AS hits, MAX(q.whose) AS whose
            FROM (
                SELECT a.node AS node, s.item AS item, COUNT(*) AS hits, $number AS whose
                FROM above AS a JOIN secret AS s ON s.tid = a.tid
                GROUP BY a.node, s.item
            ) AS q
            GROUP BY q.node
        ), held AS (
            SELECT c.node AS node, CAST(SUM(i.support) AS BIGINT) AS held
            FROM climb AS c JOIN item AS i ON i.item = c.item GROUP BY c.node
        )
        SELECT n.node AS node, COALESCE(n.parent, -1) AS parent,
            n.leaves - COALESCE(x.leaves, 0) AS leaves,
            COALESCE(h.held, 0) AS held,
            CASE WHEN a.number >= $k AND COALESCE(t.hits, 0) * $under <= $over * a.support
                AND COALESCE(t.whose, 0) * $under <= $over * a.number
                AND NOT EXISTS (
                    SELECT 1 AS one FROM node AS c JOIN held AS b ON b.node = c.node
                    WHERE c.parent = n.node AND b.held = h.held
                )
            THEN 1 ELSE 0 END AS fit
        FROM node AS n
        LEFT JOIN held AS h ON h.node = n.node
        LEFT JOIN (
            SELECT a.node AS node, COUNT(*) AS support, $number AS number
            FROM above AS a GROUP BY a.node
        ) AS a ON a.node = n.node
        LEFT JOIN told AS t ON t.node = n.node
        LEFT JOIN (
            SELECT p.node AS node, COUNT(*) AS leaves
            FROM path AS p
            WHERE NOT EXISTS (SELECT 1 AS one FROM public_item AS r WHERE r.item = p.item)
            GROUP BY p.node
        ) AS x ON x.node = n.node
        """,
        number=_number("a", persons=persons),
        k=k,
        over=h.numerator,
        under=h.denominator,
    )
    return Step(
        "forest",
        "each row is a node with its public leaves and their occurrences; a node is fit if it is "
        "no mole by itself",
        query,
    )


def _number(owner: str, *, persons: bool) -> exp.Expr:
    """The count that must reach k: of transactions, or of persons."""
    return term("COUNT(DISTINCT $owner.person)" if persons else "COUNT(*)", owner=owner)


def nodes() -> Step:
    """One row per node, in the order of the numbers."""
    query = duck(
        """
        SELECT f.node AS node, f.parent AS parent, f.leaves AS leaves, f.held AS held, f.fit AS fit
        FROM forest AS f ORDER BY node
        """
    )
    return Step("nodes", "lists the nodes, of which setveil chooses those to publish", query)


def lifted(*, persons: bool) -> Step:
    """One row per transaction and fit node above one of its items."""
    query = duck(
        """
        SELECT a.tid AS tid, a.node AS node, $person
        FROM above AS a JOIN forest AS f ON f.node = a.node
        WHERE f.fit = 1
        """,
        person=each("a.person AS person", range(persons)),
    )
    return Step(
        "lifted", "each row is a transaction and a node that may be published for it", query
    )


def chosen(relation: str, name: str, *, persons: bool) -> Step:
    """One row per transaction and node of a choice: the relation `item` lists its nodes."""
    query = duck(
        """
        SELECT l.tid AS tid, l.node AS node, $person
        FROM lifted AS l JOIN $relation AS c ON c.item = l.node
        """,
        person=each("l.person AS person", range(persons)),
        relation=relation,
    )
    return Step(name, "each row is a transaction and a node that the cut publishes", query)


def lengths(relation: str) -> Step:
    """One row per length: the number of transactions with so many nodes."""
    why = "counts transactions by their number of nodes, which bounds the sets of nodes to count"
    return Step("lengths", why, levels.lengths(relation))


def conflicts(
    size: int, relation: str, h: Fraction, k: int, *, private: bool, persons: bool
) -> Step:
    """One row per mole of `size` nodes, of those that some transaction holds in the relation.

    One node above the other is never a mole: it is the lower node with the same transactions.
    """
    numbers = range(1, size + 1)
    later = "JOIN $relation AS g{n} ON g{n}.tid = g1.tid AND g{before}.node < g{n}.node"
    others = joins(later, numbers[1:], relation=relation)
    nodes_of = each("g{n}.node AS node_{n}", numbers)
    if not private:
        query: exp.Query = duck(
            """
            SELECT $nodes FROM $relation AS g1 JOIN $others GROUP BY $nodes HAVING $number < $k
            """,
            nodes=nodes_of,
            relation=relation,
            others=others,
            number=_number("g1", persons=persons),
            k=k,
        )
    else:
        query = query_of(
            """
            WITH met AS (
                SELECT $nodes, COUNT(*) AS support, $number AS number
                FROM $relation AS g1 JOIN $others GROUP BY $nodes
            ), told AS (
                SELECT $nodes, s.item AS secret, COUNT(*) AS hits, $number AS whose
                FROM $relation AS g1 JOIN $others JOIN secret AS s ON s.tid = g1.tid
                GROUP BY $nodes, s.item
            )
            SELECT $members
            FROM met AS m
            LEFT JOIN (
                SELECT $named, MAX(t.hits) AS hits, MAX(t.whose) AS whose
                FROM told AS t GROUP BY $named
            ) AS w ON $same
            WHERE m.number < $k OR COALESCE(w.hits, 0) * $under > $over * m.support
                OR COALESCE(w.whose, 0) * $under > $over * m.number
            """,
            nodes=nodes_of,
            relation=relation,
            others=others,
            members=each("m.node_{n} AS node_{n}", numbers),
            named=each("t.node_{n} AS node_{n}", numbers),
            same=each("w.node_{n} = m.node_{n}", numbers),
            number=_number("g1", persons=persons),
            k=k,
            over=h.numerator,
            under=h.denominator,
        )
    return Step(
        f"conflict_{size}",
        f"each row is a mole of {size} nodes: at least one of them must not be published",
        query,
    )


def listed(size: int) -> Step:
    """One row per mole of `size` nodes, in order."""
    members = each("c.node_{n} AS node_{n}", range(1, size + 1))
    query = duck(
        "SELECT $members FROM $conflict AS c ORDER BY $members",
        members=members,
        conflict=f"conflict_{size}",
    )
    return Step(f"conflicts_{size}", f"lists the moles of {size} nodes", query)


def recoded() -> Step:
    """One row per published item and its node; items that nobody knows are published unchanged."""
    query = duck_union(
        """
        SELECT c.item AS item, c.node AS node
        FROM climb AS c JOIN published AS p ON p.item = c.node
        UNION ALL
        SELECT i.item AS item, i.item AS node
        FROM item AS i
        WHERE NOT EXISTS (SELECT 1 AS one FROM public_item AS r WHERE r.item = i.item)
        """
    )
    return Step(
        "recoded_item",
        "each row is an item and the node that is published in its place; an item that is not "
        "public is published unchanged",
        query,
    )


def suppressed() -> Step:
    """One row per item without a published node above it."""
    query = duck(
        """
        SELECT i.item AS item FROM item AS i
        WHERE NOT EXISTS (SELECT 1 AS one FROM recoded_item AS r WHERE r.item = i.item)
        ORDER BY item
        """
    )
    return Step(
        "suppressed_item", "each row is an item that is suppressed: no node is above it", query
    )
