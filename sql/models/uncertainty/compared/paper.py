"""The paper's own suppression: split the data, and suppress the best items of unsafe rules.

Reads original(tid, part, roll, code), and `unsafe`, `set_N` and `met_N` of `search.py`. Suppressed
occurrences are appended to `gone(tid, code, round)`. A *witness* of a rule is a transaction that
holds its known items and its secret.
Jia et al.: rho-uncertainty anonymization by partial suppression, DASFAA 2014, Algorithms 1 to 3.
"""

from __future__ import annotations

from collections.abc import Iterable

from sqlglot import exp

from setveil.sql.models.uncertainty.compared.search import Scope
from setveil.sql.step import Step, duck, each, numbers, shown, term, together

SHARE = 4  # an item loses one in so many occurrences before all rules are ranked anew


# Algorithm 3


def whole() -> Step:
    """One row per transaction, all in one part."""
    query = duck(
        "SELECT o.tid AS tid, 0 AS part, MIN(o.roll) AS roll FROM original AS o GROUP BY o.tid"
    )
    return Step("record_0", "each row is a transaction; all of them are one part", query)


def costs(level: int) -> Step:
    """One row per part with the figures of Formula 8: |T|, |N| and |D(T)|."""
    query = duck(
        """
        SELECT r.part AS part, COUNT(DISTINCT r.tid) AS transactions, COUNT(*) AS occurrences,
            COUNT(DISTINCT o.code) AS items
        FROM $record AS r JOIN original AS o ON o.tid = r.tid
        GROUP BY r.part ORDER BY part
        """,
        record=f"record_{level}",
    )
    return Step("costs", "lists the transactions, occurrences and items of each part", query)


def halved(level: int, parts: Iterable[int]) -> Step:
    """One row per transaction: parts that cost too much are split equally, at random."""
    query = duck(
        """
        SELECT r.tid AS tid, r.roll AS roll,
            r.part + CASE WHEN h.part IS NULL THEN 0 ELSE r.turn % 2 * $half END AS part
        FROM (
            SELECT b.tid AS tid, b.part AS part, b.roll AS roll,
                ROW_NUMBER() OVER (PARTITION BY b.part ORDER BY b.roll, b.tid) AS turn
            FROM $before AS b
        ) AS r
        LEFT JOIN $halved AS h ON h.part = r.part
        """,
        half=1 << level,
        before=f"record_{level}",
        halved=duck(
            "SELECT v.part AS part FROM $rows AS v",
            rows=numbers(["part"], [[one] for one in parts]),
        ),
    )
    why = "each row is a transaction; parts above t_max are split in two at random"
    return Step(f"record_{level + 1}", why, query)


# Algorithm 2


def nothing() -> Step:
    """No row: nothing is suppressed yet."""
    rows = numbers(["tid", "code", "round"], [])
    return Step("gone", "each row is a suppressed occurrence: none yet", rows)  # type: ignore[arg-type]


def held(level: int) -> Step:
    """One row per occurrence that is left, with the part of its transaction."""
    query = duck(
        """
        SELECT o.tid AS tid, r.part AS part, o.code AS code
        FROM original AS o JOIN $record AS r ON r.tid = o.tid
        WHERE NOT EXISTS (SELECT 1 FROM gone AS g WHERE g.tid = o.tid AND g.code = o.code)
        """,
        record=f"record_{level}",
    )
    return Step("held", "each row is an occurrence that is left", query)


def worth(level: int, *, evenly: bool) -> Step:
    """One row per item of a part: its support at first and now, and its factor in the formulas.

    Formula 7 has leftover(t). Formula 6 has T(t) log (T(t) / T0(t)); its |T| is the same for all
    items of a part, so it is left out.
    """
    left = "CAST(l.support AS DOUBLE)"
    factor = f"{left} * LN({left} / f.support)" if evenly else f"{left} / f.support"
    query = duck(
        """
        SELECT f.part AS part, f.code AS code, l.support AS remaining, $factor AS factor
        FROM (
            SELECT r.part AS part, o.code AS code, COUNT(*) AS support
            FROM original AS o JOIN $record AS r ON r.tid = o.tid GROUP BY r.part, o.code
        ) AS f
        JOIN (
            SELECT p.part AS part, p.code AS code, COUNT(*) AS support
            FROM placed AS p GROUP BY p.part, p.code
        ) AS l ON l.part = f.part AND l.code = f.code
        """,
        factor=term(factor),
        record=f"record_{level}",
    )
    why = "each row is an item of a part, with the factor that ranks it among the items of a rule"
    return Step("worth", why, query)


def best_known(largest: int, *, evenly: bool) -> Step:
    """One row per set of an unsafe rule: the best of its known items, which all cost the same."""
    query = duck(
        """
        SELECT b.size AS size, b.id AS id, b.code AS code, b.factor AS factor
        FROM (
            SELECT k.size AS size, k.id AS id, k.code AS code, w.factor AS factor,
                ROW_NUMBER() OVER (
                    PARTITION BY k.size, k.id ORDER BY $factor, k.code
                ) AS turn
            FROM $known AS k JOIN worth AS w ON w.part = k.part AND w.code = k.code
        ) AS b
        WHERE b.turn = 1
        """,
        factor=term("-w.factor" if evenly else "w.factor"),
        known=_known_items(largest),
    )
    why = "each row is a set of known items and the best of them to suppress"
    return Step("best_known", why, query)


def _known_items(largest: int) -> exp.Subquery:
    """One row per set of an unsafe rule and item of it."""
    text = """
        SELECT DISTINCT u.size AS size, u.id AS id, u.part AS part, u.$code AS code
        FROM unsafe AS u WHERE u.size >= $place
        """
    places = range(1, largest + 1)
    return together([duck(text, code=f"c_{n}", place=n) for n in places]).subquery()


def ranked(scope: Scope, largest: int, *, evenly: bool) -> Step:
    """One row per unsafe rule: its number, the best first, and the item to suppress for it.

    `needed` is N_s of Definition 1, rounded up. Equal rules: the one that needs fewer suppressions,
    then the one with more known items.
    """
    num, den = scope.num, scope.den
    values = {"num": num, "den": den, "rest": den - num}
    excess = term("u.support * $den - u.known * $num", **values)
    secret, score = "w.factor * $rest <= k.factor * $den", "x.excess * x.weight * x.factor"
    if evenly:
        secret = "w.factor * $den >= k.factor * $rest"
        score = "CAST(-x.factor AS DOUBLE) / (x.excess * x.weight)"
    query = duck(
        """
        SELECT ROW_NUMBER() OVER (
                ORDER BY $score, x.excess * x.weight, x.size DESC, x.id, x.secret
            ) AS number, x.size AS size, x.id AS id, x.part AS part, x.secret AS secret,
            x.support AS support, x.code AS code, x.needed AS needed, $codes
        FROM (
            SELECT u.size AS size, u.id AS id, u.part AS part, u.secret AS secret,
                u.support AS support, CAST($excess AS DOUBLE) AS excess, $codes_of,
                CASE WHEN $first THEN u.secret ELSE k.code END AS code,
                CASE WHEN $first THEN w.factor ELSE k.factor END AS factor,
                CASE WHEN $first THEN $rest ELSE $den END AS weight,
                CASE WHEN $first THEN u.support - u.known * $num // $den
                    ELSE ($excess + $rest - 1) // $rest END AS needed
            FROM unsafe AS u
            JOIN best_known AS k ON k.size = u.size AND k.id = u.id
            JOIN worth AS w ON w.part = u.part AND w.code = u.secret
        ) AS x
        """,
        score=term(score),
        codes=each("x.c_{n} AS c_{n}", range(1, largest + 1)),
        codes_of=each("u.c_{n} AS c_{n}", range(1, largest + 1)),
        excess=excess,
        first=term(secret, **values),
        **values,
    )
    why = "each row is an unsafe rule, numbered from the best on, and the item to suppress for it"
    return Step("ranked_1", why, query)


def first_choices(pass_: int, sizes: Iterable[int]) -> Step:
    """One row per transaction and item to suppress in it: the best rule that it is a witness of."""
    text = """
        SELECT m.tid AS tid, r.code AS code, r.number AS number
        FROM $ranked AS r
        JOIN $met AS m ON m.id = r.id
        JOIN placed AS p ON p.tid = m.tid AND p.code = r.secret
        WHERE r.size = $size
        """
    rows = [duck(text, ranked=_at(pass_), met=f"met_{n}", size=n) for n in sizes]
    query = duck(
        """
        SELECT w.tid AS tid, w.code AS code, MIN(w.number) AS number
        FROM $rows AS w GROUP BY w.tid, w.code
        """,
        rows=together(rows).subquery(),
    )
    why = "each row is a transaction and an item of it, with the best rule that would suppress it"
    return Step("first_choice", why, query)


def undisputed(pass_: int, largest: int) -> Step:
    """One row per rule that is the best choice for its item in each of its witnesses."""
    query = duck(
        """
        SELECT $columns
        FROM $ranked AS r
        JOIN (
            SELECT f.number AS number, COUNT(*) AS witnesses FROM first_choice AS f
            GROUP BY f.number
        ) AS c ON c.number = r.number AND c.witnesses = r.support
        """,
        columns=_columns(largest),
        ranked=_at(pass_),
    )
    why = "each row is a rule whose item no better rule suppresses in one of its transactions"
    return Step("undisputed", why, query)


def chosen(sizes: Iterable[int], largest: int, before: int) -> Step:
    """One row per rule of this pass: no better rule suppresses an item of it.

    The rules can be taken one after another, the best first: none changes the support of another.
    An item waits if too many of its occurrences went since the rules were ranked, after `before`.
    """
    text = """
        SELECT u.number AS number
        FROM undisputed AS u
        JOIN $met AS m ON m.id = u.id
        JOIN first_choice AS f ON f.tid = m.tid AND f.number < u.number
        WHERE u.size = $size AND f.code IN (u.secret, $codes)
        """
    codes = each("u.c_{n}", range(1, largest + 1))
    blocked = [duck(text, met=f"met_{n}", size=n, codes=codes) for n in sizes]
    query = duck(
        """
        SELECT t.number AS number, t.code AS code, t.needed AS needed
        FROM (
            SELECT u.number AS number, u.code AS code, u.needed AS needed,
                COALESCE(g.gone, 0) + SUM(u.needed) OVER (
                    PARTITION BY u.part, u.code ORDER BY u.number
                ) AS all_needed, w.remaining AS remaining
            FROM undisputed AS u
            JOIN worth AS w ON w.part = u.part AND w.code = u.code
            LEFT JOIN (
                SELECT p.part AS part, l.code AS code, COUNT(*) AS gone
                FROM gone AS l JOIN placed AS p ON p.tid = l.tid AND p.code = l.code
                WHERE l.round > $before
                GROUP BY p.part, l.code
            ) AS g ON g.part = u.part AND g.code = u.code
            WHERE NOT EXISTS (SELECT 1 FROM $blocked AS b WHERE b.number = u.number)
        ) AS t
        WHERE t.all_needed = t.needed OR t.all_needed * $share <= t.remaining
        """,
        before=before,
        blocked=together(blocked).subquery(),
        share=SHARE,
    )
    why = "each row is a rule that is stopped now: no better rule touches its items"
    return Step("chosen", why, query)


def suppressing(level: int, round_: int) -> Step:
    """One row per occurrence that is suppressed: enough for each rule, in random witnesses."""
    query = duck(
        """
        SELECT t.tid AS tid, t.code AS code, $round AS round
        FROM (
            SELECT f.tid AS tid, f.code AS code, c.needed AS needed,
                ROW_NUMBER() OVER (PARTITION BY c.number ORDER BY r.roll, f.tid) AS turn
            FROM chosen AS c
            JOIN first_choice AS f ON f.number = c.number
            JOIN $record AS r ON r.tid = f.tid
        ) AS t
        WHERE t.turn <= t.needed
        """,
        record=f"record_{level}",
        round=round_,
    )
    why = f"round {round_}: each row is an occurrence that is suppressed to stop a rule"
    return Step("gone", why, query)


def untouched(pass_: int, sizes: Iterable[int], largest: int, round_: int) -> Step:
    """One row per rule whose supports this round left as they were."""
    text = """
        SELECT u.number AS number
        FROM $ranked AS u
        JOIN $met AS m ON m.id = u.id
        JOIN gone AS g ON g.tid = m.tid AND g.round = $round
        WHERE u.size = $size AND g.code IN (u.secret, $codes)
        """
    codes = each("u.c_{n}", range(1, largest + 1))
    before = _at(pass_)
    touched = [
        duck(text, ranked=before, met=f"met_{n}", size=n, round=round_, codes=codes) for n in sizes
    ]
    query = duck(
        """
        SELECT $columns FROM $ranked AS r
        WHERE NOT EXISTS (SELECT 1 FROM $touched AS t WHERE t.number = r.number)
        """,
        columns=_columns(largest),
        ranked=before,
        touched=together(touched).subquery(),
    )
    return Step(_at(pass_ + 1), "each row is a rule that is as unsafe as before", query)


def _columns(largest: int) -> list[exp.Expr]:
    """The columns of a ranked rule."""
    names = ("number", "size", "id", "part", "secret", "support", "code", "needed")
    return [
        *(shown("r.$name AS $name", name=name) for name in names),
        *each("r.c_{n} AS c_{n}", range(1, largest + 1)),
    ]


def _at(pass_: int) -> str:
    return f"ranked_{pass_}"


def suppressed() -> Step:
    """One row per occurrence that the release leaves out."""
    query = duck(
        """
        SELECT g.tid AS tid, c.item AS item, g.round AS round
        FROM gone AS g JOIN coded AS c ON c.code = g.code
        """
    )
    return Step("suppressed", "each row is an occurrence that the release leaves out", query)
