"""Generate realistic baskets: products, patterns of products, and baskets of patterns.

Agrawal and Srikant, Fast algorithms for mining association rules, VLDB 1994, section 2.4.3.
Every choice is a `roll`: a number in 0..2^31-2, the portable hash of two ids and of an offset for
seed and purpose. An urn has cells, and each value has cells by its weight: a draw is a join.
Makes generated(tid, item) and generated_hierarchy(item, level1, level2, level3), free of NULL.
"""

from __future__ import annotations

from sqlglot import exp

from setveil.sql.generator.drawing import CELLS, fraction, rolled, urn
from setveil.sql.step import Step, duck, joins, shown, term

SIZE_CELLS = 65_536  # cells of the urns of sizes: the low 16 bits; the 15 above are another choice
VARIANTS = 8  # orders in which the products of a pattern are lost to corruption


def pattern_urn() -> Step:
    """One row per cell: a pattern. The lightest patterns have the first cells."""
    chosen = duck("SELECT pattern AS value, weight FROM pattern")
    return Step(
        "pattern_urn",
        "each row is a cell of an urn and its pattern: patterns are drawn by weight",
        urn(chosen, SIZE_CELLS, "weight"),
    )


def size_urn(name: str, mean: float, most: int, least: int = 1) -> Step:
    """One row per cell: a size from `least` to `most`, one more than a Poisson variable."""
    chosen = duck(
        """
        SELECT
            k + 1 AS value,
            CAST(FLOOR(1e9 * EXP(
                k * LN($rate) - $rate - LGAMMA(k + 1)
            )) AS BIGINT) AS weight
        FROM RANGE($most) AS r(k)
        WHERE ABS(k - $rate) <= 5 * SQRT($rate) + 5 AND $least
        """,
        rate=fraction(max(mean - 1, 1e-9)),
        most=most,
        least=[] if least == 1 else [term("k + 1 >= $least", least=least)],
    )
    return Step(
        name,
        "each row is a cell of an urn and its size: sizes follow a Poisson distribution",
        urn(chosen, SIZE_CELLS),
    )


def pattern_rolls(count: int, offset: int) -> Step:
    """One row per pattern and die 0..5, with its roll."""
    text = "SELECT p.pattern, d.die, $rolls FROM RANGE($count) AS p(pattern), RANGE(6) AS d(die)"
    query = rolled(text, ("p.pattern", "d.die"), offset, count=count)
    return Step("pattern_roll", "each row is one of six random numbers that shape a pattern", query)


def patterns(*, correlation: float, corruption: float) -> Step:
    """One row per pattern: weight, length, occasion, inherited share, and corruption.

    Shares are exponential around `correlation`. Corruption is normal around `corruption`, with the
    variance of the paper at its mean of one half.
    """
    query = duck(
        """
        SELECT
            d.pattern, d.occasion, u.value AS length,
            CAST(1000000 * d.weight AS BIGINT) + 1 AS weight,
            LEAST(1.0, $correlation * d.share) AS share,
            LEAST(0.95, GREATEST(0.0, $corruption * (1 + 0.632 * d.deviation))) AS corruption
        FROM $dice AS d
        JOIN pattern_size_urn AS u ON u.cell = d.cell
        """,
        correlation=fraction(correlation),
        corruption=fraction(corruption),
        dice=_dice(),
    )
    return Step(
        "pattern", "each row is a pattern with its weight, its length and its corruption", query
    )


def _dice() -> exp.Query:
    """The six random numbers of each pattern, in their units; two make a normal deviation."""
    return duck(
        """
        SELECT
            pattern,
            MAX(CASE WHEN die = 0 THEN -LN((roll + 1) / 2147483648) END) AS weight,
            MAX(CASE WHEN die = 1 THEN roll % $size_cells END) AS cell,
            MAX(CASE WHEN die = 2 THEN -LN((roll + 1) / 2147483648) END) AS share,
            MAX(CASE WHEN die = 3 THEN SQRT(-2 * LN((roll + 1) / 2147483648)) END)
            * MAX(CASE WHEN die = 4 THEN COS(2 * PI() * roll / 2147483647) END) AS deviation,
            MAX(CASE WHEN die = 5 THEN roll % occasions END) AS occasion
        FROM pattern_roll
        CROSS JOIN (SELECT COUNT(DISTINCT occasion) AS occasions FROM occasion) AS known
        GROUP BY pattern
        """,
        size_cells=SIZE_CELLS,
    )


def slots(offset: int) -> Step:
    """One row per pattern and slot: the pattern for which its product was first drawn.

    A slot that is inherited from the previous pattern holds that pattern's product.
    """
    before = duck(
        """
        SELECT
            pattern, length, share,
            LAG(length, 1, 0) OVER (ORDER BY pattern) AS length_before,
            UNNEST(RANGE(length)) AS slot
        FROM pattern
        """
    )
    rolls = rolled(
        "SELECT s.pattern, s.slot, s.length_before, s.share, $rolls FROM $before AS s",
        ("s.pattern", "s.slot"),
        offset,
        before=before,
    )
    query = duck(
        """
        SELECT
            pattern, slot,
            MAX(CASE WHEN slot >= length_before OR roll >= share * 2147483647 THEN pattern END)
            OVER (PARTITION BY slot ORDER BY pattern) AS origin
        FROM $rolled AS r
        """,
        rolled=rolls,
    )
    return Step(
        "slot",
        "each row is a slot of a pattern, and the earlier pattern whose product it inherits",
        query,
    )


def shelves() -> Step:
    """One row per occasion and place whose group has products: their cells in the urn."""
    query = duck(
        """
        SELECT o.occasion, o.place, MIN(u.cell) AS first_cell, COUNT(*) AS cells
        FROM occasion AS o
        JOIN product AS p ON p.product_group = o.product_group
        JOIN product_urn AS u ON u.value = p.item
        GROUP BY o.occasion, o.place
        """
    )
    return Step(
        "shelf", "each row is a product group of an occasion, with its cells in the urn", query
    )


def pattern_items(offset: int) -> Step:
    """One row per pattern and product: seven in ten draws come from the pattern's occasion."""
    text = "SELECT s.pattern, s.slot, s.origin, $rolls FROM slot AS s"
    query = duck(
        """
        WITH choice AS (
            SELECT
                r.pattern, r.slot,
                COALESCE(s.first_cell + r.roll % s.cells, r.roll % $cells) AS cell
            FROM $rolled AS r
            JOIN pattern AS p ON p.pattern = r.origin
            LEFT JOIN shelf AS s
                ON s.occasion = p.occasion
                AND s.place = (r.roll // $cells // 10) % 8
                AND (r.roll // $cells) % 10 < 7
        )
        SELECT c.pattern, u.value AS item, MIN(c.slot) AS slot
        FROM choice AS c
        JOIN product_urn AS u ON u.cell = c.cell
        GROUP BY c.pattern, u.value
        """,
        cells=CELLS,
        rolled=rolled(text, ("s.origin", "s.slot"), offset),
    )
    return Step("pattern_item", "each row is a product of a pattern", query)


def keeps() -> Step:
    """One row per pattern, variant and product: kept when the pick's luck reaches `from_luck`.

    Luck is 0..32767. Corruption removes the last product of the variant first, then goes on with
    the pattern's probability. Each variant ends with a different product.
    """
    query = duck(
        """
        WITH ranked AS (
            SELECT
                i.pattern, i.item, p.corruption,
                ROW_NUMBER() OVER (PARTITION BY i.pattern ORDER BY i.slot) - 1 AS place,
                COUNT(*) OVER (PARTITION BY i.pattern) AS places
            FROM pattern_item AS i
            JOIN pattern AS p ON p.pattern = i.pattern
        ), turned AS (
            SELECT
                pattern, item, corruption, places, v.variant, (place + v.variant) % places AS place
            FROM ranked
            CROSS JOIN RANGE($variants) AS v(variant)
        )
        SELECT
            pattern, variant, item, place,
            CAST(FLOOR(32768 * POWER(corruption, places - place)) AS INT) AS from_luck
        FROM turned
        """,
        variants=VARIANTS,
    )
    return Step(
        "keep", "each row is a product of a pattern, and the luck from which a pick keeps it", query
    )


def remedies(offset: int) -> Step:
    """One row per rare pattern, a tenth of all picks: the prescription that goes with it."""
    rare = duck(
        """
        SELECT DISTINCT u.value AS pattern FROM pattern_urn AS u
        WHERE NOT EXISTS (
            SELECT 1 AS one FROM pattern_urn AS heavy
            WHERE heavy.value = u.value AND heavy.cell >= $limit
        )
        """,
        limit=SIZE_CELLS // 10,
    )
    text = "SELECT rare.pattern, $rolls FROM $rare AS rare"
    query = duck(
        """
        SELECT r.pattern, u.value AS item
        FROM $rolled AS r
        JOIN prescription_urn AS u ON u.cell = r.roll % $cells
        """,
        cells=CELLS,
        rolled=rolled(text, ("rare.pattern", "0"), offset, rare=rare),
    )
    return Step(
        "remedy", "each row is a rare pattern and the prescription that goes with it", query
    )


def generated(*, persons: bool = False) -> Step:
    """One row per transaction and product, by name; with `persons` the person too."""
    query = duck(
        """
        SELECT CAST(c.tid AS INT) AS tid, p.name AS item, $person
        FROM chosen AS c
        JOIN product AS p ON p.item = c.item
        JOIN $owner
        """,
        person=[shown("w.person AS person")] if persons else [],
        owner=joins("JOIN owner AS w ON w.tid = c.tid", [0] if persons else []),
    )
    return Step("generated", "each row is a transaction and a product in it, by name", query)


def ordered(*, persons: bool = False) -> Step:
    """The rows of the file, in the order of the file."""
    query = duck(
        "SELECT tid, item, $person FROM generated ORDER BY tid, item",
        person=[shown("person AS person")] if persons else [],
    )
    return Step("release", "lists the generated transactions, in the order of the file", query)


def ordered_hierarchy() -> Step:
    """The rows of the hierarchy's file, in the order of the file."""
    query = duck("SELECT item, level1, level2, level3 FROM generated_hierarchy ORDER BY item")
    return Step(
        "hierarchy",
        "lists the hierarchy of the generated products, in the order of the file",
        query,
    )


def sizes() -> Step:
    """One row: transactions, products that occur, occurrences, the longest transaction."""
    query = duck(
        """
        WITH basket_length AS (
            SELECT tid, COUNT(*) AS length FROM release GROUP BY tid
        )
        SELECT
            COUNT(*) AS transactions,
            (SELECT COUNT(DISTINCT item) FROM release) AS items,
            CAST(SUM(length) AS BIGINT) AS occurrences,
            MAX(length) AS longest
        FROM basket_length
        """
    )
    return Step("sizes", "counts the generated transactions, products and occurrences", query)
