"""Group sensitive transactions by their traits, so that Python can plan losses per group.

Reads frequent_itemset, frequent_member and frequent_restrictive of `sql/mine/patterns.py`, and
sensitive, conflict and restricted of `anonymize.py`. A legitimate itemset is frequent and holds no
restrictive pattern. It is threatened if suppression could make it rare. The traits of a transaction
are its restrictive patterns and its threatened itemsets. Transactions of equal traits are one kind.
"""

from __future__ import annotations

from sqlglot import exp

from setveil.sql.step import Step, duck, duck_union, term

PRIME = 2**31 - 1


def legitimate(least: int) -> Step:
    """One row per legitimate itemset that could become rare if all its patterns harmed it.

    A pattern harms at most as many transactions as it must leave, and only itemsets that share an
    item with it. Itemsets are numbered by size and items, for any miner and its ids.
    """
    query = duck(
        """
        SELECT CAST(ROW_NUMBER() OVER (ORDER BY m.size, m.itemset) - 1 AS INT) AS number,
            m.itemset AS itemset, m.size AS size, m.support AS support
        FROM frequent_itemset AS m
        JOIN (
            SELECT e.itemset AS itemset, CAST(SUM(q.transactions) AS BIGINT) AS harm
            FROM (
                SELECT DISTINCT f.itemset AS itemset, r.pattern AS pattern
                FROM frequent_member AS f JOIN restricted AS r ON r.item = f.item
            ) AS e
            JOIN quota AS q ON q.pattern = e.pattern
            GROUP BY e.itemset
        ) AS h ON h.itemset = m.itemset
        WHERE h.harm > m.support - $least
            AND NOT EXISTS (
                SELECT 1 AS one FROM frequent_restrictive AS g WHERE g.itemset = m.itemset
            )
        """,
        least=least,
    )
    return Step(
        "legitimate",
        "each row is a frequent itemset without a pattern that suppression could make rare",
        query,
    )


def held() -> Step:
    """One row per sensitive transaction and legitimate itemset that it holds."""
    query = duck(
        """
        SELECT o.tid AS tid, l.number AS number
        FROM conflict AS c
        JOIN occurrence AS o ON o.tid = c.tid
        JOIN frequent_member AS m ON m.item = o.item
        JOIN legitimate AS l ON l.itemset = m.itemset
        GROUP BY o.tid, l.number, l.size
        HAVING COUNT(*) = l.size
        """
    )
    return Step(
        "held", "each row is a sensitive transaction and a legitimate itemset that it holds", query
    )


def exposed() -> Step:
    """One row per sensitive transaction and itemset that shares an item with its patterns."""
    query = duck(
        """
        SELECT DISTINCT h.tid AS tid, h.number AS number
        FROM held AS h
        JOIN legitimate AS l ON l.number = h.number
        JOIN frequent_member AS m ON m.itemset = l.itemset
        JOIN (
            SELECT DISTINCT s.tid AS tid, r.item AS item
            FROM sensitive AS s JOIN restricted AS r ON r.pattern = s.pattern
        ) AS v ON v.tid = h.tid AND v.item = m.item
        """
    )
    return Step(
        "exposed",
        "each row is a transaction that could lose a legitimate itemset with a pattern's item",
        query,
    )


def threats(least: int) -> Step:
    """One row per legitimate itemset that could become rare, and the losses it can bear."""
    query = duck(
        """
        SELECT l.number AS number, l.support - $least AS slack
        FROM legitimate AS l
        JOIN (SELECT number, COUNT(*) AS losses FROM exposed GROUP BY number) AS e
            ON e.number = l.number
        WHERE e.losses > l.support - $least
        """,
        least=least,
    )
    return Step(
        "threat",
        "each row is a threatened itemset; slack is the number of transactions it can lose",
        query,
    )


def traits(patterns: int) -> Step:
    """One row per sensitive transaction and trait: a pattern, or after the patterns, an itemset."""
    query = duck_union(
        """
        SELECT s.tid AS tid, s.pattern AS trait FROM sensitive AS s
        UNION ALL
        SELECT e.tid AS tid, $patterns + e.number AS trait
        FROM exposed AS e JOIN threat AS t ON t.number = e.number
        """,
        patterns=patterns,
    )
    return Step(
        "trait",
        "each row is a transaction and a trait: a pattern or a threatened itemset that it holds",
        query,
    )


def kinds(seed: int) -> Step:
    """One row per sensitive transaction: its kind, by two sums over its traits and their number."""
    query = duck(
        """
        SELECT p.tid AS tid,
            CAST(DENSE_RANK() OVER (ORDER BY p.one, p.two, p.traits) - 1 AS INT) AS kind
        FROM (
            SELECT t.tid AS tid, CAST(SUM($one) AS BIGINT) AS one,
                CAST(SUM($two) AS BIGINT) AS two, COUNT(*) AS traits
            FROM trait AS t GROUP BY t.tid
        ) AS p
        """,
        one=_hash(2 * seed + 1),
        two=_hash(2 * seed + 2),
    )
    return Step(
        "kind",
        "each row is a transaction with its kind: transactions of one kind have equal traits",
        query,
    )


def _hash(seed: int) -> exp.Expr:
    """A pseudorandom number below 2^31, without a function of any one database."""
    mixed = "((CAST(t.trait AS BIGINT) * 48271 + $seed) % $prime)"
    square = f"({mixed} * {mixed} % $prime)"
    return term(
        f"({square} * {square} % $prime) * {mixed} % $prime", seed=seed * 69_621, prime=PRIME
    )


def mixed() -> Step:
    """One row: the traits that only part of a kind's transactions have: none."""
    query = duck(
        """
        SELECT COUNT(*) AS mixed
        FROM (
            SELECT k.kind AS kind, t.trait AS trait, COUNT(*) AS having
            FROM kind AS k JOIN trait AS t ON t.tid = k.tid
            GROUP BY k.kind, t.trait
        ) AS h
        JOIN (SELECT kind, COUNT(*) AS transactions FROM kind GROUP BY kind) AS n
            ON n.kind = h.kind
        WHERE h.having <> n.transactions
        """
    )
    return Step(
        "mixed",
        "counts traits that only part of a kind has: 0, since no two sums were equal by chance",
        query,
    )


def kind_sizes() -> Step:
    """One row per kind: its number of transactions."""
    query = duck("SELECT kind, COUNT(*) AS transactions FROM kind GROUP BY kind ORDER BY kind")
    return Step("kind_sizes", "counts the transactions of each kind", query)


def kind_traits() -> Step:
    """One row per kind and trait."""
    query = duck(
        """
        SELECT k.kind AS kind, t.trait AS trait
        FROM kind AS k JOIN trait AS t ON t.tid = k.tid
        GROUP BY k.kind, t.trait ORDER BY kind, trait
        """
    )
    return Step("kind_traits", "lists the patterns and threatened itemsets of each kind", query)


def threat_items() -> Step:
    """One row per threatened itemset and item of a restrictive pattern in it."""
    query = duck(
        """
        SELECT t.number AS number, t.slack AS slack, m.item AS item
        FROM threat AS t
        JOIN legitimate AS l ON l.number = t.number
        JOIN frequent_member AS m ON m.itemset = l.itemset
        JOIN (SELECT DISTINCT item FROM restricted) AS r ON r.item = m.item
        ORDER BY number, item
        """
    )
    return Step(
        "threat_items",
        "lists the items of patterns in each threatened itemset, with the losses it can bear",
        query,
    )


def suppressed() -> Step:
    """One row per suppressed occurrence, as planned in loss(kind, item, above, upto).

    Transactions of a kind are ordered by key. Transactions after the first `above`, up to number
    `upto`, lose the item.
    """
    query = duck(
        """
        SELECT n.tid AS tid, l.item AS item, 1 AS round
        FROM (
            SELECT k.tid AS tid, k.kind AS kind,
                ROW_NUMBER() OVER (PARTITION BY k.kind ORDER BY b.key) AS place
            FROM kind AS k JOIN basket AS b ON b.tid = k.tid
        ) AS n
        JOIN loss AS l ON l.kind = n.kind AND n.place > l.above AND n.place <= l.upto
        """
    )
    return Step("suppressed", "each row is an occurrence that the release leaves out", query)
