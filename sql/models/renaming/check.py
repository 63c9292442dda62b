"""Judge a renaming from what was there and what is: nothing of what made it is asked.

Reads source and release in the user's columns and pairs(code, name). Makes check_before and
check_after(place, name): the items of every transaction, where in LIST form each row is one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlglot import exp

from setveil.sql.step import Step, duck, duck_union, shown, term, user_column


def occurrences(name: str, relation: str, place: str, key: str, item: str, *, lists: bool) -> Step:
    """One row per transaction and item of `source` or `release`; `place` tells rows apart."""
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
    return Step(name, "what the transactions hold", query)


def one_to_one(pairs: exp.Expr) -> Step:
    """One row: how many pairs there are, codes and names."""
    query = duck(
        """
        SELECT COUNT(*) AS pairs, COUNT(DISTINCT p.code) AS codes, COUNT(DISTINCT p.name) AS names
        FROM $pairs AS p
        """,
        pairs=pairs,
    )
    return Step("check_pairs", "a renaming is one to one", query)


def differences(pairs: exp.Expr) -> Step:
    """One row: occurrences before, those of them that are not there after, and those made up."""
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
    return Step("check_occurrences", "every item is there by its code, and nothing else", query)


def changed_lists(columns: tuple[str, ...], key: str, item: str) -> Step:
    """One row: how many rows, but for their list, are there only before or only after."""
    whole = [name for name in columns if name != item]
    before = duck(
        "SELECT $columns FROM source AS r WHERE NOT r.$key IS NULL AND NOT r.$item IS NULL",
        columns=_numbered(whole),
        key=user_column(key),
        item=user_column(item),
    )
    return _changed(before, _numbered(whole))


def changed_rows(columns: tuple[str, ...], key: str, item: str, pairs: exp.Expr) -> Step:
    """One row: how many rows in long form, items by their codes, are only before or after."""
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
    return Step("check_rows", "nothing but the names has changed", counted)


def _numbered(
    columns: Sequence[str], instead: Mapping[str, exp.Expr] | None = None
) -> list[exp.Expr]:
    """The columns of `r` under numbers, c0, c1, …, some made `instead` of taken."""
    made = instead or {}
    return [
        shown("$one AS $name", one=made.get(name, user_column(name, "r")), name=f"c{place}")
        for place, name in enumerate(columns)
    ]
