"""Read what a query of the checker is given: a release, persons, lists, and faults of these.

Ids and names are compared as texts, by code points: so they are equal if a reader sees them alike.
Makes check_given(key, name[, level]) of a release in long form. With persons, makes
check_named(key, person, other, cells, named), the least and the largest person of a transaction.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from setveil.sql.query.violations import told
from setveil.sql.run import reading
from setveil.sql.step import duck, duck_union, shown, term, together

GIVEN, NAMED = "check_given", "check_named"


def rows(cells: exp.Expr, *, levels: bool = False) -> exp.Select:
    """One row (key, name) per cell of a relation, as texts, with its level if it has one."""
    return duck(
        """
        SELECT CAST(r.key AS TEXT) AS key, CAST(r.name AS TEXT) AS name, $level FROM $cells AS r
        """,
        level=[shown("CAST(r.level AS INT) AS level")] if levels else [],
        cells=cells,
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


def owners(*, guests: bool = False) -> exp.Subquery:
    """One row (key, person) per transaction that has a person, who has a number.

    Each guest is a person of one transaction, which names no person.
    """
    each = "CASE WHEN n.person IS NULL THEN n.key END"
    query = duck(
        """
        SELECT n.key AS key,
            CAST(DENSE_RANK() OVER (ORDER BY $person) - 1 AS BIGINT) AS person
        FROM $named AS n WHERE $known
        """,
        person=[term("n.person"), *([term(each)] if guests else [])],
        known=[] if guests else [term("n.named > 0")],
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


def supports(cells: exp.Expr) -> exp.Select:
    """One row (name, support) per item, in the type that the release has for names."""
    return duck(
        """
        SELECT c.name AS name, COUNT(DISTINCT CAST(c.key AS TEXT)) AS support FROM $cells AS c
        WHERE NOT c.key IS NULL AND NOT c.name IS NULL
        GROUP BY c.name
        """,
        cells=cells,
    )


def chosen(items: exp.Expr, condition: exp.Expr) -> exp.Select:
    """One row (label) per item (name, support), named i, that a condition chooses."""
    return duck(
        "SELECT DISTINCT CAST(i.name AS TEXT) AS label FROM $items AS i WHERE $condition",
        items=items,
        condition=exp.Paren(this=condition),
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


def empty() -> exp.Select:
    """A release without transactions."""
    return told(
        "the release is empty",
        duck(
            "SELECT COUNT(*) AS n FROM $given AS g WHERE NOT g.key IS NULL HAVING COUNT(*) = 0",
            given=GIVEN,
        ),
    )


def unread() -> list[exp.Select]:
    """Rows of a release in long form that no promise covers."""
    return [_lacking("transaction id", "g.key IS NULL"), _lacking("item", "g.name IS NULL")]


def unlevelled() -> exp.Select:
    """Nodes without a level."""
    return _lacking("level", "NOT g.name IS NULL AND g.level IS NULL")


def unlisted_lists(relation: exp.Expr, item: exp.Column) -> exp.Select:
    """A column of lists that is read as one of items: each list would be an item."""
    found = duck(
        """
        SELECT f.kind AS kind FROM (
            SELECT TYPEOF(r.$item) AS kind FROM $rows AS r LIMIT 1
        ) AS f
        WHERE f.kind LIKE '%]' OR f.kind LIKE 'array<%'
        """,
        item=item,
        rows=relation,
    )
    return told("the column of items holds lists: ask for the query with --lists", found)


def unread_lists(relation: exp.Expr, key: exp.Column, items: exp.Column) -> list[exp.Select]:
    """The faults of a release in LIST form. An empty list is no fault, and a row without items."""
    counts = duck(
        """
        SELECT n.without_key AS without_key, n.without_item AS without_item, n.whole - t.n AS again
        FROM $nulls AS n CROSS JOIN (
            SELECT COUNT(DISTINCT CAST(r.$key AS TEXT)) AS n FROM $rows AS r
            WHERE NOT r.$key IS NULL AND NOT r.$items IS NULL
        ) AS t
        """,
        nulls=reading.nulls_listed(key, items, relation).query,
        key=key,
        items=items,
        rows=relation,
    )
    faults = {
        "without_key": "rows without transaction id",
        "without_item": "rows without item",
        "again": "rows with the transaction id of another row",
    }
    return [
        told(
            fault,
            duck(
                "SELECT c.$column AS n FROM $counts AS c WHERE c.$column > 0",
                column=column,
                counts=counts,
            ),
            transactions="v.n",
        )
        for column, fault in faults.items()
    ]


def _lacking(what: str, condition: str) -> exp.Select:
    where = duck(f"SELECT 1 AS one FROM $given AS g WHERE {condition}", given=GIVEN)  # noqa: S608
    found = duck("SELECT COUNT(*) AS n FROM $rows AS r HAVING COUNT(*) > 0", rows=where.subquery())
    return told(f"rows without {what}", found, transactions="v.n")


def unowned(*, guests: bool = False) -> list[exp.Select]:
    """Transactions without a person, of two persons, and with rows that name none.

    A guest has a row in the relation of persons, which names no person.
    """
    missing = duck(
        """
        SELECT COUNT(*) AS n
        FROM (SELECT DISTINCT g.key AS key FROM $given AS g WHERE NOT g.key IS NULL) AS r
        LEFT JOIN $named AS n ON n.key = r.key
        WHERE $unknown
        HAVING COUNT(*) > 0
        """,
        given=GIVEN,
        named=NAMED,
        unknown=term("n.named IS NULL" if guests else "n.named IS NULL OR n.named = 0"),
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
