"""Group sensitive transactions by what they hold, for Python to say how many of each lose what.

Reads frequent_itemset, frequent_member and frequent_restrictive of `sql.measures`, and sensitive,
conflict and restricted of `sql.hiding`. A legitimate itemset is frequent and holds no restrictive
pattern. What a transaction is judged by are its traits: restrictive patterns, and the legitimate
itemsets that victims could take too much of. Transactions of the same traits are of one kind.
"""

from __future__ import annotations

from sqlglot import exp

from setveil.sql.step import Step, duck, duck_union, term

PRIME = 2**31 - 1


def legitimate(least: int) -> Step:
    """One row per legitimate itemset that could become rare, if all patterns it meets did it harm.

    A pattern harms as many transactions as it must, and only itemsets that share an item with it.
    They are numbered by size and items, however the miner that counted them gave out its ids.
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
    return Step("legitimate", "what victims can take too much support from", query)


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
    return Step("held", "the legitimate itemsets of sensitive transactions", query)


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
    return Step("exposed", "where a victim can take support from a legitimate itemset", query)


def threats(least: int) -> Step:
    """One row per legitimate itemset that could become rare, and how many losses it can bear."""
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
    return Step("threat", "the border: itemsets that not everything can be taken from", query)


def traits(patterns: int) -> Step:
    """One row per sensitive transaction and trait: a pattern, or after those, an itemset."""
    query = duck_union(
        """
        SELECT s.tid AS tid, s.pattern AS trait FROM sensitive AS s
        UNION ALL
        SELECT e.tid AS tid, $patterns + e.number AS trait
        FROM exposed AS e JOIN threat AS t ON t.number = e.number
        """,
        patterns=patterns,
    )
    return Step("trait", "what transactions are judged by", query)


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
    return Step("kind", "transactions of the same traits are of one kind", query)


def _hash(seed: int) -> exp.Expr:
    """A number below 2^31 that looks like chance, without a function of any one database."""
    mixed = "((CAST(t.trait AS BIGINT) * 48271 + $seed) % $prime)"
    square = f"({mixed} * {mixed} % $prime)"
    return term(
        f"({square} * {square} % $prime) * {mixed} % $prime", seed=seed * 69_621, prime=PRIME
    )


def mixed() -> Step:
    """One row: traits that some transactions of a kind have and others have not: none."""
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
    return Step("mixed", "sums can be equal by chance: not here", query)


def kind_sizes() -> Step:
    """One row per kind: how many transactions are of it."""
    query = duck("SELECT kind, COUNT(*) AS transactions FROM kind GROUP BY kind ORDER BY kind")
    return Step("kind_sizes", "how many can lose the same", query)


def kind_traits() -> Step:
    """One row per kind and trait."""
    query = duck(
        """
        SELECT k.kind AS kind, t.trait AS trait
        FROM kind AS k JOIN trait AS t ON t.tid = k.tid
        GROUP BY k.kind, t.trait ORDER BY kind, trait
        """
    )
    return Step("kind_traits", "what each kind is judged by", query)


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
    return Step("threat_items", "which victims hurt which itemset, and what it can bear", query)


def suppressed() -> Step:
    """One row per occurrence that goes, as loss(kind, item, above, upto) says.

    Of a kind, in the order of keys, the transactions after the first `above`, to the `upto`-th,
    lose the item.
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
    return Step("suppressed", "what the release leaves out", query)
