"""Suppress items everywhere: choose the items that stop unsafe rules at the least loss.

Reads coded(item, support, sensitive, code) and the rules unsafe_N of `search.py`. A *remedy* is
what stops all rules with some code: remedy(code, target, loss). Targets that are chosen are
appended to `left_out(code)`.
"""

from __future__ import annotations

from collections.abc import Iterable

from sqlglot import exp

from setveil.sql.models.uncertainty.compared.search import Scope
from setveil.sql.step import Step, duck, each, joins, numbers, shown, term, together

REMEDY = "each row is an item that can be suppressed, and the occurrences that this loses"
NEVER = 2**53  # the place of a code without a remedy


def nothing(name: str) -> Step:
    """No row: nothing is left out yet."""
    rows = numbers(["code"], [])
    return Step(name, "each row is an item that is suppressed: none yet", rows)  # type: ignore[arg-type]


def held(scope: Scope) -> Step:
    """One row per occurrence of an item that is not left out."""
    query = duck(
        """
        SELECT o.tid AS tid, 0 AS part, c.code AS code, $person
        FROM occurrence AS o
        JOIN coded AS c ON c.item = o.item
        JOIN $owners
        WHERE NOT EXISTS (SELECT 1 FROM left_out AS l WHERE l.code = c.code)
        """,
        person=scope.owner("b.person AS person"),
        owners=joins("JOIN basket AS b ON b.tid = o.tid", range(scope.persons)),
    )
    return Step("held", "each row is an occurrence of an item that is not suppressed", query)


def remedies(harmless: int) -> Step:
    """One row per item with a code above `harmless`: to suppress it costs its occurrences."""
    query = duck(
        """
        SELECT c.code AS code, c.code AS target, c.support AS loss FROM coded AS c
        WHERE c.code > $harmless
        """,
        harmless=harmless,
    )
    return Step("remedy", REMEDY, query)


def remedies_of_candidates() -> Step:
    """One row per item that has returned on trial."""
    query = duck(
        """
        SELECT c.code AS code, c.code AS target, c.support AS loss
        FROM coded AS c JOIN candidate AS r ON r.code = c.code
        """
    )
    return Step("remedy", REMEDY, query)


def opened(size: int) -> Step:
    """One row per unsafe rule of this size."""
    query = duck(
        "SELECT u.secret AS secret, $codes FROM $unsafe AS u",
        codes=each("u.c_{n} AS c_{n}", range(1, size + 1)),
        unsafe=f"unsafe_{size}",
    )
    return Step("open_1", "each row is a rule that is still unsafe", query)


def aims(round_: int, size: int) -> Step:
    """One row per code and its remedy: the place of the remedy, most rules for its loss first."""
    counted = [
        duck(
            "SELECT u.$code AS code, COUNT(*) AS rules FROM $rules AS u GROUP BY u.$code",
            code=code,
            rules=_at(round_),
        )
        for code in _members(size)
    ]
    query = duck(
        """
        SELECT r.code AS code, r.target AS target, t.rules AS rules, t.place AS place
        FROM remedy AS r
        JOIN (
            SELECT s.target AS target, s.rules AS rules,
                ROW_NUMBER() OVER (
                    ORDER BY CAST(s.rules AS DOUBLE) / s.loss DESC, s.target
                ) AS place
            FROM (
                SELECT m.target AS target, MAX(m.loss) AS loss,
                    CAST(SUM(b.rules) AS BIGINT) AS rules
                FROM $counted AS b JOIN remedy AS m ON m.code = b.code
                GROUP BY m.target
            ) AS s
        ) AS t ON t.target = r.target
        """,
        counted=together(counted).subquery(),
    )
    why = "each row is an item of an unsafe rule, ranked by the rules that its loss stops"
    return Step("aim", why, query)


def chosen(round_: int, size: int) -> Step:
    """One row per target that is the best of at least half of its rules; always the first."""
    places = [f"COALESCE(a_{code}.place, $never)" for code in _members(size)]
    query = duck(
        """
        SELECT DISTINCT a.target AS code
        FROM aim AS a
        LEFT JOIN (
            SELECT b.place AS place, COUNT(*) AS rules
            FROM (SELECT $best AS place FROM $rules AS u JOIN $aims) AS b
            GROUP BY b.place
        ) AS g ON g.place = a.place
        WHERE a.place = 1 OR 2 * g.rules >= a.rules
        """,
        best=term(f"LEAST({', '.join(places)})", never=NEVER),
        rules=_at(round_),
        aims=[
            one
            for code in _members(size)
            for one in joins(f"LEFT JOIN aim AS a_{code} ON a_{code}.code = u.{code}", [0])
        ],
    )
    why = "each row is an item that is suppressed everywhere: the best choice for its rules"
    return Step("left_out", why, query)


def still_open(round_: int, size: int) -> Step:
    """One row per rule that no chosen target stops."""
    text = """
        NOT EXISTS (
            SELECT 1 FROM remedy AS r JOIN left_out AS l ON l.code = r.target
            WHERE r.code = u.{code}
        )
        """
    query = duck(
        "SELECT $codes FROM $rules AS u WHERE $open",
        codes=[shown(f"u.{code} AS {code}") for code in _members(size)],
        rules=_at(round_),
        open=[term(text.replace("{code}", code)) for code in _members(size)],
    )
    return Step(_at(round_ + 1), "each row is a rule that is still unsafe", query)


def stuck(sizes: Iterable[int]) -> Step:
    """One row per item that is alone among the suppressed ones in an unsafe rule."""
    query = duck(
        "SELECT DISTINCT s.code AS code FROM $alone AS s",
        alone=together([_alone(size) for size in sizes]).subquery(),
    )
    why = "each row is an item that cannot return: all else of an unsafe rule is published"
    return Step("stuck", why, query)


def _alone(size: int) -> exp.Select:
    members = _members(size)
    found = " + ".join(f"CASE WHEN l_{one}.code IS NULL THEN 0 ELSE 1 END" for one in members)
    return duck(
        "SELECT $code AS code FROM $unsafe AS u JOIN $left_out WHERE $found = 1",
        code=term(" + ".join(f"COALESCE(l_{one}.code, 0)" for one in members)),
        unsafe=f"unsafe_{size}",
        left_out=[
            each_one
            for one in members
            for each_one in joins(f"LEFT JOIN left_out AS l_{one} ON l_{one}.code = u.{one}", [0])
        ],
        found=term(f"({found})"),
    )


def candidates(most: int) -> Step:
    """One row per suppressed item that could return and was not tried, the most frequent first."""
    query = duck(
        """
        SELECT c.code AS code
        FROM (
            SELECT l.code AS code, ROW_NUMBER() OVER (ORDER BY i.support DESC, l.code) AS turn
            FROM left_out AS l
            JOIN coded AS i ON i.code = l.code
            WHERE NOT EXISTS (SELECT 1 FROM stuck AS s WHERE s.code = l.code)
                AND NOT EXISTS (SELECT 1 FROM tried AS t WHERE t.code = l.code)
        ) AS c
        WHERE c.turn <= $most
        """,
        most=most,
    )
    return Step("candidate", "each row is a suppressed item that returns on trial", query)


def tried() -> Step:
    """One row per item that returns on trial."""
    query = duck("SELECT c.code AS code FROM candidate AS c")
    return Step("tried", "each row is an item that was tried", query)


def waiting() -> Step:
    """One row per suppressed item that does not return on trial."""
    query = duck(
        """
        SELECT l.code AS code FROM left_out AS l
        WHERE NOT EXISTS (SELECT 1 FROM candidate AS c WHERE c.code = l.code)
        """
    )
    return Step("waiting", "each row is an item that stays suppressed for now", query)


def without_candidates() -> Step:
    """One row per suppressed item that does not return on trial."""
    query = duck("SELECT w.code AS code FROM waiting AS w")
    return Step("left_out", "each row is an item that stays suppressed for now", query)


def found(number: int) -> Step:
    """One row per item that one way to choose leaves out."""
    query = duck("SELECT DISTINCT l.code AS code FROM left_out AS l")
    return Step(f"left_out_{number}", "each row is a suppressed item of this choice", query)


def totals() -> Step:
    """One row: the number of suppressed items, and of their occurrences."""
    query = duck(
        """
        SELECT COUNT(*) AS items, CAST(COALESCE(SUM(c.support), 0) AS BIGINT) AS occurrences
        FROM left_out AS l JOIN coded AS c ON c.code = l.code
        """
    )
    return Step("left_out_totals", "counts suppressed items and their occurrences", query)


def suppressed(number: int) -> Step:
    """One row per occurrence that the release leaves out."""
    query = duck(
        """
        SELECT o.tid AS tid, o.item AS item
        FROM occurrence AS o
        JOIN coded AS c ON c.item = o.item
        JOIN $left_out AS l ON l.code = c.code
        """,
        left_out=f"left_out_{number}",
    )
    return Step("suppressed", "each row is an occurrence that the release leaves out", query)


def _members(size: int) -> list[str]:
    """The columns of a rule with the codes of its items."""
    return [*(f"c_{n}" for n in range(1, size + 1)), "secret"]


def _at(round_: int) -> str:
    return f"open_{round_}"
