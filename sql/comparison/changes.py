"""Set a release beside its original: items matched by name, transactions by key.

The queries run in the release's schema, and read item, basket and occurrence of the original by
their qualified names. They make matched_item(item, label, before, after, released), one row per
name of either side. Its `item` is the original's number; names of the release alone come last. Its
`before` and `after` are supports, `released` is the release's number or NULL. They also make
matched_basket(tid, released), and after(tid, item), the release's occurrences with its own
transactions and the matched items. Names and keys are compared as text.
"""

from __future__ import annotations

from sqlglot import exp

from setveil.sql.levels import table
from setveil.sql.mine.patterns import SIZES
from setveil.sql.models.coherence.search import REVEALING
from setveil.sql.run.reading import column
from setveil.sql.step import Step, duck, duck_union, each, joins, query_of, term


def nodes_as_items(
    released: exp.Table, key: str | None, line: str, item: str, level: str, *, lists: bool
) -> exp.Select:
    """The rows of a generalized release, with one name for a node: "1 fruit", "0 1 fruit"."""
    text = "CAST($level AS TEXT) || ' ' || CAST($item AS TEXT)"
    if lists:
        named = "CAST(x[1] AS TEXT) || ' ' || CAST(x[2] AS TEXT)"
        text = f"LIST_TRANSFORM(LIST_ZIP($level, $item), x -> {named})"
    name = term(text, level=column(level), item=column(item))
    return duck(
        "SELECT $name AS $item, $key FROM $released ORDER BY $line",
        name=name,
        item=column(item),
        key=[] if key is None else [column(key)],
        released=released,
        line=[column(line)] if key is None else [],
    )


def private_nodes(item: exp.Expr, private: exp.Expr) -> Step:
    """One row per private item that the release holds without generalization."""
    query = duck(
        """
        SELECT i.item AS item
        FROM item AS i
        JOIN $original AS o ON CAST(i.name AS TEXT) = '0 ' || CAST(o.name AS TEXT)
        JOIN $private AS r ON r.item = o.item
        ORDER BY item
        """,
        original=item,
        private=private,
    )
    return Step(
        "private_item",
        "each row is a private item that was published without generalization",
        query,
    )


def matched_items(original: exp.Expr, items: int) -> Step:
    """One row per item of the original or the release. The original has `items` items."""
    query = duck_union(
        """
        SELECT o.item AS item, CAST(o.name AS TEXT) AS label, o.support AS before,
            COALESCE(r.support, 0) AS after, r.item AS released
        FROM $original AS o LEFT JOIN item AS r ON CAST(r.name AS TEXT) = CAST(o.name AS TEXT)
        UNION ALL
        SELECT CAST($items + ROW_NUMBER() OVER (ORDER BY r.item) - 1 AS INT) AS item,
            CAST(r.name AS TEXT) AS label, 0 AS before, r.support AS after, r.item AS released
        FROM item AS r
        WHERE NOT EXISTS (
            SELECT 1 AS one FROM $original AS o WHERE CAST(o.name AS TEXT) = CAST(r.name AS TEXT)
        )
        """,
        original=original,
        items=items,
    )
    return Step(
        "matched_item", "each row is an item of the original or the release, matched by name", query
    )


def matched_baskets(original: exp.Expr) -> Step:
    """One row per transaction of the original that the release still holds."""
    query = duck(
        """
        SELECT o.tid AS tid, r.tid AS released
        FROM $original AS o JOIN basket AS r ON CAST(r.key AS TEXT) = CAST(o.key AS TEXT)
        """,
        original=original,
    )
    return Step("matched_basket", "each row is a transaction that both hold, matched by key", query)


def unchanged_items(original: exp.Expr) -> Step:
    """One row per item of the original that a generalized release publishes as it was."""
    query = duck(
        """
        SELECT o.item AS item, i.item AS released
        FROM $original AS o JOIN item AS i ON CAST(i.name AS TEXT) = '0 ' || CAST(o.name AS TEXT)
        """,
        original=original,
    )
    return Step(
        "matched_item", "each row is an item that the release publishes without a node", query
    )


def parts(role: str, original: exp.Expr) -> Step:
    """One row per item of the release that has this role in the original."""
    query = duck(
        """
        SELECT m.released AS item FROM matched_item AS m JOIN $original AS r ON r.item = m.item
        WHERE NOT m.released IS NULL ORDER BY item
        """,
        original=original,
    )
    return Step(
        f"{role}_item",
        "each row is an item of the release that has this role in the original",
        query,
    )


def after() -> Step:
    """One row per occurrence of the release, its item by the matched number."""
    query = duck(
        """
        SELECT o.tid AS tid, i.item AS item
        FROM occurrence AS o JOIN matched_item AS i ON i.released = o.item
        ORDER BY tid, item
        """
    )
    return Step(
        "after",
        "each row is an occurrence of the release, with the item's number in the original",
        query,
    )


def secret(occurrences: str | exp.Table, secrets: exp.Table) -> exp.Select:
    """The rows (tid, code) of sensitive items in the numbers of the original."""
    return duck(
        """
        SELECT o.tid AS tid, o.item AS code
        FROM $occurrences AS o JOIN $secrets AS s ON s.item = o.item
        """,
        occurrences=occurrences,
        secrets=secrets,
    )


def plain(occurrences: str | exp.Table, secrets: exp.Table) -> exp.Select:
    """The rows (tid, item) of other items in the numbers of the original."""
    return duck(
        """
        SELECT o.tid AS tid, o.item AS item FROM $occurrences AS o
        WHERE NOT EXISTS (SELECT 1 AS one FROM $secrets AS s WHERE s.item = o.item)
        """,
        occurrences=occurrences,
        secrets=secrets,
    )


def counts_in_numbers(counts: exp.Expr, items: exp.Table) -> exp.Select:
    """The rows (number, code, held) of the counts of groups, in the numbers of the original."""
    return duck(
        """
        SELECT c.number AS number, i.item AS code, c.held AS held
        FROM $counts AS c JOIN $items AS i ON CAST(i.name AS TEXT) = CAST(c.name AS TEXT)
        """,
        counts=counts,
        items=items,
    )


def groups_in_numbers(groups: exp.Expr) -> exp.Select:
    """The rows (tid, number) of the release's transactions and their groups."""
    return duck(
        "SELECT DISTINCT b.tid AS tid, g.number AS number FROM $groups AS g "
        "JOIN basket AS b ON b.key = g.key",
        groups=groups,
    )


def occurrences_kept(original: exp.Expr) -> Step:
    """One row: the occurrences of the original that the release keeps in their transaction."""
    query = duck(
        """
        SELECT COUNT(*) AS kept
        FROM $original AS o
        JOIN matched_basket AS b ON b.tid = o.tid
        JOIN after AS a ON a.tid = b.released AND a.item = o.item
        """,
        original=original,
    )
    return Step(
        "occurrences_kept",
        "counts the occurrences that the release keeps in their transaction",
        query,
    )


def items_changed() -> Step:
    """One row: the items that are gone, their occurrences, and the items that are new."""
    query = duck(
        """
        SELECT COUNT(CASE WHEN after = 0 THEN 1 END) AS gone,
            CAST(COALESCE(SUM(CASE WHEN after = 0 THEN before END), 0) AS BIGINT) AS gone_support,
            COUNT(CASE WHEN before = 0 THEN 1 END) AS new
        FROM matched_item
        """
    )
    return Step(
        "items_changed",
        "counts the items that the release lost, and the items that it added",
        query,
    )


def items_lost_most(limit: int) -> Step:
    """One row per item that lost support, the largest losses first."""
    query = duck(
        """
        SELECT label, before, after FROM matched_item
        WHERE before > after ORDER BY before - after DESC, item
        LIMIT $limit
        """,
        limit=limit,
    )
    return Step("items_lost_most", "lists the items that lost most occurrences", query)


def supports_changed() -> Step:
    """One row per item of either side: its supports before and after."""
    query = duck("SELECT before, after FROM matched_item ORDER BY item")
    return Step(
        "supports_changed",
        "lists the support of every item in the original and in the release",
        query,
    )


# Nodes of a generalized release, matched in the original's run


def published_nodes(item: exp.Expr, occurrence: exp.Expr, matched_basket: exp.Expr) -> Step:
    """One row per transaction of the original and node that the release publishes for it."""
    query = duck(
        """
        SELECT b.tid AS tid, n.node AS node
        FROM $matched_basket AS b
        JOIN $occurrence AS o ON o.tid = b.released
        JOIN $item AS i ON i.item = o.item
        JOIN node AS n
            ON CAST(n.level AS TEXT) || ' ' || n.label = CAST(i.name AS TEXT)
        """,
        item=item,
        occurrence=occurrence,
        matched_basket=matched_basket,
    )
    return Step(
        "published_node",
        "each row is a node that the release publishes for a transaction of the original",
        query,
    )


def recoded() -> Step:
    """One row per occurrence with a published node above it: the lowest such node.

    A node has a larger number than the nodes below it.
    """
    query = duck(
        """
        SELECT o.tid AS tid, o.item AS item, MIN(n.node) AS node
        FROM occurrence AS o
        JOIN path AS p ON p.item = o.item
        JOIN published_node AS n ON n.tid = o.tid AND n.node = p.node
        GROUP BY o.tid, o.item
        """
    )
    return Step(
        "recoded", "each row is an occurrence with the lowest published node above it", query
    )


def leaving_items() -> Step:
    """One row per item that attackers do not know, if each of its occurrences is published."""
    query = duck(
        """
        SELECT i.item AS item
        FROM item AS i
        WHERE NOT EXISTS (SELECT 1 AS one FROM public_item AS p WHERE p.item = i.item)
            AND i.support = (
                SELECT COUNT(*) AS n FROM recoded AS r WHERE r.item = i.item AND r.node = r.item
            )
        """
    )
    return Step(
        "leaving_item",
        "each row is an item that no attacker knows and that is published as it was: no node above "
        "stands for it",
        query,
    )


def unlike_suppression() -> Step:
    """One row: items with a node in some of their transactions only, and nodes with an item."""
    query = duck(
        """
        SELECT
            (
                SELECT COUNT(*) AS n
                FROM (
                    SELECT r.item AS item, COUNT(*) AS held FROM recoded AS r GROUP BY r.item
                ) AS h JOIN item AS i ON i.item = h.item
                WHERE h.held < i.support
            ) AS partly,
            (
                SELECT COUNT(*) AS n
                FROM (SELECT DISTINCT r.tid AS tid, r.node AS node FROM recoded AS r) AS f
            ) AS founded
        """
    )
    return Step(
        "unlike_suppression",
        "counts items that have a node in some of their transactions only, and nodes that stand "
        "for an item",
        query,
    )


# Frequent itemsets of the original, from its run, and of the release, from this run


def itemsets_kept(original: exp.Table, released: exp.Table, size: int) -> Step:
    """One row: the itemsets that are frequent on both sides."""
    query = duck(
        "SELECT COUNT(*) AS kept FROM $original AS o JOIN $released AS r ON $same",
        original=original,
        released=released,
        same=_same(size),
    )
    return Step(
        f"itemsets_kept_{size}",
        "counts the itemsets that are frequent in the original and in the release",
        query,
    )


def itemsets_lost_most(
    original: exp.Table, released: exp.Table | None, size: int, limit: int
) -> Step:
    """One row per frequent itemset that lost support: before, after, and its items' names.

    `after` is NULL where the itemset is no longer frequent.
    """
    left = "r.support" if released else "NULL"
    known = "LEFT JOIN $released AS r ON $same"
    others = joins(known, [size], released=released, same=_same(size)) if released else []
    others += joins("JOIN matched_item AS i{n} ON i{n}.item = o.item_{n}", range(1, size + 1))
    lost = term(f"o.support - COALESCE({left}, 0)")
    query = duck(
        """
        SELECT o.support AS before, CAST($left AS BIGINT) AS after, $labels
        FROM $original AS o JOIN $others
        WHERE $lost > 0
        ORDER BY $lost DESC, $items
        LIMIT $limit
        """,
        left=term(left),
        labels=each("i{n}.label AS item_{n}", range(1, size + 1)),
        original=original,
        others=others,
        lost=lost,
        items=each("o.item_{n}", range(1, size + 1)),
        limit=limit,
    )
    return Step(f"itemsets_lost_most_{size}", "lists the itemsets that lost most support", query)


def disclosed(original: list[exp.Table], released: list[exp.Table], found: str) -> Step:
    """One row: the restrictive itemsets that are frequent on both sides, over all sizes."""
    levels: list[exp.Expr] = [
        duck(
            """
            SELECT COUNT(*) AS itemsets FROM $original AS o
            JOIN $released AS r ON $same
            JOIN $restrictive AS x ON x.itemset = r.id * $sizes + $size
            """,
            original=theirs,
            released=ours,
            same=_same(size),
            restrictive=f"{found}_restrictive",
            sizes=SIZES,
            size=size,
        )
        for size, (theirs, ours) in enumerate(zip(original, released, strict=False), 1)
    ] or [duck("SELECT 0 AS itemsets")]
    query = duck(
        "SELECT CAST(SUM(l.itemsets) AS BIGINT) AS itemsets FROM $levels AS l", levels=levels
    )
    return Step(
        "disclosed",
        "counts the itemsets that had to be hidden and are still frequent in the release",
        query,
    )


def _same(size: int) -> list[exp.Expr]:
    return each("r.item_{n} = o.item_{n}", range(1, size + 1))


# The highest breach probability


def breaches(level: int, *, persons: bool = False) -> Step:
    """One row per support of the revealing itemsets: the most hits among them.

    With `persons`, also a row per number of persons: the most of them with one private item.
    """
    of_transactions = duck(
        """
        SELECT c.support AS support, MAX(l.hits) AS hits
        FROM $judged AS j
        JOIN $counted AS c ON c.id = j.id
        JOIN $link AS l ON l.id = j.id
        WHERE j.verdict = $revealing
        GROUP BY c.support
        """,
        judged=table("judged", level),
        counted=table("counted", level),
        link=table("link", level),
        revealing=REVEALING,
    )
    of_persons = duck(
        """
        SELECT p.persons AS support, MAX(r.persons) AS hits
        FROM $judged AS j
        JOIN $persons AS p ON p.id = j.id
        JOIN $reached AS r ON r.id = j.id
        WHERE j.verdict = $revealing
        GROUP BY p.persons
        """,
        judged=table("judged", level),
        persons=table("persons", level),
        reached=table("reached", level),
        revealing=REVEALING,
    )
    query = query_of("FROM $shares", shares=[of_transactions, *([of_persons] if persons else [])])
    return Step(
        f"breaches_{level}",
        "lists, per support of a revealing itemset, the transactions with its likeliest "
        "private item",
        query,
    )


def knowing_nothing(*, persons: bool = False) -> Step:
    """One row: all transactions, and the most of them that hold one private item.

    With `persons`, a second row has all persons, and the most of them with one private item.
    """
    guess = """
        SELECT t.transactions AS support, COALESCE(MAX(i.support), 0) AS hits
        FROM (SELECT COUNT($what) AS transactions FROM basket AS b) AS t
        LEFT JOIN (
            SELECT i.$support AS support FROM item AS i JOIN private_item AS r ON r.item = i.item
        ) AS i ON i.support > 0
        GROUP BY t.transactions
        """
    guesses = [duck(guess.replace("$what", "*"), support="support")]
    if persons:
        guesses.append(duck(guess.replace("$what", "DISTINCT b.person"), support="persons"))
    query = query_of("FROM $guesses", guesses=guesses)
    return Step(
        "knowing_nothing",
        "counts the holders of the most frequent private item: the guess without knowledge",
        query,
    )
