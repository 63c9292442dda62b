"""Compute the answer of each checker once more, from its own relations, and raise unless it holds.

These statements serve readers who run a trail without setveil. Each counts faults: violations of
the promise, and cases that the search left out. They read the relations that the checkers made.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sqlglot import exp

from setveil.sql.models.coherence.check import Rule
from setveil.sql.models.hiding.check import supports
from setveil.sql.step import Step, Value, duck, duck_union, each


def coherence(rule: Rule, p: int, last: int) -> Step:
    """No set of up to `last` items violates, and the search left out no larger set."""
    faults = [_known_by_all(rule)]
    for size in range(1, last + 1):
        faults += [
            _count(
                "$set AS t WHERE t.$counted < $k",
                set=_at("set", size),
                counted=rule.counted,
                k=rule.k,
            ),
            _count(
                "$suspect AS s JOIN $set AS t ON t.id = s.id WHERE $breach",
                suspect=_at("suspect", size),
                set=_at("set", size),
                breach=rule.breach("s", "t"),
            ),
            _unlike(f"check_set_{size}", f"check_fine_{size}"),
        ]
    if last < p:
        faults.append(_count("$set AS t", set=_at("set", last)))
    return _verdict(faults)


def _known_by_all(rule: Rule) -> exp.Query:
    """Faults of the empty itemset: fewer than k transactions, or a private item in too many."""
    return duck_union(
        """
        SELECT COUNT(*) AS faults
        FROM (SELECT COUNT(*) AS support, $persons FROM check_key AS r) AS t
        WHERE t.support > 0 AND t.$counted < $k
        UNION ALL
        SELECT COUNT(*) AS faults
        FROM (SELECT s.item AS item, s.number AS hits, $also FROM $guesses AS s) AS x
        CROSS JOIN (SELECT COUNT(*) AS support, $persons FROM check_key AS r) AS t
        WHERE $breach
        """,
        k=rule.k,
        persons=rule.also("COUNT(DISTINCT r.person) AS persons"),
        counted=rule.counted,
        also=rule.also("s.persons AS persons"),
        guesses=rule.tally("item", "check_secret"),
        breach=rule.breach("x", "t"),
    )


def k_anonymity(k: int, twins: int, *, persons: bool = False) -> Step:
    """The twins of `check_twin_N` hold equal nodes, and stand in classes of at least k."""
    unit = "persons" if persons else "transactions"
    return _verdict(
        [
            _count("check_class AS c WHERE c.$unit < $k", unit=unit, k=k),
            _count("$unlike AS u", unlike=_at("unlike", twins)),
            _difference(
                "SELECT CAST(SUM(c.transactions) AS BIGINT) AS n FROM check_class AS c", "check_key"
            ),
        ]
    )


def km(k: int, m: int, last: int, *, persons: bool = False) -> Step:
    """No set of up to `last` nodes violates, and no transaction holds a larger one up to m."""
    sizes = range(1, last + 1)
    faults = [_count("$set AS s WHERE s.support < $k", set=_at("set", size), k=k) for size in sizes]
    if persons:
        faults += [_too_few_persons(size, k) for size in sizes]
    if last < m:
        faults.append(
            _count(
                """
                (
                    SELECT h.tid AS tid FROM check_held AS h GROUP BY h.tid HAVING COUNT(*) > $last
                ) AS t
                """,
                last=last,
            )
        )
    return _verdict(faults)


def _too_few_persons(size: int, k: int) -> exp.Select:
    """Sets that may be of fewer than k persons, of whom k were not found."""
    return _count(
        """
        $set AS s LEFT JOIN $few AS f ON $same
        WHERE s.seen < $k AND COALESCE(f.persons, 0) < $k
        """,
        set=_at("set", size),
        few=_at("few", size),
        same=exp.and_(*each("f.n{n} = s.n{n}", range(1, size + 1))),
        k=k,
    )


def km_of_any_size(k: int, *, persons: bool = False) -> Step:
    """Every transaction belongs to a kind, and k transactions hold the nodes of each kind."""
    own, all_of = ("persons", "persons") if persons else ("copies", "support")
    return _verdict(
        [
            _count(
                """
                check_kind AS c LEFT JOIN check_set_0 AS s ON s.tid = c.tid
                WHERE c.$own < $k AND COALESCE(s.$all_of, 0) < $k
                """,
                own=own,
                all_of=all_of,
                k=k,
            ),
            _difference(
                "SELECT CAST(SUM(c.copies) AS BIGINT) AS n FROM check_kind AS c",
                "(SELECT DISTINCT h.tid AS tid FROM check_held AS h)",
            ),
        ]
    )


def uncertainty(rule: Mapping[str, int], most: int, last: int, *, persons: bool = False) -> Step:
    """No rule of up to `last` items is unsafe, and no larger rule can be.

    With `persons`, the counts include every transaction only if each has a person.
    """
    faults: list[exp.Query] = [
        duck("SELECT j.unsafe AS faults FROM $judged AS j", judged=_at("judged", size))
        for size in range(1, last + 1)
    ]
    if most > 1:
        faults.append(
            _count(
                """
                check_cover AS c
                WHERE c.covers = 0 AND c.repeats = 0 AND c.step = 1 AND c.known <= $most
                    AND $over < $under
                """,
                most=most,
                **rule,
            )
        )
    if last < most:
        faults.append(_count("$growing AS g", growing=_at("growing", last)))
    if persons:
        faults.append(_unlike("check_key", "check_person"))
    return _verdict(faults)


def permutation(degree: int) -> Step:
    """No group has an item in more than one of `degree` transactions, and there is no fault."""
    return _verdict(
        [
            _count("check_fault AS f"),
            _count(
                """
                check_count AS c LEFT JOIN check_size AS s ON s.number = c.number
                WHERE c.held * $degree > COALESCE(s.size, 0)
                """,
                degree=degree,
            ),
        ]
    )


def hidden(patterns: int, allowed: exp.Expr) -> Step:
    """Nothing changed without a reason, and every pattern stays within its `allowed` support."""
    held = supports().query.copy()
    held.set("order", None)
    return _verdict(
        [
            _count("check_change AS c WHERE c.added > 0 OR c.stray > 0"),
            _count("$held AS s WHERE NOT ($allowed)", held=held, allowed=allowed),
            duck(
                """
                SELECT CASE WHEN COUNT(DISTINCT p.pattern) = $patterns THEN 0 ELSE 1 END AS faults
                FROM check_pattern AS p
                """,
                patterns=patterns,
            ),
        ]
    )


def renaming(*, rows: bool) -> Step:
    """Codes and names are one to one, and nothing else has changed."""
    faults: list[exp.Query] = [
        duck("SELECT 2 * p.pairs - p.codes - p.names AS faults FROM check_pairs AS p"),
        duck("SELECT o.lost + o.added AS faults FROM check_occurrences AS o"),
    ]
    if rows:
        faults.append(duck("SELECT r.changed AS faults FROM check_rows AS r"))
    return _verdict(faults)


def _verdict(faults: Iterable[exp.Query]) -> Step:
    """One row; an error, whose text gives the number of faults, if there is a fault."""
    query = duck(
        """
        SELECT CAST(
            CASE WHEN v.faults = 0 THEN '1'
            ELSE CAST(v.faults AS VARCHAR) || ' faults: the release does not keep its promise' END
            AS INT
        ) AS kept
        FROM (
            SELECT CAST(COALESCE(SUM(f.faults), 0) AS BIGINT) AS faults FROM $found AS f
        ) AS v
        """,
        found=list(faults),
    )
    why = "computes the checker's answer again: the statement fails unless the promise holds"
    return Step("check_verdict", why, query)


def _count(rows: str, **values: Value) -> exp.Select:
    return duck(f"SELECT COUNT(*) AS faults FROM {rows}", **values)  # noqa: S608


def _difference(total: str, rows: str) -> exp.Select:
    """One fault if the sum differs from the number of rows: no row may be left out."""
    return duck(
        f"""
        SELECT CASE WHEN COALESCE(s.n, 0) = t.n THEN 0 ELSE 1 END AS faults
        FROM ({total}) AS s CROSS JOIN (SELECT COUNT(*) AS n FROM {rows} AS r) AS t
        """  # noqa: S608
    )


def _unlike(one: str, other: str) -> exp.Select:
    return duck(
        """
        SELECT CASE WHEN a.n = b.n THEN 0 ELSE 1 END AS faults
        FROM (SELECT COUNT(*) AS n FROM $one AS r) AS a
        CROSS JOIN (SELECT COUNT(*) AS n FROM $other AS r) AS b
        """,
        one=one,
        other=other,
    )


def _at(kind: str, size: int) -> str:
    return f"check_{kind}_{size}"
