"""Number the items and transactions of a source, and assemble the release from its rows.

Reads source: the user's columns, read once. A column may have any name, so each is qualified. Makes
label(item, popularity, name), basket(tid, key), occurrence(tid, item) and item(item, name,
support). Duplicate rows are one occurrence. Rows with NULL are counted by `nulls`, then left out. A
transaction without items is kept where the layout can show one. Reading and publishing may use
lists; no other step does.
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

POPULAR = 62  # bits of a BIGINT that leave its sign alone


def column(name: str) -> exp.Column:
    """A column by the user's name for it, whatever characters it has."""
    return user_column(name)


def cells(
    relation: str | exp.Expr, key: exp.Column, item: exp.Column, level: exp.Column | None = None
) -> exp.Subquery:
    """One row (key, name) per row of a relation in long form, with its level if it has one."""
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
    """One row (key, name) per element of a list; an empty list gives a row without a name.

    A second list, in equal order, may hold the levels.
    """
    why = "each row is a transaction and an element of its list"
    name = f"{relation}_{'cell' if level is None else 'node'}"
    return Step(name, why, elements(relation, key, items, level))


def elements(
    relation: str | exp.Expr, key: exp.Column, items: exp.Column, level: exp.Column | None = None
) -> exp.Query:
    """The rows of `listed_cells`."""
    return duck_union(
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


def nulls_long(key: exp.Column, item: exp.Column) -> Step:
    """One row: the complete rows; the rows without a transaction, an item, or either."""
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
    return Step(
        "nulls", "counts rows without a transaction id or an item: no promise can cover them", query
    )


def itemless(item: exp.Column, source: str = "source") -> Step:
    """One row: the rows without an item."""
    query = duck(
        "SELECT COUNT(*) - COUNT(s.$item) AS rows_left_out FROM $source AS s",
        item=item,
        source=source,
    )
    return Step("itemless", "counts rows without an item: they make no transaction", query)


def with_item(columns: Collection[str], item: exp.Column, source: str = "source") -> Step:
    """The rows of the source that have an item."""
    query = duck(
        "SELECT $columns FROM $source AS s WHERE NOT s.$item IS NULL",
        columns=user_columns("s", columns),
        item=item,
        source=source,
    )
    return Step("with_item", "each row is a row of the source that has an item", query)


def nulls_listed(key: exp.Column, items: exp.Column, relation: str | exp.Expr = "source") -> Step:
    """One row: complete elements, rows without a key, and lists or elements that are NULL.

    Then the number that would be dropped: rows without a key or a list, and NULL elements of the
    other rows. Last, the rows that have both a key and a list.
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
        FROM $rows AS s
        """,
        key=key,
        items=items,
        rows=relation,
    )
    return Step(
        "nulls",
        "counts rows without a transaction id or a list, and NULLs in lists: no promise "
        "covers them",
        query,
    )


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
        "label", "each row is a distinct item: its number by value, its rank by frequency", query
    )


def baskets(cells: exp.Expr, *, persons: bool = False) -> Step:
    """One row per transaction; similar ones get neighbouring numbers, so that blocks are full.

    With `persons` it has the person of the transaction too, from owner(key, person).

    Bit n of the mask stands for the n-th most frequent item. To sort by the mask is to sort by the
    most frequent item first, then by the next.
    """
    query = duck(
        """
        SELECT CAST(ROW_NUMBER() OVER (ORDER BY masked.mask DESC, masked.key) - 1 AS INT) AS tid,
            masked.key AS key, $person
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
        JOIN $owner
        """,
        popular=POPULAR,
        cells=cells,
        person=[shown("whose.person AS person")] if persons else [],
        owner=joins("JOIN owner AS whose ON whose.key = masked.key", [0] if persons else []),
    )
    return Step(
        "basket",
        "each row is a transaction; those with equal frequent items get neighbouring numbers",
        query,
    )


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
    return Step(
        "occurrence",
        "each row is an occurrence: a transaction and an item in it, without duplicates",
        query,
    )


def items(*, persons: bool = False) -> Step:
    """One row per item: its name, and the number of transactions that hold it.

    With `persons` also the persons who hold it, and the most transactions of one of them.
    """
    counts = duck("SELECT o.item AS item, COUNT(*) AS support FROM occurrence AS o GROUP BY o.item")
    if persons:
        counts = duck(
            """
            SELECT h.item AS item, CAST(SUM(h.held) AS BIGINT) AS support, COUNT(*) AS persons,
                MAX(h.held) AS most
            FROM (
                SELECT o.item AS item, COUNT(*) AS held
                FROM occurrence AS o JOIN basket AS b ON b.tid = o.tid
                GROUP BY o.item, b.person
            ) AS h
            GROUP BY h.item
            """
        )
    query = duck(
        """
        SELECT l.item AS item, l.name AS name, n.support AS support, $persons
        FROM label AS l JOIN $counts AS n ON n.item = l.item
        ORDER BY item
        """,
        counts=counts,
        persons=[shown("n.persons AS persons"), shown("n.most AS most")] if persons else [],
    )
    return Step(
        "item",
        "each row is an item with its support: the number of transactions that hold it",
        query,
    )


def suppressed_items(items: str | exp.Table) -> Step:
    """One row per occurrence of an item that is suppressed everywhere."""
    query = duck(
        """
        SELECT o.tid AS tid, o.item AS item, 1 AS round
        FROM occurrence AS o JOIN $items AS s ON s.item = o.item
        """,
        items=items,
    )
    return Step(
        "suppressed",
        "each row is an occurrence that the release leaves out: its item is suppressed everywhere",
        query,
    )


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

    Suppressed occurrences are in suppressed(tid, item), or with `everywhere` suppressed items in
    suppressed_item(item). With `distinct`, equal rows are one.
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
    why = "each row is a row of the source whose item is not suppressed"
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
    """The rows of the source, with the elements of their lists that stay, in order of value."""
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
    return Step(
        "release", "each row is a row of the source; its list lacks the suppressed items", query
    )


def published(
    columns: tuple[str, ...],
    order: tuple[str, ...],
    by_text: Collection[str] = (),
    relation: str = "release",
) -> exp.Select:
    """The release as it is written: every column, in a total order.

    A column is ordered by its values, or if it is in `by_text` by their text.
    """
    keys = [(term("r.$name", name=column(name)), name in by_text) for name in order]
    return duck(
        "SELECT $columns FROM $relation AS r ORDER BY $keys",
        relation=relation,
        columns=user_columns("r", columns),
        keys=[term("CAST($key AS TEXT)", key=key) if text else key for key, text in keys],
    )
