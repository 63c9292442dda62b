"""Replace transaction ids by random numbers, and restore ids from a key.

Makes entropy(secret), and renumbered(id, number): numbers from 1 to the number of transactions, in
the order of a hash that depends on the secret. The hash is MD5 twice, which every engine has and
computes alike; it decides only the order, and its values are not published. Its input is the place
of an id among all ids, so that the text form of ids does not matter. Reads release; to restore ids,
it reads source and number_key(id, number), a key as it was written.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from setveil.sql.step import Step, duck, term, user_column, user_columns


def entropy(secret: str) -> Step:
    """One row: the secret on which the order of the numbers depends."""
    query = duck("SELECT $secret AS secret", secret=exp.Literal.string(secret))
    return Step(
        "entropy", "holds the random secret; with it, numbers could be traced to ids", query
    )


def numbers(key: exp.Column, above: int = 0) -> Step:
    """One row per transaction of the release: its id and its number, in the order of numbers.

    The numbers are those `above` one that other slices have.
    """
    number = term("CAST($above + ROW_NUMBER() OVER (ORDER BY h.hash, h.place) AS INT)", above=above)
    first = term("CAST(ROW_NUMBER() OVER (ORDER BY h.hash, h.place) AS INT)")
    query = duck(
        """
        SELECT h.id AS id, $number AS number
        FROM (
            SELECT p.id AS id, p.place AS place,
                MD5(e.secret || ':' || MD5(e.secret || ':' || CAST(p.place AS TEXT))) AS hash
            FROM (
                SELECT d.id AS id, ROW_NUMBER() OVER (ORDER BY d.id) AS place
                FROM (SELECT DISTINCT r.$key AS id FROM release AS r) AS d
            ) AS p
            CROSS JOIN entropy AS e
        ) AS h
        ORDER BY number
        """,
        number=number if above else first,
        key=key,
    )
    return Step(
        "renumbered",
        "each row is a transaction id and its new number, in an order that a secret decides",
        query,
    )


def renumbered(query: exp.Select, key: exp.Column, name: str | None = None) -> exp.Select:
    """A query over `release` that has the number in place of the key, also in its ORDER BY.

    The column keeps its name, unless it gets another.
    """
    made = _replaced(query, key, "renumbered", "n")
    for one in made.selects:
        if name is not None and one.output_name == key.name:
            one.set("alias", user_column(name).this)
    return made


def groups(key: exp.Column, group: str, above: int = 0) -> Step:
    """One row per group of the release: its number, and a new one in the order of new ids.

    The new numbers are those `above` one that other slices have.
    """
    number = term("CAST($above + ROW_NUMBER() OVER (ORDER BY f.first) AS INT)", above=above)
    first = term("CAST(ROW_NUMBER() OVER (ORDER BY f.first) AS INT)")
    query = duck(
        """
        SELECT f.id AS id, $number AS number
        FROM (
            SELECT r.$group AS id, MIN(n.number) AS first
            FROM release AS r JOIN renumbered AS n ON n.id = r.$key
            GROUP BY r.$group
        ) AS f
        """,
        key=key,
        group=user_column(group),
        number=number if above else first,
    )
    return Step(
        "regrouped", "each row is a group and its new number, in the order of new ids", query
    )


def regrouped(query: exp.Select, group: str) -> exp.Select:
    """A query over a relation of groups that has new numbers of groups, also in its ORDER BY."""
    return _replaced(query, user_column(group), "regrouped", "g")


def above_others(query: exp.Select, group: str, least: int) -> exp.Select:
    """A query over a relation of groups whose numbers are above those of other slices."""
    shown = query.copy()
    number = term("CAST($least + $group AS INT)", least=least, group=_of("r", user_column(group)))
    for one in shown.selects:
        if one.unalias() == _of("r", user_column(group)):
            one.replace(number.as_(group, quoted=True))
    return shown


def _replaced(query: exp.Select, column: exp.Column, relation: str, alias: str) -> exp.Select:
    """The query with the relation's numbers in place of a column, which has its ids."""
    given, number = _of("r", column), exp.column("number", table=alias)
    shown = query.copy()
    for one in list(shown.find_all(exp.Column)):
        if one == given:
            one.replace(number.copy())
    made = exp.to_table(relation).as_(alias)
    same = exp.column("id", table=alias).eq(given)
    return shown.join(made, on=same)


def key_rows() -> exp.Select:
    """The key: every id with the number that replaces it."""
    return duck("SELECT n.id AS id, n.number AS number FROM renumbered AS n")


# Restore ids from a key


def key_read(relation: exp.Expr) -> Step:
    """One row per number of a key that was read, the number as text."""
    query = duck(
        "SELECT f.id AS id, CAST(f.number AS TEXT) AS number FROM $file AS f", file=relation
    )
    return Step(
        "number_key", "each row is a transaction id and its number, from the key file", query
    )


def key_sizes() -> Step:
    """One row: the rows of a key, its distinct ids and distinct numbers."""
    query = duck(
        """
        SELECT COUNT(*) AS pairs, COUNT(DISTINCT k.id) AS ids, COUNT(DISTINCT k.number) AS numbers
        FROM number_key AS k
        """
    )
    return Step(
        "number_key_size",
        "counts rows, ids and numbers of the key: each id and each number must be there once",
        query,
    )


def unknown_numbers(key: exp.Column) -> Step:
    """One row: the rows whose number is not in the key."""
    query = duck(
        """
        SELECT COUNT(*) AS missing FROM source AS s
        WHERE NOT s.$key IS NULL AND NOT EXISTS (
            SELECT 1 AS one FROM number_key AS k WHERE k.number = CAST(s.$key AS TEXT)
        )
        """,
        key=key,
    )
    return Step(
        "unknown_number", "counts rows whose number is not in the key: there must be none", query
    )


def put_back(columns: Sequence[str], key: exp.Column, original: exp.Expr) -> Step:
    """The rows of the source, with the id `original` of the key in place of the number."""
    query = duck(
        """
        SELECT $columns FROM source AS s
        LEFT JOIN number_key AS k ON k.number = CAST(s.$key AS TEXT)
        """,
        columns=user_columns("s", columns, {key.name: original}),
        key=key,
    )
    return Step(
        "put_back", "each row is a row of the source, with its transaction's original id", query
    )


def _of(table: str, name: exp.Column) -> exp.Column:
    return exp.column(name.this.copy(), table=table)
