"""Part of the transactions: some of them, their frequent items, some items of each.

Reads basket(tid, key[, person]), occurrence(tid, item) and item(item, name, support) of a run, all
free of NULL. Every choice is a `roll`, so it depends on the seed and the numbers alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from setveil.sql.levels import table
from setveil.sql.step import Step, duck, each, joins, shown, term, together

M = 2_147_483_647  # 2^31 - 1, as in the rolls of the generator


def rolled(rows: exp.Query, names: Sequence[str], ids: tuple[str, str], offset: int) -> exp.Query:
    """The rows with a `roll`, made of two ids; in steps, which every database takes."""
    columns = [shown("r.$name AS $name", name=one) for one in names]
    first = duck(
        """
        SELECT
            $columns,
            (CAST($one AS BIGINT) * 48271 + CAST($two AS BIGINT) * 69621 + $offset) % $m AS x
        FROM $rows AS r
        """,
        columns=columns,
        one=term(ids[0]),
        two=term(ids[1]),
        offset=offset,
        m=M,
        rows=rows,
    )
    second = duck(
        "SELECT $columns, r.x, r.x * r.x % $m AS x2 FROM $rows AS r",
        columns=columns,
        m=M,
        rows=first,
    )
    return duck(
        "SELECT $columns, (r.x2 * r.x2 % $m) * r.x % $m AS roll FROM $rows AS r",
        columns=columns,
        m=M,
        rows=second,
    )


def drawn(count: int, offset: int, *, persons: bool) -> Step:
    """One row per transaction of the sample; where persons count, of `count` persons."""
    unit = "person" if persons else "tid"
    units = duck("SELECT DISTINCT b.$name AS unit FROM basket AS b", name=unit)
    query = duck(
        """
        WITH placed AS (
            SELECT r.unit, ROW_NUMBER() OVER (ORDER BY r.roll, r.unit) AS place
            FROM $rolled AS r
        )
        SELECT b.tid
        FROM basket AS b
        JOIN placed AS p ON p.unit = b.$name
        WHERE p.place <= $count
        """,
        rolled=rolled(units, ("unit",), ("r.unit", "0"), offset),
        name=unit,
        count=count,
    )
    return Step("drawn", "each row is a transaction of the sample, drawn by the seed", query)


def common(least: int) -> Step:
    """One row per item that at least so many transactions of the sample hold."""
    query = duck(
        """
        SELECT o.item
        FROM occurrence AS o
        JOIN drawn AS d ON d.tid = o.tid
        GROUP BY o.item
        HAVING COUNT(*) >= $least
        """,
        least=least,
    )
    return Step("common", "each row is an item that enough transactions of the sample hold", query)


def prepared(cutoff: int | None, offset: int) -> Step:
    """One row per occurrence that is left: up to `cutoff` items of each transaction."""
    left = duck(
        """
        SELECT o.tid, o.item
        FROM occurrence AS o
        JOIN drawn AS d ON d.tid = o.tid
        JOIN common AS c ON c.item = o.item
        """
    )
    why = "each row is an occurrence that is left"
    if cutoff is None:
        return Step("prepared", why, left)
    query = duck(
        """
        WITH placed AS (
            SELECT r.tid, r.item, ROW_NUMBER() OVER (PARTITION BY r.tid ORDER BY r.roll, r.item)
                AS place
            FROM $rolled AS r
        )
        SELECT tid, item FROM placed WHERE place <= $cutoff
        """,
        rolled=rolled(left, ("tid", "item"), ("r.tid", "r.item"), offset),
        cutoff=cutoff,
    )
    return Step("prepared", f"{why}, of {cutoff} items at most", query)


def items_left() -> Step:
    """One row: how many items are left."""
    query = duck("SELECT COUNT(DISTINCT p.item) AS items FROM prepared AS p")
    return Step("items_left", "counts the items that are left", query)


def named_rows(prepared: exp.Expr, basket: exp.Expr, item: exp.Expr) -> exp.Select:
    """The occurrences that are left under the names of the source, for a run of their own."""
    return duck(
        """
        SELECT b.key AS tid, i.name AS item
        FROM $prepared AS p
        JOIN $basket AS b ON b.tid = p.tid
        JOIN $item AS i ON i.item = p.item
        """,
        prepared=prepared,
        basket=basket,
        item=item,
    )


def listed_rows(
    prepared: exp.Expr, drawn: exp.Expr, basket: exp.Expr, item: exp.Expr
) -> exp.Select:
    """The lists of items that are left, empty ones too: they are transactions of the sample."""
    return duck(
        """
        SELECT b.key AS tid, $items
        FROM $drawn AS d
        JOIN $basket AS b ON b.tid = d.tid
        LEFT JOIN (
            SELECT p.tid, LIST(i.name ORDER BY i.name) AS kept
            FROM $prepared AS p
            JOIN $item AS i ON i.item = p.item
            GROUP BY p.tid
        ) AS k ON k.tid = d.tid
        """,
        items=[shown("COALESCE(k.kept, []) AS item")],
        prepared=prepared,
        drawn=drawn,
        basket=basket,
        item=item,
    )


def marked(count: int, offset: int) -> Step:
    """One row per item of a share that is drawn at random."""
    items = duck("SELECT i.item FROM item AS i")
    query = duck(
        """
        WITH placed AS (
            SELECT r.item, ROW_NUMBER() OVER (ORDER BY r.roll, r.item) AS place
            FROM $rolled AS r
        )
        SELECT item FROM placed WHERE place <= $count
        """,
        rolled=rolled(items, ("item",), ("r.item", "0"), offset),
        count=count,
    )
    return Step("marked", "each row is an item that the seed drew", query)


def marked_names() -> Step:
    """The names of the drawn items."""
    query = duck("SELECT i.name FROM marked AS m JOIN item AS i ON i.item = m.item ORDER BY i.item")
    return Step("marked_names", "lists the drawn items", query)


def surest_names() -> Step:
    """The items that are, of some transaction, the most frequent one that was not drawn.

    Xu et al., KDD 2008, section 4.1: these are private where the drawn ones are public.
    """
    query = duck(
        """
        WITH others AS (
            SELECT o.tid, i.item, $place
            FROM occurrence AS o
            JOIN item AS i ON i.item = o.item
            LEFT JOIN marked AS m ON m.item = o.item
            WHERE m.item IS NULL
        )
        SELECT i.name
        FROM (SELECT DISTINCT item FROM others WHERE place = 1) AS f
        JOIN item AS i ON i.item = f.item
        ORDER BY i.item
        """,
        place=[
            shown("ROW_NUMBER() OVER (PARTITION BY o.tid ORDER BY i.support DESC, i.item) AS place")
        ],
    )
    return Step(
        "surest_names",
        "lists the items that are the most frequent one of a transaction besides the drawn",
        query,
    )


def chosen_patterns(found: str, sizes: Sequence[int], most: int, count: int, offset: int) -> Step:
    """One row per pattern of a choice by the seed: sizes in turn, supports up to `most`."""
    largest = sizes[-1]
    each_size = [
        duck(
            """
            SELECT $size AS size, $items, $none
            FROM $relation AS f
            WHERE f.support <= $most
            """,
            size=size,
            items=each("f.item_{n} AS item_{n}", range(1, size + 1)),
            none=each("CAST(NULL AS INT) AS item_{n}", range(size + 1, largest + 1)),
            relation=table(found, size),
            most=most,
        )
        for size in sizes
    ]
    query = duck(
        """
        WITH turned AS (
            SELECT
                r.size, $items, r.roll,
                ROW_NUMBER() OVER (PARTITION BY r.size ORDER BY r.roll, $kept) AS turn
            FROM $rolled AS r
        ), placed AS (
            SELECT $shown, ROW_NUMBER() OVER (ORDER BY t.turn, t.size) AS place
            FROM turned AS t
        )
        SELECT $names
        FROM placed AS p
        JOIN $named
        WHERE p.place <= $count
        ORDER BY p.place
        """,
        items=each("r.item_{n}", range(1, largest + 1)),
        kept=each("r.item_{n}", range(1, largest + 1)),
        shown=each("t.item_{n}", range(1, largest + 1)),
        names=each("i{n}.name AS name_{n}", range(1, largest + 1)),
        named=joins("LEFT JOIN item AS i{n} ON i{n}.item = p.item_{n}", range(1, largest + 1)),
        rolled=rolled(
            together(each_size),
            ("size", *(f"item_{n}" for n in range(1, largest + 1))),
            ("r.item_1 * 1009 + r.item_2", "r.size"),
            offset,
        ),
        count=count,
    )
    return Step("chosen_patterns", "lists the patterns that the seed drew", query)
