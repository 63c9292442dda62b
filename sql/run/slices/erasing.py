"""Take transactions out of a slice, and what too few would hold then.

Reads a target, released, ledger_arrival and erase_key(key), the transactions to erase. Makes
remaining, the rows of a slice without them, and kept_rows, those that still keep the promise. Of
a slice in two relations it makes kept_counts, the rows of the second.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from setveil.sql.step import Step, duck, duck_union, term, user_columns


def affected(target: exp.Expr, key: exp.Column) -> Step:
    """One row per slice that has transactions to erase, with their number."""
    query = duck(
        """
        SELECT t.slice AS slice, COUNT(DISTINCT r.key) AS held
        FROM $target AS t JOIN released AS r ON r.id = CAST(t.$key AS TEXT) AND r.slice = t.slice
        JOIN erase_key AS g ON g.key = r.key
        GROUP BY t.slice
        ORDER BY slice
        """,
        target=target,
        key=key,
    )
    return Step("affected", "counts the transactions to erase, by slice", query)


def known_keys() -> Step:
    """One row: the keys to erase, and how many of them the ledger knows."""
    query = duck(
        """
        SELECT COUNT(*) AS held, COUNT(CASE WHEN EXISTS (
            SELECT 1 AS one FROM ledger_arrival AS l WHERE l.key = g.key
        ) THEN 1 END) AS known
        FROM erase_key AS g
        """
    )
    return Step("known_keys", "counts the keys to erase that the ledger knows", query)


def remaining(target: exp.Expr, key: exp.Column, columns: Sequence[str], number: int) -> Step:
    """The rows of a slice without the transactions to erase."""
    query = duck(
        """
        SELECT $columns FROM $target AS t
        WHERE t.slice = $number AND NOT EXISTS (
            SELECT 1 AS one FROM released AS r JOIN erase_key AS g ON g.key = r.key
            WHERE r.id = CAST(t.$key AS TEXT) AND r.slice = $number
        )
        """,
        columns=user_columns("t", columns),
        target=target,
        number=number,
        key=key,
    )
    return Step("remaining", "each row is a row of the slice whose transaction stays", query)


def kept_counts(
    target: exp.Expr,
    counts: exp.Expr,
    key: exp.Column,
    group: exp.Column,
    columns: Sequence[str],
    number: int,
) -> Step:
    """The counts of a slice, of groups that lose no transaction.

    Nobody can say which counts an erased transaction was part of, so its group loses all.
    """
    query = duck(
        """
        SELECT $columns FROM $counts AS c
        WHERE c.slice = $number AND NOT EXISTS (
            SELECT 1 AS one FROM $target AS t
            JOIN released AS r ON r.id = CAST(t.$key AS TEXT) AND r.slice = t.slice
            JOIN erase_key AS g ON g.key = r.key
            WHERE t.slice = $number AND t.$group = c.$group
        )
        """,
        columns=user_columns("c", columns),
        counts=counts,
        target=target,
        key=key,
        group=group,
        number=number,
    )
    return Step("kept_counts", "each row is a count of a group that loses no transaction", query)


def whole_classes(key: exp.Column, item: exp.Column, columns: Sequence[str], k: int) -> Step:
    """The rows of `remaining` whose transaction has k - 1 twins."""
    query = duck(
        """
        WITH signed AS (
            SELECT r.$key AS key, COUNT(*) AS held, SUM(CAST(
                DIGEST(CAST(r.level AS TEXT) || ':' || CAST(r.$item AS TEXT)) AS DECIMAL(38, 0)
            )) AS digest
            FROM remaining AS r GROUP BY r.$key
        ), twin AS (
            SELECT s.held AS held, s.digest AS digest
            FROM signed AS s LEFT JOIN released AS o ON o.id = CAST(s.key AS TEXT)
            GROUP BY s.held, s.digest
            HAVING COUNT(DISTINCT COALESCE(o.person, CAST(s.key AS TEXT))) >= $k
        )
        SELECT $columns FROM remaining AS t
        JOIN signed AS s ON s.key = t.$key
        JOIN twin AS w ON w.held = s.held AND w.digest = s.digest
        """,
        key=key,
        item=item,
        k=k,
        columns=user_columns("t", columns),
    )
    return Step("kept_rows", "each row is a row whose transaction has enough twins", query)


def nodes_as_names(item: exp.Column, columns: Sequence[str]) -> exp.Select:
    """The rows of `remaining` with one name per node: items keep theirs."""
    name = term(
        """
        CASE WHEN r.level = 0 THEN CAST(r.$item AS TEXT)
        ELSE CHR(31) || CAST(r.level AS TEXT) || CHR(31) || CAST(r.$item AS TEXT) END
        """,
        item=item,
    )
    return duck(
        "SELECT $columns FROM remaining AS r",
        columns=user_columns("r", columns, {item.name: name}),
    )


def with_kept_nodes(
    kept: exp.Expr, key: exp.Column, item: exp.Column, columns: Sequence[str]
) -> Step:
    """The rows of `remaining` whose node, by its name, is in rows (key, name)."""
    query = duck(
        """
        SELECT $columns FROM remaining AS r
        WHERE EXISTS (
            SELECT 1 AS one FROM $kept AS c
            WHERE c.key = r.$key AND c.name = CASE WHEN r.level = 0 THEN CAST(r.$item AS TEXT)
            ELSE CHR(31) || CAST(r.level AS TEXT) || CHR(31) || CAST(r.$item AS TEXT) END
        )
        """,
        columns=user_columns("r", columns),
        kept=kept,
        key=key,
        item=item,
    )
    return Step("kept_rows", "each row is a row whose node stays", query)


def kept_rows(columns: Sequence[str], relation: exp.Expr) -> Step:
    """The rows of a slice after a repair."""
    query = duck(
        "SELECT $columns FROM $relation AS r", columns=user_columns("r", columns), relation=relation
    )
    return Step("kept_rows", "each row is a row of the slice after transactions were erased", query)


def no_rows(columns: Sequence[str]) -> Step:
    """No row of a slice: none can keep the promise."""
    query = duck(
        "SELECT $columns FROM remaining AS r WHERE FALSE", columns=user_columns("r", columns)
    )
    return Step("kept_rows", "no row of the slice can stay", query)


def of_whole_but(old: exp.Expr, columns: Sequence[str], number: int) -> Step:
    """The judged rows of all slices, with those of `kept_rows` in the place of one slice."""
    query = duck_union(
        """
        SELECT $old_columns FROM $old AS t WHERE t.slice <> $number
        UNION ALL
        SELECT $new_columns FROM kept_rows AS r
        """,
        old=old,
        number=number,
        old_columns=user_columns("t", columns),
        new_columns=user_columns("r", columns),
    )
    return Step("whole_target", "each row is a row of the target after the erasure", query)


def owners() -> Step:
    """One row per transaction of the target: its id there, and the number of its person."""
    query = duck(
        """
        SELECT r.id AS key, CAST(DENSE_RANK() OVER (ORDER BY r.person) - 1 AS INT) AS person
        FROM released AS r WHERE NOT r.id IS NULL
        """
    )
    return Step("erase_owner", "each row is a transaction of the target and its person", query)


def longest(key: exp.Column) -> Step:
    """One row: the most nodes of a transaction that stays."""
    query = duck(
        """
        SELECT MAX(t.held) AS longest
        FROM (SELECT COUNT(*) AS held FROM remaining AS r GROUP BY r.$key) AS t
        """,
        key=key,
    )
    return Step("longest_left", "counts the nodes of the longest transaction", query)
