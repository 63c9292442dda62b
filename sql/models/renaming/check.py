"""Check a renaming from its source and its release alone.

Reads source and release in the user's columns and pairs(code, name). Makes check_before and
check_after(place, name): the items of every transaction; in LIST form each row is a transaction.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlglot import exp

from setveil.sql.step import Step, duck, duck_union, shown, term, user_column


def occurrences(name: str, relation: str, place: str, key: str, item: str, *, lists: bool) -> Step:
    """One row per transaction and item of `source` or `release`; `place` distinguishes rows."""
    query = duck(
        """
        SELECT DISTINCT o.place AS place, o.name AS name
        FROM (
            SELECT r.$place AS place, $name AS name FROM $rows AS r WHERE NOT r.$key IS NULL
        ) AS o
        WHERE NOT o.name IS NULL
        """,
        place=user_column(place),
        name=term("UNNEST(r.$item)" if lists else "r.$item", item=user_column(item)),
        key=user_column(key),
        rows=relation,
    )
    return Step(name, "each row is a transaction and an item it holds", query)


def one_to_one(pairs: exp.Expr) -> Step:
    """One row: the number of pairs, of distinct codes and of distinct names."""
    query = duck(
        """
        SELECT COUNT(*) AS pairs, COUNT(DISTINCT p.code) AS codes, COUNT(DISTINCT p.name) AS names
        FROM $pairs AS p
        """,
        pairs=pairs,
    )
    return Step("check_pairs", "counts pairs, codes and names: a renaming is one to one", query)


def differences(pairs: exp.Expr) -> Step:
    """One row: original occurrences, those that are missing, and those that were added."""
    query = duck(
        """
        SELECT
            (SELECT COUNT(*) FROM check_before) AS occurrences,
            (
                SELECT COUNT(*) FROM check_before AS b
                WHERE NOT EXISTS (
                    SELECT 1 AS one FROM $pairs AS p JOIN check_after AS a ON a.name = p.code
                    WHERE p.name = b.name AND a.place = b.place
                )
            ) AS lost,
            (
                SELECT COUNT(*) FROM check_after AS a
                WHERE NOT EXISTS (
                    SELECT 1 AS one FROM $pairs AS p JOIN check_before AS b ON b.name = p.name
                    WHERE p.code = a.name AND b.place = a.place
                )
            ) AS added
        """,
        pairs=pairs,
    )
    return Step(
        "check_occurrences",
        "counts occurrences that are missing or added after renaming: there must be none",
        query,
    )


def changed_lists(columns: tuple[str, ...], key: str, item: str) -> Step:
    """One row: the rows, compared without their list, that are only before or only after."""
    whole = [name for name in columns if name != item]
    before = duck(
        "SELECT $columns FROM source AS r WHERE NOT r.$key IS NULL AND NOT r.$item IS NULL",
        columns=_numbered(whole),
        key=user_column(key),
        item=user_column(item),
    )
    return _changed(before, _numbered(whole))


def changed_rows(columns: tuple[str, ...], key: str, item: str, pairs: exp.Expr) -> Step:
    """One row: the rows in long form, with codes for items, that are only before or after."""
    before = duck(
        """
        SELECT $columns FROM source AS r JOIN $pairs AS p ON p.name = r.$item
        WHERE NOT r.$key IS NULL
        """,
        columns=_numbered(columns, {item: term("p.code")}),
        pairs=pairs,
        item=user_column(item),
        key=user_column(key),
    )
    return _changed(before, _numbered(columns))


def _changed(before: exp.Select, columns: list[exp.Expr]) -> Step:
    rows = duck_union(
        """
        (FROM $before EXCEPT ALL FROM $after) UNION ALL (FROM $after EXCEPT ALL FROM $before)
        """,
        before=before,
        after=duck("SELECT $columns FROM release AS r", columns=columns),
    )
    counted = duck("SELECT COUNT(*) AS changed FROM $rows AS d", rows=rows)
    return Step(
        "check_rows",
        "counts rows that changed in anything but the names: there must be none",
        counted,
    )


def _numbered(
    columns: Sequence[str], instead: Mapping[str, exp.Expr] | None = None
) -> list[exp.Expr]:
    """The columns of `r` under numbers, c0, c1, …; `instead` replaces some of them."""
    made = instead or {}
    return [
        shown("$one AS $name", one=made.get(name, user_column(name, "r")), name=f"c{place}")
        for place, name in enumerate(columns)
    ]
