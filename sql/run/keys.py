"""Transaction ids of several columns: one text in a run, and the columns again in a release.

Reads source, or another relation with the user's columns. Makes keyed, its rows with the text; and
key_part, a row per id with its text and its columns. The text has the columns in their order with
`/` between them. A `%` or `/` in a value is written as in an address, so that no two ids have one
text.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from sqlglot import exp

from setveil.sql.step import Step, duck, term, user_column, user_columns

PARTS = "key_part"


def keyed(relation: str, columns: Sequence[str], keys: Sequence[str], key: str) -> Step:
    """The rows of a relation with the text of their transaction id."""
    query = duck(
        "SELECT $columns, $id AS $key FROM $rows AS s",
        columns=user_columns("s", columns),
        id=_joined([user_column(name) for name in keys]),
        key=user_column(key),
        rows=relation,
    )
    return Step("keyed", "each row is a row of the data, with the text of its id", query)


def with_text(relation: exp.Expr, keys: Sequence[exp.Column], key: exp.Column) -> exp.Subquery:
    """The rows of a relation with all its columns, and with the text of their id."""
    query = duck(
        "SELECT s.*, $id AS $key FROM $rows AS s", id=_joined(keys), key=key, rows=relation
    )
    return query.subquery()


def _joined(keys: Sequence[exp.Column]) -> exp.Expr:
    value = "REPLACE(REPLACE(CAST(s.$name AS TEXT), '%', '%25'), '/', '%2F')"
    texts = [term(value, name=name) for name in keys]
    return reduce(lambda a, b: term("$a || '/' || $b", a=a, b=b), texts)


def parts(keys: Sequence[str], key: str) -> Step:
    """One row per transaction id: its text and its columns."""
    query = duck(
        "SELECT DISTINCT $columns FROM source AS s WHERE NOT s.$key IS NULL",
        columns=user_columns("s", (key, *keys)),
        key=user_column(key),
    )
    return Step(PARTS, "each row is a transaction id: its text, and its columns", query)


def with_parts(query: exp.Select, keys: Sequence[str], key: str) -> exp.Select:
    """A query over `release` with the columns of the id in place of its text, sorted by them."""
    text = exp.column(user_column(key).this, table="r")
    columns = [exp.column(user_column(name).this, table="p") for name in keys]
    shown = query.copy()
    selected: list[exp.Expr] = []
    for one in shown.selects:
        if one.unalias() == text:
            selected += [two.copy().as_(two.this.copy()) for two in columns]
        else:
            selected.append(one)
    shown.set("expressions", selected)
    order = shown.args["order"]
    sorts: list[exp.Expr] = []
    for one in order.expressions:
        inner = one.this if isinstance(one, exp.Ordered) else one
        sorts += [two.copy() for two in columns] if inner == text else [one]
    order.set("expressions", sorts)
    return shown.join(
        exp.to_table(PARTS).as_("p"), on=exp.column(text.this.copy(), table="p").eq(text.copy())
    )
