"""Read what a query of the checker is given: a release, persons, lists, and faults of these.

Ids and names are compared as texts, by code points: so they are equal if a reader sees them alike.
Makes check_given(key, name[, level]) of a release in long form. With persons, makes
check_named(key, person, other, cells, named), the least and the largest person of a transaction.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from setveil.sql.query.violations import told
from setveil.sql.step import duck, duck_union, shown, term, together

GIVEN, NAMED = "check_given", "check_named"


def rows(
    relation: exp.Expr, key: exp.Column, item: exp.Column, level: exp.Column | None = None
) -> exp.Select:
    """One row (key, name) per row of a relation in long form, with its level if it has one."""
    return duck(
        """
        SELECT CAST(r.$key AS TEXT) AS key, CAST(r.$item AS TEXT) AS name, $level
        FROM $rows AS r
        """,
        key=key,
        item=item,
        level=[] if level is None else [shown("CAST(r.$level AS INT) AS level", level=level)],
        rows=relation,
    )


def keyed(groups: exp.Query) -> exp.Select:
    """The rows (key, number) of groups, with keys as texts."""
    return duck(
        "SELECT CAST(m.key AS TEXT) AS key, m.number AS number FROM $groups AS m",
        groups=groups.subquery(),
    )


def named_persons(relation: exp.Expr, key: exp.Column, person: exp.Column) -> exp.Select:
    """One row per transaction of the relation of persons: the persons that its rows name."""
    return duck(
        """
        SELECT p.key AS key, MIN(p.person) AS person, MAX(p.person) AS other,
            COUNT(*) AS cells, COUNT(p.person) AS named
        FROM (
            SELECT CAST(o.$key AS TEXT) AS key, CAST(o.$person AS TEXT) AS person
            FROM $rows AS o
        ) AS p
        WHERE NOT p.key IS NULL
        GROUP BY p.key
        """,
        key=key,
        person=person,
        rows=relation,
    )


def owners() -> exp.Subquery:
    """One row (key, person) per transaction that has a person, who has a number."""
    query = duck(
        """
        SELECT n.key AS key,
            CAST(DENSE_RANK() OVER (ORDER BY n.person) - 1 AS BIGINT) AS person
        FROM $named AS n WHERE n.named > 0
        """,
        named=NAMED,
    )
    return query.subquery()


def labels(relation: exp.Expr, column: str | exp.Column) -> exp.Select:
    """One row (label) per name of a list."""
    return duck(
        """
        SELECT DISTINCT CAST(l.$column AS TEXT) AS label FROM $rows AS l
        WHERE NOT l.$column IS NULL
        """,
        column=column,
        rows=relation,
    )


def texts(column: str, names: Sequence[str]) -> exp.Expr:
    """A relation of one column with these texts; without texts, no row."""
    if not names:
        nothing = duck("SELECT CAST(NULL AS TEXT) AS $column WHERE FALSE", column=column)
        return nothing.subquery()
    return values([column], [[exp.Literal.string(one)] for one in names])


def values(columns: Sequence[str], given: Sequence[Sequence[exp.Expr]]) -> exp.Values:
    """A relation of these rows."""
    return exp.Values(
        expressions=[exp.Tuple(expressions=list(one)) for one in given],
        alias=exp.TableAlias(
            this=exp.to_identifier("given"), columns=[exp.to_identifier(one) for one in columns]
        ),
    )


def roles(private: str | None, public: str | None) -> exp.Query:
    """One row (label, private) per item with a role. By default all that are not private know."""
    known = duck("SELECT p.label AS label, 0 AS private FROM $public AS p", public=public or "")
    if public is None:
        known = duck(
            """
            SELECT DISTINCT g.name AS label, 0 AS private FROM $given AS g
            WHERE NOT g.name IS NULL AND $others
            """,
            given=GIVEN,
            others=[] if private is None else [_unlisted(private)],
        )
    if private is None:
        return known
    secret = duck("SELECT s.label AS label, 1 AS private FROM $private AS s", private=private)
    return together([known, secret])


def _unlisted(relation: str) -> exp.Expr:
    """The condition that a row g names no item of the list."""
    text = "NOT EXISTS(SELECT 1 AS one FROM $list AS s WHERE s.label = g.name)"
    return term(text, list=relation)


# Faults of the input: each row of them is one that `verify` refuses


def unread(*, levels: bool = False) -> list[exp.Select]:
    """A release without transactions, and its rows that no promise covers."""
    none = told(
        "the release is empty",
        duck(
            "SELECT COUNT(*) AS n FROM $given AS g WHERE NOT g.key IS NULL HAVING COUNT(*) = 0",
            given=GIVEN,
        ),
    )
    lacking = [("transaction id", "g.key IS NULL"), ("item", "g.name IS NULL")]
    if levels:
        lacking.append(("level", "NOT g.name IS NULL AND g.level IS NULL"))
    return [none, *(_lacking(what, condition) for what, condition in lacking)]


def _lacking(what: str, condition: str) -> exp.Select:
    where = duck(f"SELECT 1 AS one FROM $given AS g WHERE {condition}", given=GIVEN)  # noqa: S608
    found = duck("SELECT COUNT(*) AS n FROM $rows AS r HAVING COUNT(*) > 0", rows=where.subquery())
    return told(f"rows without {what}", found, transactions="v.n")


def unowned() -> list[exp.Select]:
    """Transactions without a person, of two persons, and with rows that name none."""
    missing = duck(
        """
        SELECT COUNT(*) AS n
        FROM (SELECT DISTINCT g.key AS key FROM $given AS g WHERE NOT g.key IS NULL) AS r
        LEFT JOIN $named AS n ON n.key = r.key
        WHERE n.named IS NULL OR n.named = 0
        HAVING COUNT(*) > 0
        """,
        given=GIVEN,
        named=NAMED,
    )
    mixed = duck(
        """
        SELECT COUNT(*) AS n FROM $named AS n
        WHERE n.named > 0 AND (n.person <> n.other OR n.named < n.cells)
        HAVING COUNT(*) > 0
        """,
        named=NAMED,
    )
    return [
        told("transactions without a person", missing, transactions="v.n"),
        told("transactions with rows of several persons", mixed, transactions="v.n"),
    ]


def unlisted(relation: str, option: str, names: str) -> exp.Select:
    """A list of which no name is in the release: `names` has the names of all items."""
    found = duck(
        """
        SELECT COUNT(*) AS n FROM $names AS i JOIN $list AS l ON l.label = i.label
        HAVING COUNT(*) = 0
        """,
        names=names,
        list=relation,
    )
    return told(f"the release holds no item of the list {option}", found)


def in_both(private: str, public: str, names: str) -> exp.Select:
    """Items of the release that are listed as private and as public."""
    found = duck_union(
        """
        SELECT s.label AS label FROM $private AS s
        INTERSECT
        SELECT p.label AS label FROM $public AS p
        INTERSECT
        SELECT i.label AS label FROM $names AS i
        """,
        private=private,
        public=public,
        names=names,
    )
    return told("an item is listed as private and as public", found, items="v.label")
