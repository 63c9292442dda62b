"""Number the items and transactions of a source, and put the source together again.

Reads source: the user's columns, read once; a column may have any name, so each is qualified. Makes
label(item, popularity, name), basket(tid, key), occurrence(tid, item) and item(item, name,
support). Duplicate rows are one occurrence; rows with NULL are counted by `nulls` before, and left
out. A transaction without items is kept where the layout can show one. Reading and publishing may
use lists; no other step does.
"""

from __future__ import annotations

from collections.abc import Collection

from sqlglot import exp

from setveil.sql.step import (
    Step,
    duck,
    duck_union,
    joins,
    shown,
    term,
    user_column,
    user_columns,
)

POPULAR = 62  # bits of a BIGINT that stay clear of its sign


def column(name: str) -> exp.Column:
    """A column by the user's name for it, whatever characters that holds."""
    return user_column(name)


def cells(
    relation: str, key: exp.Column, item: exp.Column, level: exp.Column | None = None
) -> exp.Subquery:
    """One row (key, name) per row of `source` or `release` in long form, with its level if any."""
    query = duck(
        "SELECT r.$key AS key, r.$item AS name, $level FROM $rows AS r",
        key=key,
        item=item,
        level=[] if level is None else [shown("r.$level AS level", level=level)],
        rows=relation,
    )
    return query.subquery()


def listed_cells(
    relation: str, key: exp.Column, items: exp.Column, level: exp.Column | None = None
) -> Step:
    """One row (key, name) per element of a list; one with no name for an empty list.

    Levels are a list beside it, in the same order.
    """
    query = duck_union(
        """
        SELECT r.$key AS key, UNNEST(r.$items) AS name, $levels
        FROM $rows AS r WHERE NOT r.$items IS NULL
        UNION ALL
        SELECT r.$key AS key, NULL AS name, $no_level FROM $rows AS r
        WHERE NOT r.$key IS NULL AND LEN(r.$items) = 0
        """,
        key=key,
        items=items,
        levels=[shown("UNNEST(r.$level) AS level", level=level)] if level else [],
        no_level=[shown("CAST(NULL AS INT) AS level")] if level else [],
        rows=relation,
    )
    why = "each element of a list is one item of its transaction"
    return Step(f"{relation}_{'cell' if level is None else 'node'}", why, query)


def nulls_long(key: exp.Column, item: exp.Column) -> Step:
    """One row: the rows that say something; those without a transaction, an item, either."""
    query = duck(
        """
        SELECT COUNT(CASE WHEN NOT s.$key IS NULL AND NOT s.$item IS NULL THEN 1 END) AS cells,
            COUNT(*) - COUNT(s.$key) AS without_key,
            COUNT(*) - COUNT(s.$item) AS without_item,
            COUNT(CASE WHEN s.$key IS NULL OR s.$item IS NULL THEN 1 END) AS dropped
        FROM source AS s
        """,
        key=key,
        item=item,
    )
    return Step("nulls", "a row without a transaction or an item cannot be judged", query)


def nulls_listed(key: exp.Column, items: exp.Column) -> Step:
    """One row: elements that say something, rows without a key, lists and elements that are NULL.

    Then what is dropped: rows without a key or a list, and elements of the others. Last, the rows
    that have both.
    """
    query = duck(
        """
        SELECT
            CAST(COALESCE(SUM(
                CASE WHEN NOT s.$key IS NULL THEN LIST_COUNT(s.$items) END
            ), 0) AS BIGINT) AS cells,
            COUNT(*) - COUNT(s.$key) AS without_key,
            CAST(COALESCE(SUM(
                CASE WHEN s.$items IS NULL THEN 1 ELSE LEN(s.$items) - LIST_COUNT(s.$items) END
            ), 0) AS BIGINT) AS without_item,
            CAST(COALESCE(SUM(
                CASE WHEN s.$key IS NULL OR s.$items IS NULL THEN 1
                ELSE LEN(s.$items) - LIST_COUNT(s.$items) END
            ), 0) AS BIGINT) AS dropped,
            COUNT(CASE WHEN NOT s.$key IS NULL AND NOT s.$items IS NULL THEN 1 END) AS whole
        FROM source AS s
        """,
        key=key,
        items=items,
    )
    return Step("nulls", "a row without a transaction or an item cannot be judged", query)


def labels(cells: exp.Expr) -> Step:
    """One row per distinct item: its number by value, its rank by frequency, its name."""
    query = duck(
        """
        SELECT CAST(ROW_NUMBER() OVER (ORDER BY name) - 1 AS INT) AS item,
            CAST(ROW_NUMBER() OVER (ORDER BY cells DESC, name) - 1 AS INT) AS popularity,
            name
        FROM (
            SELECT c.name AS name, COUNT(*) AS cells FROM $cells AS c
            WHERE NOT c.key IS NULL AND NOT c.name IS NULL GROUP BY c.name
        ) AS counted
        """,
        cells=cells,
    )
    return Step(
        "label", "items are numbered by value; the most frequent give the order of tids", query
    )


def baskets(cells: exp.Expr) -> Step:
    """One row per transaction: similar ones get neighbouring numbers, so that blocks are fuller.

    Bit n of the mask stands for the n-th most frequent item: to sort by it is to sort by the
    most frequent item first, then by the next.
    """
    query = duck(
        """
        SELECT CAST(ROW_NUMBER() OVER (ORDER BY mask DESC, key) - 1 AS INT) AS tid, key
        FROM (
            SELECT c.key AS key,
                COALESCE(BIT_OR(
                    CASE WHEN l.popularity < $popular
                    THEN CAST(1 AS BIGINT) << CAST($popular - 1 - l.popularity AS INT) END
                ), 0) AS mask
            FROM $cells AS c LEFT JOIN label AS l ON l.name = c.name
            WHERE NOT c.key IS NULL
            GROUP BY c.key
        ) AS masked
        """,
        popular=POPULAR,
        cells=cells,
    )
    return Step("basket", "transactions with the same frequent items stand side by side", query)


def occurrences(cells: exp.Expr) -> Step:
    """One row per transaction and item it holds."""
    query = duck(
        """
        SELECT DISTINCT b.tid AS tid, l.item AS item
        FROM $cells AS c
        JOIN basket AS b ON b.key = c.key
        JOIN label AS l ON l.name = c.name
        ORDER BY tid, item
        """,
        cells=cells,
    )
    return Step("occurrence", "transactions are sets: duplicates are one", query)


def items() -> Step:
    """One row per item: its name, and how many transactions hold it."""
    query = duck(
        """
        SELECT l.item AS item, l.name AS name, n.support AS support
        FROM label AS l
        JOIN (SELECT item, COUNT(*) AS support FROM occurrence GROUP BY item) AS n
            ON n.item = l.item
        ORDER BY item
        """
    )
    return Step("item", "the support of every item", query)


def suppressed_items(items: str | exp.Table) -> Step:
    """One row per occurrence that goes because its item goes everywhere."""
    query = duck(
        """
        SELECT o.tid AS tid, o.item AS item, 1 AS round
        FROM occurrence AS o JOIN $items AS s ON s.item = o.item
        """,
        items=items,
    )
    return Step("suppressed", "what the release leaves out", query)


def release_long(
    columns: tuple[str, ...],
    number: str,
    key: exp.Column,
    item: exp.Column,
    *,
    everywhere: bool,
    distinct: bool,
) -> Step:
    """The rows of the source whose occurrence stays, with the item's number to sort by.

    What goes is in suppressed(tid, item), or `everywhere` in suppressed_item(item). Equal rows are
    one, if `distinct`.
    """
    owner = joins("JOIN basket AS b ON b.key = s.$key", [0], key=key)
    query = duck(
        """
        SELECT $columns, l.item AS $number
        FROM source AS s JOIN label AS l ON l.name = s.$item JOIN $owner
        WHERE NOT s.$key IS NULL AND $kept
        """,
        columns=user_columns("s", columns),
        number=column(number),
        item=item,
        owner=[] if everywhere else owner,
        key=key,
        kept=_kept("b", everywhere=everywhere),
    )
    why = "the rows of the source whose item was not suppressed in their transaction"
    return Step("release", why, query.distinct() if distinct else query)


def _kept(owner: str, *, everywhere: bool) -> exp.Expr:
    """The condition that the item of `l` stays, in the transaction of `owner`."""
    if everywhere:
        return term("NOT EXISTS (SELECT 1 AS one FROM suppressed_item AS d WHERE d.item = l.item)")
    return term(
        """
        NOT EXISTS (
            SELECT 1 AS one FROM suppressed AS d WHERE d.tid = $owner.tid AND d.item = l.item
        )
        """.replace("$owner", owner)
    )


def release_listed(
    columns: tuple[str, ...], line: str, key: exp.Column, item: str, *, everywhere: bool
) -> Step:
    """The rows of the source, each with the elements of its list that stay, in order of value."""
    query = duck(
        """
        SELECT $columns FROM source AS s
        LEFT JOIN (
            SELECT u.line AS line, LIST(u.name ORDER BY u.name) AS kept
            FROM (
                SELECT DISTINCT t.$line AS line, b.tid AS tid, UNNEST(t.$items) AS name
                FROM source AS t JOIN basket AS b ON b.key = t.$key
            ) AS u
            JOIN label AS l ON l.name = u.name
            WHERE $kept
            GROUP BY u.line
        ) AS k ON k.line = s.$line
        WHERE NOT s.$key IS NULL AND NOT s.$items IS NULL
        """,
        columns=user_columns("s", (*columns, line), {item: term("COALESCE(k.kept, [])")}),
        kept=_kept("u", everywhere=everywhere),
        line=column(line),
        items=column(item),
        key=key,
    )
    return Step("release", "the lists of the source without what was suppressed", query)


def published(
    columns: tuple[str, ...], order: tuple[str, ...], by_text: Collection[str] = ()
) -> exp.Select:
    """The release as it is written: every column, in an order that leaves no choice.

    The order of a column is that of its values, or `by_text` that of their text.
    """
    keys = [(term("r.$name", name=column(name)), name in by_text) for name in order]
    return duck(
        "SELECT $columns FROM release AS r ORDER BY $keys",
        columns=user_columns("r", columns),
        keys=[term("CAST($key AS TEXT)", key=key) if text else key for key, text in keys],
    )
