"""Fill transactions: their sizes, the patterns they draw, and the products that they keep."""

from __future__ import annotations

from sqlglot import exp

from setveil.sql.generator.drawing import CELLS, fraction, rolled
from setveil.sql.generator.generate import SIZE_CELLS, VARIANTS
from setveil.sql.step import Step, duck, joins, shown

PERSONS = 1_000_000_000  # above all numbers of transactions: persons draw with numbers of their own


def baskets(first: int, beyond: int, offset: int) -> Step:
    """One row per transaction from `first` until before `beyond`: its size and its luck."""
    text = "SELECT b.tid, $rolls FROM RANGE($first, $beyond) AS b(tid)"
    query = duck(
        """
        SELECT r.tid, u.value AS size, r.roll // $cells AS luck
        FROM $rolled AS r
        JOIN size_urn AS u ON u.cell = r.roll % $cells
        """,
        cells=SIZE_CELLS,
        rolled=rolled(text, ("b.tid", "0"), offset, first=first, beyond=beyond),
    )
    return Step(
        "basket",
        "each row is a transaction with its size, and a random number that decides its habits",
        query,
    )


def owners(persons: int, offset: int) -> Step:
    """One row per transaction with its person, a number from 1; the first have the most."""
    text = "SELECT b.tid, $rolls FROM basket AS b"
    query = duck(
        """
        SELECT r.tid,
            CAST(1 + (r.roll * r.roll // 2147483647) * $persons // 2147483647 AS INT) AS person
        FROM $rolled AS r
        """,
        persons=persons,
        rolled=rolled(text, ("b.tid", "0"), offset),
    )
    return Step("owner", "each row is a transaction and its person; some shop more often", query)


def picks(per_pick: float, offset: int, *, persons: bool = False) -> Step:
    """One row per transaction and pattern it draws: enough for seven tenths of its size.

    With `persons`, every second transaction of a person begins with their favourite pattern.
    """
    favourite = "CASE WHEN p.pick = 0 AND p.visit % 2 = 0 THEN p.person + $apart ELSE p.tid END"
    source = duck(
        """
        SELECT
            b.tid, b.size, b.luck AS visit, $person,
            UNNEST(RANGE(1 + CAST(FLOOR(b.size * 0.7 / $per_pick) AS BIGINT))) AS pick
        FROM basket AS b JOIN $owner
        """,
        per_pick=fraction(per_pick),
        person=[shown("w.person AS person")] if persons else [],
        owner=joins("JOIN owner AS w ON w.tid = b.tid", [0] if persons else []),
    )
    text = "SELECT p.tid, p.size, p.visit, p.pick, $rolls FROM $source AS p"
    drawer = favourite.replace("$apart", str(PERSONS)) if persons else "p.tid"
    query = duck(
        """
        SELECT r.tid, r.size, r.visit, r.pick, u.value AS pattern, r.roll // $cells AS luck
        FROM $rolled AS r
        JOIN pattern_urn AS u ON u.cell = r.roll % $cells
        """,
        cells=SIZE_CELLS,
        rolled=rolled(text, (drawer, "p.pick"), offset, source=source),
    )
    return Step(
        "pick",
        "each row is a pattern that a transaction draws, with a random number for its corruption",
        query,
    )


def chosen(single: int, prescribed: int, *, visits: int, remedied: int) -> Step:
    """One row per transaction and product, up to the size of the transaction.

    Prescriptions come first, then products of the patterns, then single products.
    """
    query = duck(
        """
        WITH candidate AS (
            SELECT tid, size, item, rank FROM $from_prescriptions AS p
            UNION ALL
            SELECT tid, size, item, rank FROM $from_remedies AS p
            UNION ALL
            SELECT tid, size, item, rank FROM $from_patterns AS p
            UNION ALL
            SELECT tid, size, item, rank FROM $from_singles AS p
        ), different AS (
            SELECT tid, item, MIN(size) AS size, MIN(rank) AS rank
            FROM candidate
            GROUP BY tid, item
        )
        SELECT tid, item
        FROM different
        QUALIFY ROW_NUMBER() OVER (PARTITION BY tid ORDER BY rank) <= size
        """,
        from_prescriptions=_prescribed(prescribed, visits),
        from_remedies=_remedied(visits, visits + remedied),
        from_patterns=_patterned(),
        from_singles=_singles(single),
    )
    return Step("chosen", "each row is a product in a transaction", query)


def _prescribed(offset: int, visits: int) -> exp.Query:
    """One or two prescriptions for each of the transactions with the least luck."""
    several = duck(
        "SELECT b.tid, b.size, UNNEST(RANGE(1 + b.luck % 2)) AS nth FROM basket AS b"
        " WHERE b.luck < $visits",
        visits=visits,
    )
    text = "SELECT v.tid, v.size, v.nth, $rolls FROM $several AS v"
    return duck(
        """
        SELECT r.tid, r.size, u.value AS item, r.nth AS rank
        FROM $rolled AS r
        JOIN prescription_urn AS u ON u.cell = r.roll % $cells
        """,
        cells=CELLS,
        rolled=rolled(text, ("v.tid", "v.nth"), offset, several=several),
    )


def _remedied(first: int, beyond: int) -> exp.Query:
    """The prescription of the first pattern, for a share of the transactions that draw it."""
    return duck(
        """
        SELECT p.tid, p.size, r.item, 0 AS rank
        FROM pick AS p
        JOIN remedy AS r ON r.pattern = p.pattern
        WHERE p.pick = 0 AND p.visit >= $first AND p.visit < $beyond
        """,
        first=first,
        beyond=beyond,
    )


def _patterned() -> exp.Query:
    """The products of the drawn patterns that corruption leaves."""
    return duck(
        """
        SELECT p.tid, p.size, k.item, 64 * (p.pick + 1) + k.place AS rank
        FROM pick AS p
        JOIN keep AS k ON k.pattern = p.pattern AND k.variant = (p.tid + p.pick) % $variants
        WHERE p.luck >= k.from_luck
        """,
        variants=VARIANTS,
    )


def _singles(offset: int) -> exp.Query:
    """Products of no pattern: they fill a transaction up to its size."""
    several = duck("SELECT b.tid, b.size, UNNEST(RANGE(2 + b.size // 2)) AS nth FROM basket AS b")
    text = "SELECT s.tid, s.size, s.nth, $rolls FROM $several AS s"
    return duck(
        """
        SELECT r.tid, r.size, u.value AS item, 1000000000 + r.nth AS rank
        FROM $rolled AS r
        JOIN product_urn AS u ON u.cell = r.roll % $cells
        """,
        cells=CELLS,
        rolled=rolled(text, ("s.tid", "s.nth"), offset, several=several),
    )


def missing(public: int, stride: int, offset: int) -> Step:
    """One row per product that fills a transaction up to its size.

    The products come from a walk through all `public` products, with a stride that shares no factor
    with their number. A walk of `size` steps meets enough new products.
    """
    text = "SELECT s.tid, s.size, s.lacking, $rolls FROM $short AS s"
    query = duck(
        """
        WITH walk AS (
            SELECT r.tid, r.lacking, r.roll, UNNEST(RANGE(r.size)) AS nth
            FROM $rolled AS r
        ), way AS (
            SELECT tid, lacking, nth, (roll + nth * $stride) % $public AS item FROM walk
        )
        SELECT w.tid, w.item
        FROM way AS w
        WHERE NOT EXISTS (
            SELECT 1 AS one FROM chosen AS c WHERE c.tid = w.tid AND c.item = w.item
        )
        QUALIFY ROW_NUMBER() OVER (PARTITION BY w.tid ORDER BY w.nth) <= w.lacking
        """,
        public=public,
        stride=stride,
        rolled=rolled(text, ("s.tid", "0"), offset, short=_short()),
    )
    return Step(
        "chosen", "each row is a further product of a transaction that is not full yet", query
    )


def _short() -> exp.Query:
    """The transactions that are not full, and the number of products they lack."""
    return duck(
        """
        SELECT b.tid, b.size, b.size - COUNT(c.item) AS lacking
        FROM basket AS b
        LEFT JOIN chosen AS c ON c.tid = b.tid
        GROUP BY b.tid, b.size
        HAVING COUNT(c.item) < b.size
        """
    )
