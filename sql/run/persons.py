"""Give each transaction its person, where a column of the source names persons.

Reads source. Makes person(person, value), the numbers of persons; named_owner(key, person, other,
cells, named), the least and the largest person that the rows of a transaction name; and owner(key,
person), one row per transaction that is read.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from setveil.sql.step import Step, duck, each, shown, term, user_column, user_columns


def persons(person: exp.Column, source: str = "source") -> Step:
    """One row per person: a number by value, and the value."""
    query = duck(
        """
        SELECT CAST(ROW_NUMBER() OVER (ORDER BY v.value) - 1 AS INT) AS person, v.value AS value
        FROM (
            SELECT DISTINCT s.$person AS value FROM $source AS s WHERE NOT s.$person IS NULL
        ) AS v
        """,
        person=person,
        source=source,
    )
    return Step("person", "each row is a person: all transactions of a person count once", query)


def named_owners(key: exp.Column, person: exp.Column, source: str = "source") -> Step:
    """One row per transaction: the least and the largest person of its rows, and their numbers."""
    query = duck(
        """
        SELECT s.$key AS key, MIN(p.person) AS person, MAX(p.person) AS other,
            COUNT(*) AS cells, COUNT(p.person) AS named
        FROM $source AS s LEFT JOIN person AS p ON p.value = s.$person
        WHERE NOT s.$key IS NULL
        GROUP BY s.$key
        """,
        key=key,
        person=person,
        source=source,
    )
    return Step(
        "named_owner",
        "each row is a transaction, the first and the last person that its rows name, and the "
        "number of rows that name one",
        query,
    )


def faults() -> Step:
    """One row: transactions of two persons, partly without one, and without any; two examples."""
    query = duck(
        """
        SELECT
            COUNT(CASE WHEN o.person <> o.other THEN 1 END) AS mixed,
            MIN(CASE WHEN o.person <> o.other THEN CAST(o.key AS TEXT) END) AS example,
            COUNT(CASE WHEN o.named > 0 AND o.named < o.cells THEN 1 END) AS stray,
            MIN(CASE WHEN o.named > 0 AND o.named < o.cells THEN CAST(o.key AS TEXT) END)
                AS stray_example,
            COUNT(CASE WHEN o.named = 0 THEN 1 END) AS missing
        FROM named_owner AS o
        """
    )
    return Step(
        "owner_faults",
        "counts transactions of two persons, and those with rows that name no person: no promise "
        "covers them",
        query,
    )


def owners(*, guests: bool) -> Step:
    """One row per transaction with its person. Each guest is a person of one transaction."""
    guest = term(
        """
        CAST(COALESCE(
            o.person, n.persons + ROW_NUMBER() OVER (PARTITION BY o.named ORDER BY o.key) - 1
        ) AS INT)
        """
    )
    query = duck(
        """
        SELECT o.key AS key, $person AS person
        FROM named_owner AS o CROSS JOIN (SELECT COUNT(*) AS persons FROM person AS p) AS n
        WHERE $named
        """,
        person=guest if guests else term("o.person"),
        named=[] if guests else [term("o.named > 0")],
    )
    return Step("owner", "each row is a transaction and the number of its person", query)


def owned(columns: Sequence[str], key: exp.Column) -> Step:
    """The rows of transactions that have a person, and the rows without a transaction."""
    query = duck(
        """
        SELECT $columns FROM source AS s
        WHERE s.$key IS NULL OR EXISTS (SELECT 1 AS one FROM owner AS o WHERE o.key = s.$key)
        """,
        columns=user_columns("s", columns),
        key=key,
    )
    return Step("owned", "each row is a row of the source whose transaction has a person", query)


def numbers() -> Step:
    """One row: the persons with a transaction, and the most transactions of one person."""
    query = duck(
        """
        SELECT COUNT(*) AS persons, COALESCE(MAX(t.n), 0) AS most
        FROM (SELECT COUNT(*) AS n FROM basket AS b GROUP BY b.person) AS t
        """
    )
    return Step("persons", "counts the persons, and the most transactions of one person", query)


def likely(columns: Sequence[str], key: exp.Column) -> Step:
    """One row: the transactions; for each column its values, and transactions with two of them.

    A column names persons if its values are fewer than the transactions and a transaction has one.
    """
    counts = each("COUNT(DISTINCT t.least_{n}) AS values_{n}", range(len(columns))) + each(
        "COUNT(CASE WHEN t.least_{n} <> t.most_{n} THEN 1 END) AS mixed_{n}", range(len(columns))
    )
    ends: list[exp.Expr] = []
    for n, name in enumerate(columns):
        value = {"value": user_column(name, "s")}
        ends.append(shown(f"MIN(CAST($value AS TEXT)) AS least_{n}", **value))
        ends.append(shown(f"MAX(CAST($value AS TEXT)) AS most_{n}", **value))
    query = duck(
        """
        SELECT COUNT(*) AS transactions, $counts
        FROM (SELECT $ends FROM source AS s WHERE NOT s.$key IS NULL GROUP BY s.$key) AS t
        """,
        counts=counts,
        ends=ends,
        key=key,
    )
    return Step(
        "likely_persons",
        "counts the values of the other columns: a column of persons has several transactions per "
        "value, and one value per transaction",
        query,
    )


def matched(name: str, cells: exp.Expr, owners: exp.Expr) -> Step:
    """One row per transaction of a release: its person in the source, NULL if it has none.

    Keys are matched by their texts: a file can hold them in another type.
    """
    query = duck(
        """
        SELECT r.key AS key, o.person AS person
        FROM (SELECT DISTINCT c.key AS key FROM $cells AS c WHERE NOT c.key IS NULL) AS r
        LEFT JOIN $owners AS o ON CAST(o.key AS VARCHAR) = CAST(r.key AS VARCHAR)
        """,
        cells=cells,
        owners=owners,
    )
    return Step(
        name, "each row is a transaction of the release, and its person in the source", query
    )


def matches(name: str) -> Step:
    """One row: transactions without a person, persons, and the most transactions of a person."""
    query = duck(
        """
        SELECT
            CAST(COALESCE(
                SUM(CASE WHEN n.person IS NULL THEN n.held END), 0
            ) AS BIGINT) AS missing,
            COUNT(n.person) AS persons,
            COALESCE(MAX(CASE WHEN NOT n.person IS NULL THEN n.held END), 0) AS most
        FROM (SELECT o.person AS person, COUNT(*) AS held FROM $owner AS o GROUP BY o.person) AS n
        """,
        owner=name,
    )
    return Step(
        f"{name}s",
        "counts the persons, and transactions of the release without a person",
        query,
    )
