"""Generate data without patterns: uniform items with exponential lengths, and query logs.

Uniform items are the data Syn of Jia et al., DASFAA 2014, section 4. A query log has the queries of
persons: a session is about one word, and words follow Zipf's law. Makes generated(tid, item), or
generated(tid, session, item), free of NULL. Choices are rolls, as those of baskets.
"""

from __future__ import annotations

from math import log

from setveil.sql.generator.drawing import CELLS, fraction, rolled, urn, values
from setveil.sql.step import Step, duck

UNIT = 2_147_483_648  # one more than the largest roll: (roll + 1) / UNIT is above 0, at most 1
SYLLABLES = [consonant + vowel for consonant in "bdfgklmn" for vowel in "aeiou"]
MOST_SESSIONS = 64
MOST_QUERIES = 32


def lengths(first: int, beyond: int, mean: float, least: int, longest: int, offset: int) -> Step:
    """One row per transaction: a length whose number of transactions falls exponentially."""
    query = duck(
        """
        SELECT
            r.tid,
            LEAST($longest, $least + CAST(FLOOR($more * -LN((r.roll + 1) / $unit)) AS BIGINT))
            AS length
        FROM $rolled AS r
        """,
        rolled=rolled(
            "SELECT t.tid, $rolls FROM RANGE($first, $beyond) AS t (tid)",
            ("t.tid", "0"),
            offset,
            first=first,
            beyond=beyond,
        ),
        # The floor of an exponential variable of this mean is `mean - least` on average.
        more=fraction(_scale(mean - least)),
        least=least,
        longest=longest,
        unit=UNIT,
    )
    return Step("length", "each row is a transaction and its length", query)


def _scale(mean: float) -> float:
    """The mean of an exponential variable whose floor has this mean."""
    return 1 / log(1 + 1 / mean) if mean > 0 else 1e-9


def uniform(items: int, offset: int) -> Step:
    """One row per transaction and item; every item is as likely as any other."""
    query = duck(
        """
        SELECT DISTINCT CAST(r.tid AS INT) AS tid, CAST(1 + r.roll % $items AS INT) AS item
        FROM $rolled AS r
        """,
        rolled=rolled(
            "SELECT s.tid, s.slot, $rolls FROM (SELECT tid, UNNEST(RANGE(length)) AS slot "
            "FROM length) AS s",
            ("s.tid", "s.slot"),
            offset,
        ),
        items=items,
    )
    return Step("generated", "each row is a transaction and an item of it", query)


def words(count: int) -> Step:
    """One row per word, the most frequent first."""
    syllables = values(("place", "text"), list(enumerate(SYLLABLES)))
    query = duck(
        """
        SELECT n.number, CONCAT(a.text, b.text, c.text) AS text
        FROM RANGE($count) AS n (number)
        JOIN $syllables AS a ON a.place = n.number % $many
        JOIN $syllables AS b ON b.place = n.number // $many % $many
        JOIN $syllables AS c ON c.place = (n.number // ($many * $many) + n.number) % $many
        """,
        count=count,
        syllables=syllables,
        many=len(SYLLABLES),
    )
    return Step("word", "each row is a word, the most frequent first", query)


def word_urn() -> Step:
    """One row per cell: a word, the first twice as often as the second, and so on."""
    weighed = duck(
        "SELECT number AS value, CAST(1000000000 // (number + 1) AS BIGINT) AS weight FROM word"
    )
    why = "each row is a cell of an urn and its word: words follow Zipf's law"
    return Step("word_urn", why, urn(weighed, CELLS))


def sessions(first: int, beyond: int, per_person: float, per_session: float, offset: int) -> Step:
    """One row per session of a person: its word and the number of its queries."""
    query = duck(
        """
        WITH dated AS (
            SELECT p.tid, UNNEST(RANGE(
                1 + LEAST($most, CAST(FLOOR($sessions * -LN((p.roll + 1) / $unit)) AS BIGINT))
            )) AS session
            FROM $persons AS p
        )
        SELECT
            r.tid, r.session, r.roll % $cells AS cell,
            1 + LEAST(
                $longest, CAST(FLOOR($queries * -LN((r.roll // $cells + 1) / $rest)) AS BIGINT)
            ) AS queries
        FROM $rolled AS r
        """,
        persons=rolled(
            "SELECT t.tid, $rolls FROM RANGE($first, $beyond) AS t (tid)",
            ("t.tid", "0"),
            offset,
            first=first,
            beyond=beyond,
        ),
        rolled=rolled(
            "SELECT d.tid, d.session, $rolls FROM dated AS d", ("d.tid", "d.session + 1"), offset
        ),
        sessions=fraction(_scale(per_person - 1)),
        queries=fraction(_scale(per_session - 1)),
        most=MOST_SESSIONS - 1,
        longest=MOST_QUERIES - 1,
        unit=UNIT,
        cells=CELLS,
        rest=UNIT // CELLS,
    )
    return Step("session", "each row is a session of a person", query)


def queries(offset: int) -> Step:
    """One row per person, session and query: the session's word, alone or with one or two more."""
    query = duck(
        """
        SELECT DISTINCT
            CAST(r.tid AS INT) AS tid, CAST(r.session AS INT) AS session,
            CASE
                WHEN r.roll // $cells % 20 < 9 THEN a.text
                WHEN r.roll // $cells % 20 < 16 THEN CONCAT(a.text, ' ', b.text)
                ELSE CONCAT(a.text, ' ', b.text, ' ', c.text)
            END AS item
        FROM $rolled AS r
        JOIN word_urn AS u ON u.cell = r.cell
        JOIN word_urn AS v ON v.cell = r.roll % $cells
        JOIN word_urn AS w ON w.cell = (r.roll // 7 + r.cell) % $cells
        JOIN word AS a ON a.number = u.value
        JOIN word AS b ON b.number = v.value
        JOIN word AS c ON c.number = w.value
        """,
        rolled=rolled(
            """
            SELECT s.tid, s.session, s.cell, $rolls
            FROM (SELECT tid, session, cell, UNNEST(RANGE(queries)) AS slot FROM session) AS s
            """,
            ("s.tid", "s.session * 32 + s.slot"),
            offset,
        ),
        cells=CELLS,
    )
    return Step("generated", "each row is a query of a person in a session", query)


def sessions_in_order() -> Step:
    """The rows of a query log, in the order of the file."""
    query = duck("SELECT tid, session, item FROM generated ORDER BY tid, session, item")
    return Step("release", "lists the generated queries, in the order of the file", query)
