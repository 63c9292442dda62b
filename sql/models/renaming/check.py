"""Judge a renaming from what was there and what is: nothing of what made it is asked.

Reads source and release in the user's columns and pairs(code, name). Makes check_before and
check_after(place, name): the items of every transaction, where in LIST form each row is one.
"""

from __future__ import annotations

from sqlglot import exp

from setveil.sql.step import Step, duck


def occurrences(name: str, relation: str, place: str, key: str, item: str, *, lists: bool) -> Step:
    """One row per transaction and item of `source` or `release`; `place` tells rows apart."""
    query = duck(
        """
        SELECT DISTINCT o.place AS place, o.name AS name
        FROM (SELECT $place AS place, $name AS name FROM $rows AS r WHERE NOT $key IS NULL) AS o
        WHERE NOT o.name IS NULL
        """,
        place=_column(place),
        name=exp.func("UNNEST", _column(item)) if lists else _column(item),
        key=_column(key),
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
    before = _shown("source", whole, {}).where(_present(key), _present(item))
    return _changed(before, _shown("release", whole, {}))


def changed_rows(columns: tuple[str, ...], key: str, item: str, pairs: exp.Expr) -> Step:
    """The same in long form, where an item is compared by its code."""
    before = _shown("source", list(columns), {item: exp.column("code", table="p")})
    same = exp.EQ(this=exp.column("name", table="p"), expression=_column(item))
    before = before.join(exp.alias_(pairs.copy(), "p", table=True), on=same)
    return _changed(before.where(_present(key)), _shown("release", list(columns), {}))


def _changed(before: exp.Select, after: exp.Select) -> Step:
    there = exp.Except(this=before, expression=after, distinct=False)
    back = exp.Except(this=after.copy(), expression=before.copy(), distinct=False)
    query = exp.Union(this=there.subquery(), expression=back, distinct=False)
    counted = duck("SELECT COUNT(*) AS changed FROM $rows AS d", rows=query)
    return Step("check_rows", "nothing but the names has changed", counted)


def _shown(relation: str, columns: list[str], instead: dict[str, exp.Expr]) -> exp.Select:
    shown = [
        instead.get(name, _column(name)).as_(f"c{place}") for place, name in enumerate(columns)
    ]
    return exp.Select().select(*shown).from_(exp.to_table(relation).as_("r"))


def _column(name: str) -> exp.Column:
    return exp.column(exp.to_identifier(name, quoted=True), table="r")


def _present(name: str) -> exp.Expr:
    return exp.Not(this=exp.Is(this=_column(name), expression=exp.null()))
