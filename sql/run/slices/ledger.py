"""The ledger of a target: which transaction is in which slice.

A ledger has the relations of LEDGER, to which rows are only added. A slice counts if its attempt
has the event done. A run reads copies of them, with the prefix ledger_. Makes released(key, slice,
id, digest, person, erased), a row per transaction of a slice, and rows for the ledger. Reads label
and relations of items with a role, of the run. Keys are texts, since a file can hold them in
another type.
"""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from setveil.sql.step import Step, duck, duck_union, joins, term

DONE, INTENT = "done", "intent"  # events of an attempt
# The relations of a ledger and their columns. All rows are added once and never changed.
LEDGER: Mapping[str, Mapping[str, str]] = {
    "told": {"name": "VARCHAR", "value": "VARCHAR"},
    "night": {"night": "INT", "since": "VARCHAR"},
    "arrival": {"key": "VARCHAR", "night": "INT", "since": "VARCHAR"},
    "part": {
        "key": "VARCHAR",
        "attempt": "INT",
        "id": "VARCHAR",
        "digest": "VARCHAR",
        "person": "VARCHAR",
    },
    "attempt": {
        "attempt": "INT",
        "event": "VARCHAR",
        "slice": "INT",
        "held": "BIGINT",
        "digest": "VARCHAR",
        "largest": "BIGINT",
        "since": "VARCHAR",
        "versions": "VARCHAR",
        "source": "VARCHAR",
    },
    "role": {"name": "VARCHAR", "role": "VARCHAR", "attempt": "INT"},
    "split": {"level": "INT", "name": "VARCHAR", "attempt": "INT"},
    "erased": {"key": "VARCHAR", "attempt": "INT", "since": "VARCHAR"},
}
SUMS = {"number": "INT", "digest": "VARCHAR"}  # digests of all other relations of the ledger
WRITTEN = "written"  # where no transaction holds the rows of a write together: its name


def _of_ledger(name: str) -> str:
    return f"ledger_{name}"


def kinds(name: str) -> Mapping[str, str]:
    """The columns of a relation of the ledger, with their types."""
    return SUMS if name == "sum" else LEDGER[name]


def counted(name: str, place: exp.Table, sums: exp.Table, now: str | None = None) -> exp.Subquery:
    """The rows of writes that have a digest, and those of the write `now`."""
    query = duck(
        """
        SELECT $columns FROM $place AS w
        WHERE w.written = $now OR EXISTS (
            SELECT 1 AS one FROM $sums AS s WHERE s.written = w.written
        )
        """,
        columns=_columns("w", name),
        place=place,
        sums=sums,
        now=exp.Literal.string(now or ""),
    )
    return query.subquery()


def named_write(rows: exp.Expr, name: str, write: str) -> exp.Select:
    """Rows for a relation of the ledger, with the name of their write."""
    return duck(
        "SELECT $columns, $write AS written FROM $rows AS n",
        columns=_columns("n", name),
        rows=rows,
        write=exp.Literal.string(write),
    )


def empty(name: str) -> Step:
    """A relation of a new ledger, without a row."""
    columns = [exp.cast(exp.null(), kind).as_(one) for one, kind in kinds(name).items()]
    query = duck("SELECT $columns WHERE FALSE", columns=columns)
    return Step(name, "a relation of the ledger", query)


def copied(name: str, place: exp.Expr, attempts: exp.Expr) -> Step:
    """A relation of the ledger, copied into the run; roles only of slices that are done."""
    done = term(
        """
        EXISTS (
            SELECT 1 AS one FROM $attempts AS a WHERE a.attempt = l.attempt AND a.event = $done
        )
        """,
        attempts=attempts,
        done=exp.Literal.string(DONE),
    )
    query = duck(
        "SELECT $columns FROM $place AS l WHERE $done",
        columns=_columns("l", name),
        place=place,
        done=[done] if name == "role" else [],
    )
    return Step(_of_ledger(name), "a copy of a relation of the ledger", query)


def typed(name: str, given: exp.Table) -> Step:
    """Rows for the ledger, from a relation of texts."""
    columns = [
        exp.cast(exp.column(one, table="g"), kind).as_(one) for one, kind in kinds(name).items()
    ]
    query = duck("SELECT $columns FROM $given AS g", columns=columns, given=given)
    return Step(name, "rows for the ledger", query)


def _columns(owner: str, name: str) -> list[exp.Expr]:
    return [exp.column(one, table=owner).as_(one) for one in kinds(name)]


def last_sum(place: exp.Expr) -> Step:
    """The newest digest of the ledger, and how many there are."""
    query = duck(
        """
        SELECT s.number AS number, s.digest AS digest FROM $place AS s
        ORDER BY number DESC LIMIT 1
        """,
        place=place,
    )
    return Step("ledger_sum", "the digest of the ledger when it was written", query)


def sum_row(number: int, digest: str) -> Step:
    """The digest of the ledger as it is now."""
    query = duck(
        "SELECT $number AS number, $digest AS digest",
        number=number,
        digest=exp.Literal.string(digest),
    )
    return Step("sum", "the digest of the ledger", query)


def told(place: exp.Expr) -> Step:
    """The names and values that a ledger keeps about its target."""
    query = duck("SELECT t.name AS name, t.value AS value FROM $place AS t", place=place)
    return Step("ledger_told", "the promise of the target", query)


def attempts() -> Step:
    """All attempts of slices and their events, in their order."""
    query = duck("SELECT $columns FROM ledger_attempt AS a", columns=_columns("a", "attempt"))
    return Step("ledger_attempts", "the slices of the target", query)


def sources(place: exp.Table) -> Step:
    """The names of the sources of all slices."""
    query = duck("SELECT DISTINCT a.source AS source FROM $place AS a ORDER BY source", place=place)
    return Step("ledger_sources", "the sources of a target", query)


def nights() -> Step:
    """One row: how many runs have found new transactions."""
    return Step(
        "ledger_nights", "counts the runs", duck("SELECT COUNT(*) AS nights FROM ledger_night AS n")
    )


def released() -> Step:
    """One row per transaction of a slice, whether it was erased from it later or not."""
    query = duck(
        """
        SELECT p.key AS key, a.slice AS slice, p.id AS id, p.digest AS digest, p.person AS person,
            CASE WHEN e.key IS NULL THEN 0 ELSE 1 END AS erased
        FROM ledger_part AS p
        JOIN ledger_attempt AS a ON a.attempt = p.attempt AND a.event = $done
        LEFT JOIN (
            SELECT DISTINCT l.key AS key FROM ledger_erased AS l
            JOIN ledger_attempt AS d ON d.attempt = l.attempt AND d.event = $done
        ) AS e ON e.key = p.key
        """,
        done=exp.Literal.string(DONE),
    )
    return Step("released", "each row is a transaction that a slice of the target has", query)


def key_of_slices() -> Step:
    """The ids that the ledger's target replaced, as a key has them.

    A transaction that lost all items, or was erased, is not in the target and has no number.
    """
    query = duck(
        """
        SELECT r.key AS id, r.id AS number FROM released AS r
        WHERE r.erased = 0 AND NOT r.id IS NULL
        """
    )
    return Step("number_key", "each row is a transaction id and its number, from the ledger", query)


def own_secret() -> Step:
    """One row: the secret of the ledger."""
    query = duck(
        "SELECT t.value AS secret FROM ledger_told AS t WHERE t.name = $name",
        name=exp.Literal.string("secret"),
    )
    return Step("ledger_secret", "the secret of the digests", query)


def of_slice(part: exp.Table, attempt: int) -> Step:
    """The transactions of a slice, from the ledger: for the trail."""
    query = duck(
        "SELECT p.key AS key FROM $part AS p WHERE p.attempt = $attempt", part=part, attempt=attempt
    )
    return Step("slice_key", "each row is a transaction of the slice, from the ledger", query)


def arrivals(night: int, since: str) -> Step:
    """The transactions that are new in this run."""
    query = duck(
        """
        SELECT a.key AS key, $night AS night, $since AS since FROM arrived AS a
        WHERE NOT EXISTS (SELECT 1 AS one FROM ledger_arrival AS l WHERE l.key = a.key)
        """,
        night=night,
        since=exp.Literal.string(since),
    )
    return Step("arrival", "each row is a transaction that the source did not have before", query)


def parts(attempt: int, *, renumbered: bool) -> Step:
    """The transactions of the new slice, with their ids in the target.

    With `renumbered` an emptied transaction has none.
    """
    number = joins("LEFT JOIN renumbered AS n ON CAST(n.id AS TEXT) = k.key", [0])
    query = duck(
        """
        SELECT k.key AS key, $attempt AS attempt, $id AS id, k.digest AS digest, k.person AS person
        FROM slice_key AS k JOIN $number
        """,
        attempt=attempt,
        id=term("CAST(n.number AS TEXT)") if renumbered else term("k.key"),
        number=number if renumbered else [],
    )
    return Step("part", "each row is a transaction of the slice and its id in the target", query)


def with_role(relation: str, role: str, attempt: int) -> Step:
    """The items of the slice with a role, from a relation of their numbers."""
    query = duck(
        """
        SELECT CAST(l.name AS TEXT) AS name, $role AS role, $attempt AS attempt
        FROM label AS l JOIN $relation AS r ON r.item = l.item
        WHERE NOT EXISTS (
            SELECT 1 AS one FROM ledger_role AS o
            WHERE o.name = CAST(l.name AS TEXT) AND o.role = $role
        )
        """,
        relation=relation,
        role=exp.Literal.string(role),
        attempt=attempt,
    )
    return Step("role", "each row is an item and its role", query)


def plain_items(attempt: int) -> Step:
    """The items of the slice, which later slices know."""
    query = duck(
        """
        SELECT CAST(l.name AS TEXT) AS name, 'known' AS role, $attempt AS attempt FROM label AS l
        WHERE NOT EXISTS (
            SELECT 1 AS one FROM ledger_role AS o
            WHERE o.name = CAST(l.name AS TEXT) AND o.role = 'known'
        )
        """,
        attempt=attempt,
    )
    return Step("role", "each row is an item that a slice has", query)


def changed_roles(listed: str, role: str) -> Step:
    """Items of earlier slices that have or lack this role only now, by the listed names."""
    query = duck_union(
        """
        SELECT g.name AS name FROM $listed AS g
        WHERE EXISTS (
            SELECT 1 AS one FROM ledger_role AS k WHERE k.name = g.name AND k.role = 'known'
        ) AND NOT EXISTS (
            SELECT 1 AS one FROM ledger_role AS o WHERE o.name = g.name AND o.role = $role
        )
        UNION ALL
        SELECT o.name AS name FROM ledger_role AS o
        WHERE o.role = $role AND NOT EXISTS (
            SELECT 1 AS one FROM $listed AS g WHERE g.name = o.name
        )
        """,
        listed=listed,
        role=exp.Literal.string(role),
    )
    return Step("changed_roles", "items whose role differs from that of earlier slices", query)


def erased_everywhere(since: str) -> Step:
    """The keys to erase, of which no later slice may have the transaction."""
    query = duck(
        "SELECT g.key AS key, 0 AS attempt, $since AS since FROM erase_key AS g",
        since=exp.Literal.string(since),
    )
    return Step("erased", "each row is a transaction that no slice may have", query)


def erased(slice_number: int, attempt: int, since: str) -> Step:
    """The transactions that this attempt takes out of a slice."""
    query = duck(
        """
        SELECT r.key AS key, $attempt AS attempt, $since AS since
        FROM released AS r JOIN erase_key AS g ON g.key = r.key
        WHERE r.slice = $slice
        """,
        attempt=attempt,
        since=exp.Literal.string(since),
        slice=slice_number,
    )
    return Step("erased", "each row is a transaction that is taken out of a slice", query)
