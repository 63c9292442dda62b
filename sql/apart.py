"""Number rows in their order without one worker that sorts them all.

A window without PARTITION is computed by one worker. A sort is not: each worker numbers the rows of
its own span, and then adds the number of rows before it.
"""

from __future__ import annotations

from sqlglot import exp

from setveil.sql.step import Step, duck, shown, term

SPAN = 2**33  # how far apart Spark begins the numbers of its workers
OTHERS = ("group", "having", "distinct", "order", "limit")


def apart(step: Step) -> list[Step]:
    """Return the step, or two that number its rows in the same way, span by span.

    Only a query whose one window is a ROW_NUMBER over all rows has this other form.
    """
    found = _numbered(step.query)
    if found is None:
        return [step]
    title, window = found
    rows = step.query.copy()
    rows.set("expressions", [one for one in rows.selects if one.output_name != title])
    rows = rows.order_by(*(one.copy() for one in window.args["order"].expressions))
    ctes = rows.args.pop("with_", None)
    others = [one.output_name for one in rows.selects]
    place = f"{step.name}_sorted"
    sorted_rows = duck(
        "SELECT $others, ROW_NUMBER() OVER () - 1 AS place FROM $rows AS s",
        others=[shown("s.$name AS $name", name=one) for one in others],
        rows=rows,
    ).copy()
    sorted_rows.set("with_", ctes)
    why = f"each row has its place among the rows of one worker, in the order of {step.name}"
    numbered = duck(
        """
        SELECT $columns
        FROM $sorted AS s
        JOIN (
            SELECT n.span AS span,
                CAST(SUM(n.held) OVER (ORDER BY n.span) AS BIGINT) - n.held AS before
            FROM (
                SELECT HIGH(r.place, $width) AS span, COUNT(*) AS held
                FROM $sorted AS r GROUP BY HIGH(r.place, $width)
            ) AS n
        ) AS b ON b.span = HIGH(s.place, $width)
        """,
        columns=[
            _with_number(one, window)
            if one.output_name == title
            else shown("s.$name AS $name", name=one.output_name)
            for one in step.query.selects
        ],
        sorted=place,
        width=SPAN,
    )
    return [Step(place, why, sorted_rows), Step(step.name, step.why, numbered)]


def _numbered(query: exp.Query) -> tuple[str, exp.Window] | None:
    """The column with the number of a row, and its window; None if there is another window."""
    if not isinstance(query, exp.Select) or any(query.args.get(one) for one in OTHERS):
        return None
    windows = [(one, window) for one in query.selects for window in one.find_all(exp.Window)]
    if len(windows) != 1:
        return None
    ((column, window),) = windows
    plain = isinstance(window.this, exp.RowNumber) and not window.args.get("partition_by")
    inside = len(list(window.find_all(exp.Column)))
    if not plain or not window.args.get("order") or len(list(column.find_all(exp.Column))) > inside:
        return None
    named = all(one.output_name for one in query.selects)
    return (column.output_name, window) if named else None


def _with_number(column: exp.Expr, window: exp.Window) -> exp.Expr:
    """The column with the number from the spans in the place of its window."""
    number = exp.Paren(this=term("LOW(s.place, $width) + b.before + 1", width=SPAN))
    column = column.copy()
    found = column.find(exp.Window)
    assert found is not None
    found.replace(number)
    return column
