"""Put transactions with similar other items side by side, in reverse Cuthill-McKee order.

Reads occurrence(tid, item), basket(tid, key) and sensitive_item(item). Makes plain(tid, item), the
occurrences of items that are not sensitive; vertex(tid, vertex), one row per transaction that has
any; and queue(tid, place), the order.

Transactions and items form a graph, in which an occurrence is an edge. Cuthill-McKee visits it in
breadth: the neighbours of an earlier vertex come first, those of few edges before others. A level
of this search is two statements, one for items and one for transactions. Every connected part is
searched at once, from its transaction of the fewest items. The paper of CAHD orders the graph of
transactions alone, whose edges are the square of ours.

The order and all ties depend only on ids and on items that are not sensitive. The numbers of
transactions do not serve here: they follow the most frequent items, sensitive ones too.
"""

from __future__ import annotations

from sqlglot import exp

from setveil.sql.step import Step, duck, term, together


def harmless() -> Step:
    """One row per occurrence of an item that is not sensitive."""
    query = duck(
        """
        SELECT o.tid AS tid, o.item AS item FROM occurrence AS o
        WHERE NOT EXISTS (SELECT 1 AS one FROM sensitive_item AS s WHERE s.item = o.item)
        """
    )
    return Step("plain", "each row is an occurrence of an item that is not sensitive", query)


def ranked() -> Step:
    """One row per transaction: its place in the order of ids."""
    query = duck(
        """
        SELECT b.tid AS tid, CAST(ROW_NUMBER() OVER (ORDER BY b.key) - 1 AS INT) AS place
        FROM basket AS b
        """
    )
    return Step("ranked", "each row is a transaction and its place in the order of ids", query)


def vertices() -> Step:
    """One row per transaction with other items: its place by their number, then by id."""
    query = duck(
        """
        SELECT n.tid AS tid,
            CAST(ROW_NUMBER() OVER (ORDER BY n.held, r.place) - 1 AS INT) AS vertex
        FROM (SELECT p.tid AS tid, COUNT(*) AS held FROM plain AS p GROUP BY p.tid) AS n
        JOIN ranked AS r ON r.tid = n.tid
        """
    )
    return Step(
        "vertex",
        "each row is a transaction with other items; those of few items have small numbers",
        query,
    )


def degrees() -> Step:
    """One row per item that is not sensitive: its place by support, then by number."""
    query = duck(
        """
        SELECT n.item AS item, CAST(ROW_NUMBER() OVER (ORDER BY n.held, n.item) - 1 AS INT) AS place
        FROM (SELECT p.item AS item, COUNT(*) AS held FROM plain AS p GROUP BY p.item) AS n
        """
    )
    return Step("degree", "each row is an item; those that few transactions hold come first", query)


# The connected parts


def components(number: int) -> Step:
    """One row per transaction: the smallest vertex that 2 * `number` edges lead to."""
    if not number:
        query = duck("SELECT v.tid AS tid, v.vertex AS start FROM vertex AS v")
    else:
        query = duck(
            """
            SELECT p.tid AS tid, MIN(i.start) AS start
            FROM plain AS p
            JOIN (
                SELECT q.item AS item, MIN(c.start) AS start
                FROM plain AS q JOIN $before AS c ON c.tid = q.tid
                GROUP BY q.item
            ) AS i ON i.item = p.item
            GROUP BY p.tid
            """,
            before=f"component_{number - 1}",
        )
    return Step(
        f"component_{number}",
        "each row is a transaction and the smallest of those that shared items lead to",
        query,
    )


def starts(number: int) -> Step:
    """One row: the sum of the starts, which falls until every part has one start."""
    query = duck(
        "SELECT COALESCE(SUM(CAST(c.start AS BIGINT)), 0) AS starts FROM $component AS c",
        component=f"component_{number}",
    )
    return Step("starts", "sums the starts: the parts are found when the sum stays equal", query)


# The levels of the search


def first_level(components: int) -> Step:
    """One row per connected part: its start."""
    query = duck(
        """
        SELECT v.tid AS tid, CAST(ROW_NUMBER() OVER (ORDER BY v.vertex) - 1 AS INT) AS place
        FROM vertex AS v JOIN $component AS c ON c.tid = v.tid AND c.start = v.vertex
        """,
        component=f"component_{components}",
    )
    return Step("level_0", "each row is the first transaction of a connected part", query)


def touched(number: int) -> Step:
    """One row per item that level `number` is the first to reach, in the order of its holders.

    An item of the level before stands one level above, so no older level needs a look.
    """
    known = "NOT EXISTS (SELECT 1 AS one FROM $before AS k WHERE k.item = p.item)"
    query = duck(
        """
        SELECT n.item AS item,
            CAST(ROW_NUMBER() OVER (ORDER BY n.place, d.place) - 1 AS INT) AS place
        FROM (
            SELECT p.item AS item, MIN(l.place) AS place
            FROM $level AS l JOIN plain AS p ON p.tid = l.tid
            WHERE $new
            GROUP BY p.item
        ) AS n
        JOIN degree AS d ON d.item = n.item
        """,
        level=f"level_{number - 1}",
        new=[term(known, before=f"touched_{number - 1}")] if number > 1 else [],
    )
    return Step(f"touched_{number}", "each row is an item that the search reaches here", query)


def level(number: int) -> Step:
    """One row per transaction that level `number` is the first to reach, in Cuthill-McKee order."""
    query = duck(
        """
        SELECT n.tid AS tid,
            CAST(ROW_NUMBER() OVER (ORDER BY n.place, v.vertex) - 1 AS INT) AS place
        FROM (
            SELECT p.tid AS tid, MIN(t.place) AS place
            FROM $touched AS t JOIN plain AS p ON p.item = t.item
            WHERE NOT EXISTS (SELECT 1 AS one FROM $before AS k WHERE k.tid = p.tid)
            GROUP BY p.tid
        ) AS n
        JOIN vertex AS v ON v.tid = n.tid
        """,
        touched=f"touched_{number}",
        before=f"level_{number - 1}",
    )
    return Step(f"level_{number}", "each row is a transaction that the search reaches here", query)


def queue(components: int, levels: int) -> Step:
    """One row per transaction with other items: its place in the order.

    Transactions that the last level did not reach stand last in their part.
    """
    query = duck(
        """
        SELECT v.tid AS tid,
            CAST(ROW_NUMBER() OVER (
                ORDER BY c.start DESC, COALESCE(l.level, $last) DESC,
                    COALESCE(l.place, v.vertex) DESC
            ) - 1 AS INT) AS place
        FROM vertex AS v
        JOIN $component AS c ON c.tid = v.tid
        LEFT JOIN $levels AS l ON l.tid = v.tid
        """,
        component=f"component_{components}",
        last=levels + 1,
        levels=together([_level(number) for number in range(levels + 1)]),
    )
    return Step(
        "queue", "each row is a transaction; those that share items stand side by side", query
    )


def _level(number: int) -> exp.Select:
    return duck(
        "SELECT l.tid AS tid, $number AS level, l.place AS place FROM $level AS l",
        number=number,
        level=f"level_{number}",
    )
