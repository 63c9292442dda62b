"""Check in one query whether patterns are hidden, by the relations of the checker.

Patterns enter as check_listed(pattern, name), with numbers for patterns and texts for names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlglot import exp

from setveil.sql.models.hiding import check
from setveil.sql.query.given import values
from setveil.sql.query.violations import gathered, told, unordered
from setveil.sql.step import Step, duck

LISTED = "check_listed"


def listed(relation: exp.Expr, pattern: exp.Column, item: exp.Column) -> exp.Select:
    """One row (pattern, name) per item of a pattern: patterns are numbered by their texts."""
    return duck(
        """
        SELECT DISTINCT
            CAST(DENSE_RANK() OVER (ORDER BY CAST(l.$pattern AS TEXT)) - 1 AS INT) AS pattern,
            CAST(l.$item AS TEXT) AS name
        FROM $rows AS l WHERE NOT l.$pattern IS NULL AND NOT l.$item IS NULL
        """,
        pattern=pattern,
        item=item,
        rows=relation,
    )


def relations(released: exp.Expr, original: exp.Expr) -> Iterator[Step]:
    """The relations of the checker."""
    yield check.keys(original, released)
    yield check.items(original, released)
    yield Step("check_pattern", "the items of each pattern that has no unknown item", _patterns())
    yield check.words("check_was", original)
    yield check.words("check_is", released)
    yield check.cohorts("check_cohort", "check_was")
    yield check.cohorts("check_left", "check_is")
    yield check.excused()
    yield check.changes()


def _patterns() -> exp.Select:
    """One row (pattern, item) per item of a pattern whose items are all known."""
    return duck(
        """
        SELECT l.pattern AS pattern, i.item AS item
        FROM $listed AS l JOIN check_item AS i ON i.label = l.name
        WHERE NOT EXISTS (
            SELECT 1 AS one
            FROM $listed AS o LEFT JOIN check_item AS u ON u.label = o.name
            WHERE o.pattern = l.pattern AND u.item IS NULL
        )
        """,
        listed=LISTED,
    )


def unknown() -> exp.Select:
    """The patterns of which neither side holds all items."""
    rows = duck(
        """
        SELECT p.pattern AS pattern, $items AS items
        FROM $listed AS p
        WHERE NOT EXISTS (SELECT 1 AS one FROM check_pattern AS k WHERE k.pattern = p.pattern)
        GROUP BY p.pattern
        """,
        items=gathered("p.name"),
        listed=LISTED,
    )
    return told("neither side holds all items of the pattern", rows, items="v.items")


def none_listed() -> exp.Select:
    """A list without a pattern."""
    rows = duck("SELECT COUNT(*) AS n FROM $listed AS l HAVING COUNT(*) = 0", listed=LISTED)
    return told("the list has no pattern", rows)


def found(hidden: exp.Expr) -> Iterator[exp.Select]:
    """The violations: patterns that are not `hidden`, and items that changed for no pattern."""
    rows = duck(
        """
        SELECT s.stays AS stays, p.items AS items
        FROM $supports AS s
        JOIN (
            SELECT l.pattern AS pattern, $items AS items FROM $listed AS l GROUP BY l.pattern
        ) AS p ON p.pattern = s.pattern
        WHERE NOT $hidden
        """,
        supports=unordered(check.supports()),
        items=gathered("l.name"),
        listed=LISTED,
        hidden=exp.Paren(this=hidden),
    )
    yield told("too many hold the pattern", rows, place=1, items="v.items", transactions="v.stays")
    changed = unordered(check.tampered(None))
    for fault, column in (
        ("transactions gained the item", "added"),
        ("transactions lost the item for no pattern", "stray"),
    ):
        some = duck(
            "SELECT t.label AS label, t.$column AS n FROM $rows AS t WHERE t.$column > 0",
            column=column,
            rows=changed,
        )
        yield told(fault, some, place=1, items="v.label", transactions="v.n")


def numbered(patterns: Sequence[Sequence[str]]) -> exp.Select:
    """One row (pattern, name) per item of patterns of the caller, numbered in their order."""
    rows = [
        [exp.Literal.number(number), exp.Literal.string(name)]
        for number, names in enumerate(patterns)
        for name in names
    ]
    return duck(
        "SELECT l.pattern AS pattern, CAST(l.name AS TEXT) AS name FROM $rows AS l",
        rows=values(["pattern", "name"], rows),
    )
