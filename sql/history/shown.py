"""Number all that several releases show, so that their transactions can be joined by id.

Reads the cells (key, name[, level]) of each release. Makes

  history_row(release, key, name, level)   one row per cell, as text.
  history_key(tid, key)                    one row per transaction of any release.
  history_node(node, level, label)         one row per item or node of any release, from 1.
  history_present(release, tid)            one row per release and transaction that it holds.
  history_shown(release, tid, node)        one row per release, transaction and item shown of it.
  history_presence(tid, presence, kind)    one row per transaction, with a bit per release.
                                           Equal presences have one kind, a number from 0.
  history_slice(release, tid, slice)       one row per transaction of a release with slices.
  history_owner(tid, person)               one row per transaction and its person.
  item(item, name, support)                one row per name, by which lists name items.

Keys and names are compared as text: a file can hold them in another type.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from setveil.sql.step import Step, duck, term, together


@dataclass(frozen=True, slots=True)
class Given:
    """A release as it is read: its cells, and whether these have levels."""

    cells: exp.Expr
    levels: bool = False
    key: exp.Column | None = None  # of `rows`, the rows of its source, with the slice of each
    rows: exp.Expr | None = None
    slice: exp.Column | None = None


def rows(releases: Sequence[Given]) -> Step:
    """One row per cell of a release; a NULL name marks a transaction without items."""
    parts = [
        duck(
            """
            SELECT $release AS release, CAST(c.key AS TEXT) AS key, CAST(c.name AS TEXT) AS name,
                $level AS level
            FROM $cells AS c WHERE NOT c.key IS NULL
            """,
            release=number,
            level=term("CAST(c.level AS INT)") if one.levels else 0,
            cells=one.cells,
        )
        for number, one in enumerate(releases)
    ]
    return Step(
        "history_row",
        "each row is an item or node that a release shows of a transaction",
        together(parts),
    )


def unlevelled() -> Step:
    """One row: the nodes without a level."""
    query = duck(
        """
        SELECT COUNT(*) AS unlevelled FROM history_row AS r
        WHERE NOT r.name IS NULL AND r.level IS NULL
        """
    )
    return Step("history_levels", "counts nodes without a level, which are refused", query)


def keys() -> Step:
    """One row per transaction of any release."""
    query = duck(
        """
        SELECT ROW_NUMBER() OVER (ORDER BY k.key) - 1 AS tid, k.key AS key
        FROM (SELECT DISTINCT r.key AS key FROM history_row AS r) AS k
        """
    )
    return Step("history_key", "each row is a transaction of any release, by its id", query)


def nodes() -> Step:
    """One row per item or node of any release."""
    query = duck(
        """
        SELECT CAST(ROW_NUMBER() OVER (ORDER BY n.level, n.label) AS INT) AS node,
            n.level AS level, n.label AS label
        FROM (
            SELECT DISTINCT r.level AS level, r.name AS label
            FROM history_row AS r WHERE NOT r.name IS NULL
        ) AS n
        """
    )
    return Step("history_node", "each row is an item or node of any release, in numbers", query)


def present() -> Step:
    """One row per release and transaction that it holds."""
    query = duck(
        """
        SELECT DISTINCT r.release AS release, k.tid AS tid
        FROM history_row AS r JOIN history_key AS k ON k.key = r.key
        """
    )
    return Step("history_present", "each row is a release and a transaction in it", query)


def shown() -> Step:
    """One row per release, transaction, and item or node that the release shows of it."""
    query = duck(
        """
        SELECT DISTINCT r.release AS release, k.tid AS tid, n.node AS node
        FROM history_row AS r
        JOIN history_key AS k ON k.key = r.key
        JOIN history_node AS n ON n.level = r.level AND n.label = r.name
        """
    )
    return Step("history_shown", "each row is an item that a release shows of a transaction", query)


def presences() -> Step:
    """One row per transaction: a number with a bit for each release that holds it."""
    query = duck(
        """
        SELECT b.tid AS tid, b.presence AS presence,
            CAST(DENSE_RANK() OVER (ORDER BY b.presence) - 1 AS INT) AS kind
        FROM (
            SELECT p.tid AS tid,
                CAST(SUM(CAST(1 AS BIGINT) << CAST(p.release AS INT)) AS BIGINT) AS presence
            FROM history_present AS p GROUP BY p.tid
        ) AS b
        """
    )
    return Step(
        "history_presence",
        "each row is a transaction and, as bits of a number, the releases that hold it",
        query,
    )


def found() -> Step:
    """One row per presence: its number, transactions, and the cells that releases show of them."""
    query = duck(
        """
        SELECT p.kind AS kind, p.presence AS presence, COUNT(DISTINCT p.tid) AS transactions,
            COUNT(s.node) AS cells
        FROM history_presence AS p LEFT JOIN history_shown AS s ON s.tid = p.tid
        GROUP BY p.kind, p.presence ORDER BY kind
        """
    )
    return Step(
        "history_found",
        "counts the transactions that are in exactly the same releases, and their cells",
        query,
    )


def slices(releases: Sequence[Given]) -> Step:
    """One row per transaction of a release with slices, and slice of it."""
    parts = [
        duck(
            """
            SELECT DISTINCT $release AS release, k.tid AS tid,
                COALESCE(CAST(s.$slice AS TEXT), '') AS slice
            FROM $rows AS s JOIN history_key AS k ON k.key = CAST(s.$key AS TEXT)
            """,
            release=number,
            slice=one.slice,
            rows=one.rows,
            key=one.key,
        )
        for number, one in enumerate(releases)
        if one.slice is not None and one.rows is not None and one.key is not None
    ]
    return Step(
        "history_slice",
        "each row is a transaction of a release and the slice in which it was appended",
        together(parts),
    )


def torn() -> Step:
    """One row: the transactions that a release has in two slices."""
    query = duck(
        """
        SELECT COUNT(*) AS mixed FROM (
            SELECT s.tid AS tid FROM history_slice AS s GROUP BY s.release, s.tid
            HAVING COUNT(*) > 1
        ) AS t
        """
    )
    return Step("history_torn", "counts transactions in two slices of a release", query)


def owners(known: Sequence[exp.Query]) -> Step:
    """One row per transaction and person of it, from rows (key, value) of each release."""
    query = duck(
        """
        SELECT k.tid AS tid, CAST(DENSE_RANK() OVER (ORDER BY o.value) - 1 AS INT) AS person
        FROM (
            SELECT DISTINCT CAST(w.key AS TEXT) AS key, w.value AS value FROM $known AS w
        ) AS o
        JOIN history_key AS k ON k.key = o.key
        """,
        known=together(known),
    )
    return Step("history_owner", "each row is a transaction and its person", query)


def owners_in(owner: exp.Expr, person: exp.Expr) -> exp.Select:
    """The rows (key, value) of a run: a person's value, or the transaction of a guest."""
    return duck(
        """
        SELECT o.key AS key,
            CASE WHEN p.person IS NULL THEN 'guest ' || CAST(o.key AS TEXT)
            ELSE 'person ' || CAST(p.value AS TEXT) END AS value
        FROM $owner AS o LEFT JOIN $person AS p ON p.person = o.person
        """,
        owner=owner,
        person=person,
    )


def owners_of(owner: exp.Expr) -> exp.Select:
    """The rows (key, value) of owners (key, person), whose persons are numbers of one run."""
    return duck(
        "SELECT o.key AS key, CAST(o.person AS TEXT) AS value FROM $owner AS o", owner=owner
    )


def owned() -> Step:
    """One row: transactions without a person, and those of two persons."""
    query = duck(
        """
        SELECT COUNT(CASE WHEN o.persons IS NULL THEN 1 END) AS missing,
            COUNT(CASE WHEN o.persons > 1 THEN 1 END) AS mixed,
            (SELECT COUNT(DISTINCT w.person) AS n FROM history_owner AS w) AS persons
        FROM history_key AS k
        LEFT JOIN (
            SELECT w.tid AS tid, COUNT(*) AS persons FROM history_owner AS w GROUP BY w.tid
        ) AS o ON o.tid = k.tid
        """
    )
    return Step(
        "history_owned", "counts transactions without a person, and those of two persons", query
    )


def items(names: Sequence[exp.Expr], *, as_text: bool) -> Step:
    """One row per name that any release shows, in its type if all releases have that type."""
    name = term("CAST(c.name AS TEXT)") if as_text else term("c.name")
    parts = [duck("SELECT $name AS name FROM $cells AS c", name=name, cells=one) for one in names]
    query = duck(
        """
        SELECT CAST(ROW_NUMBER() OVER (ORDER BY s.label) - 1 AS INT) AS item, n.name AS name,
            s.support AS support
        FROM (SELECT DISTINCT c.name AS name FROM $names AS c WHERE NOT c.name IS NULL) AS n
        JOIN (
            SELECT m.label AS label, COUNT(DISTINCT h.tid) AS support
            FROM history_node AS m JOIN history_shown AS h ON h.node = m.node
            GROUP BY m.label
        ) AS s ON s.label = CAST(n.name AS TEXT)
        """,
        names=together(parts),
    )
    return Step("item", "each row is a name that any release shows, for lists of items", query)
