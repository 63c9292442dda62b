"""Put the violations that checkers find into one form, and all relations into one query.

A violation has a place: only those of the least place are shown, of each slice where slices are
judged. The checker too stops at the smallest sets that violate, and refuses faults of its input
first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sqlglot import exp

from setveil.sql.step import Step, duck, joins, shown, term, together

# The columns that a violation has beside its fault, and their types.
COLUMNS = {
    "items": "TEXT",
    "transactions": "BIGINT",
    "persons": "BIGINT",
    "reveals": "TEXT",
    "revealed_transactions": "BIGINT",
    "revealed_persons": "BIGINT",
}
FOUND = "check_violation"


def told(
    fault: str | exp.Expr,
    rows: exp.Query,
    *,
    place: int = 0,
    part: str | None = None,
    **columns: str | exp.Expr | None,
) -> exp.Select:
    """One violation per row `v` of a query, in words, with expressions for some columns.

    Where slices are judged, `part` is the name of an item of the violation: it tells the slice.
    """
    shown_columns = [
        shown("CAST($value AS TEXT) AS $name", name=name, value=_value(columns.get(name)))
        if kind == "TEXT"
        else shown("CAST($value AS BIGINT) AS $name", name=name, value=_value(columns.get(name)))
        for name, kind in COLUMNS.items()
    ]
    return duck(
        "SELECT $place AS place, $part, $fault AS fault, $columns FROM $rows AS v",
        place=place,
        part=[] if part is None else [shown(f"{_part_of(part)} AS part")],
        fault=exp.Literal.string(fault) if isinstance(fault, str) else fault,
        columns=shown_columns,
        rows=rows.subquery(),
    )


def _part_of(name: str) -> str:
    """The text of an expression: the part before the first blank of a name."""
    return f"SUBSTR({name}, 1, STRPOS({name} || ' ', ' ') - 1)"


def _value(given: str | exp.Expr | None) -> exp.Expr:
    if given is None:
        return exp.null()
    return term(given) if isinstance(given, str) else given


def either(condition: exp.Expr, fault: str, other: str) -> exp.Expr:
    """One of two faults."""
    return term(
        "CASE WHEN $condition THEN $fault ELSE $other END",
        condition=condition,
        fault=exp.Literal.string(fault),
        other=exp.Literal.string(other),
    )


def beside(names: Sequence[str]) -> str:
    """The text of an expression: texts side by side, separated by commas."""
    return " || ', ' || ".join(names)


def gathered(text: str) -> exp.Expr:
    """The aggregate of texts, separated by commas."""
    return term(f"STRING_AGG({text}, ', ' ORDER BY {text})")


def unordered(step: Step) -> exp.Query:
    """The rows of a step in any order: the whole query orders them."""
    query = step.query.copy()
    query.set("order", None)
    return query


def _flat(name: str, query: exp.Query) -> Iterator[tuple[str, exp.Query]]:
    """The relation and those of its WITH, which get names that no other relation has.

    Some databases know no WITH inside a WITH, and some let the names of both meet.
    """
    taken: set[str] = set()
    holders = [one for one in query.walk() if isinstance(one, exp.Query) and one.args.get("with_")]
    for holder in reversed(holders):
        parts = [(one.alias, one.this) for one in holder.args["with_"].expressions]
        names = {}
        for alias, _ in parts:
            names[alias] = _free(f"{name}_{alias}", taken)
        for table in list(holder.find_all(exp.Table)):
            if table.name in names and not table.db:
                if not table.alias:
                    table.set("alias", exp.TableAlias(this=exp.to_identifier(table.name)))
                table.set("this", exp.to_identifier(names[table.name]))
        holder.set("with_", None)
        for alias, part in parts:
            yield names[alias], part
    yield name, query


def _free(name: str, taken: set[str]) -> str:
    """The name, with a number if it is taken."""
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name}_{number}"
    taken.add(free)
    return free


def whole(
    relations: Mapping[str, exp.Query],
    violations: Sequence[exp.Select],
    slices: exp.Query | None = None,
) -> exp.Select:
    """One query that makes all relations and returns the violations, and their number with each.

    `slices` has the rows (part, slice) of a release whose slices are judged.
    """
    if slices is not None:
        violations = [_with_part(one) for one in violations]
    every = {**relations, FOUND: together(list(violations))}
    parts = dict(one for name, query in every.items() for one in _flat(name, query.copy()))
    of_slices = slices is not None
    return duck(
        """
        WITH parts AS ($parts)
        SELECT f.fault AS fault, $slice, $columns, CAST(COUNT(*) OVER () AS BIGINT) AS total
        FROM (
            SELECT n.place AS place, $part, n.fault AS fault, $named,
                MIN(n.place) OVER (PARTITION BY $each) AS least
            FROM $found AS n
        ) AS f
        JOIN $slices
        WHERE f.place = f.least
        ORDER BY fault, $first, persons, transactions, items, reveals
        """,
        parts=parts,
        slice=[shown("s.slice AS slice")] * of_slices,
        columns=[shown(f"f.{name} AS {name}") for name in COLUMNS],
        part=[shown("n.part AS part")] * of_slices,
        named=[shown(f"n.{name} AS {name}") for name in COLUMNS],
        found=FOUND,
        slices=_slices(slices),
        first=[term("slice")] * of_slices,
        each=[term("n.part")] * of_slices,
    )


def _slices(known: exp.Query | None) -> list[exp.Expr]:
    """The join of the names of slices, if slices are judged."""
    if known is None:
        return []
    return joins("LEFT JOIN $known AS s ON s.part = f.part", [0], known=known)


def _with_part(violation: exp.Select) -> exp.Select:
    """The violation with a column for its part, also if it is of none."""
    if any(one.alias == "part" for one in violation.selects):
        return violation
    violation = violation.copy()
    place, *others = violation.expressions
    violation.set("expressions", [place, shown("CAST(NULL AS TEXT) AS part"), *others])
    return violation


# Names of a part: its number, and behind a blank the name of an item


def bare(name: str) -> str:
    """The text of an expression: the name without its part; NULL for a part itself."""
    return f"CASE WHEN STRPOS({name}, ' ') > 0 THEN SUBSTR({name}, STRPOS({name}, ' ') + 1) END"


def named(name: str, *, sliced: bool) -> str:
    """The text of an expression: a name as it is shown."""
    return bare(name) if sliced else name
