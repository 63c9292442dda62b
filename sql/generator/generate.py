"""Make baskets that look bought: products, patterns of products, baskets of patterns.

Agrawal and Srikant, Fast algorithms for mining association rules, VLDB 1994, section 2.4.3.
Every choice is a `roll`: a number in 0..2^31-2, the portable hash of two ids and an offset that
stands for seed and purpose. An urn gives each of its cells to a value, by weight: a draw is a join.
Makes generated(tid, item) and generated_hierarchy(item, level1, level2, level3), free of NULL.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from setveil.sql.step import Step, Value, duck, shown, term

# product group, aisle, department, popularity, prescription; then brands, varieties and sizes
Group = tuple[str, str, str, int, bool, str, str, str]

CELLS = 262_144  # of the urns of products and patterns: the low 18 bits of a roll
SIZE_CELLS = 65_536  # of the urns of sizes: the low 16 bits; the 15 above are another choice
VARIANTS = 8  # orders in which the products of a pattern are lost to corruption


def assortment(groups: Sequence[Group]) -> Step:
    """One row per product group: where it stands, how popular it is, and the words of its names."""
    columns = (
        "product_group", "aisle", "department", "popularity",
        "prescription", "brands", "varieties", "sizes",
    )  # fmt: skip
    why = "the product groups of a supermarket with a pharmacy, and the words for their products"
    return Step("assortment", why, _values(columns, groups))


def occasions(groups: Sequence[tuple[int, int, str]]) -> Step:
    """One row per occasion and place 0..7: a product group that is bought then."""
    why = "groups that are bought together"
    return Step("occasion", why, _values(("occasion", "place", "product_group"), groups))


def places(count: int) -> Step:
    """One row per product to be: its group, and how many of the group came before.

    Every twentieth is a prescription. The first products of all groups come before the second
    ones, popular groups before others.
    """
    query = duck(
        """
        WITH shelf AS (
            SELECT
                product_group, prescription,
                ROW_NUMBER() OVER (
                    PARTITION BY prescription ORDER BY popularity DESC, product_group
                ) - 1 AS place,
                COUNT(*) OVER (PARTITION BY prescription) AS places
            FROM assortment
        ), number AS (
            SELECT
                n % 20 = 9 AS prescription,
                CASE WHEN n % 20 = 9 THEN (n - 9) // 20 ELSE n - (n + 10) // 20 END AS nth
            FROM RANGE($count) AS r(n)
        )
        SELECT s.product_group, s.place, n.nth // s.places AS turn
        FROM number AS n
        JOIN shelf AS s ON s.prescription = n.prescription AND s.place = n.nth % s.places
        """,
        count=count,
    )
    return Step("product_place", "how many products each group has", query)


def words() -> Step:
    """One row per product to be: its variety, brand and size, a combination that is its own.

    The variety turns fastest, then the brand, then the size.
    """
    query = duck(
        """
        WITH split AS (
            SELECT
                p.product_group, p.place, p.turn,
                STRING_SPLIT(a.varieties, '|') AS varieties,
                STRING_SPLIT(a.brands, '|') AS brands,
                STRING_SPLIT(a.sizes, '|') AS sizes,
                p.turn % LEN(STRING_SPLIT(a.varieties, '|')) AS nth,
                p.turn // LEN(STRING_SPLIT(a.varieties, '|')) AS rest
            FROM product_place AS p
            JOIN assortment AS a ON a.product_group = p.product_group
        )
        SELECT
            product_group, place, turn,
            varieties[1 + nth] AS variety,
            brands[1 + (rest + 7 * nth + 5 * place) % LEN(brands)] AS brand,
            sizes[1 + (rest // LEN(brands) + rest % LEN(brands) + nth) % LEN(sizes)] AS size
        FROM split
        """
    )
    return Step("product_word", "the words of each product's name", query)


def products() -> Step:
    """One row per product. Those of a group have successive numbers; prescriptions come last."""
    query = duck(
        """
        SELECT
            CAST(
                ROW_NUMBER() OVER (ORDER BY a.prescription, w.place, w.turn) - 1 AS INT
            ) AS item,
            CASE
                WHEN a.prescription THEN w.variety || ' ' || w.size || ' ' || w.brand
                ELSE w.brand || ' ' || w.variety || ' ' || w.size
            END AS name,
            w.product_group, a.prescription,
            (a.popularity + 20) * a.popularity * 1000 // (w.turn + 1) AS weight
        FROM product_word AS w
        JOIN assortment AS a ON a.product_group = w.product_group
        """
    )
    return Step("product", "products by name, popularity falling as one over rank", query)


def hierarchy() -> Step:
    """One row per product: its group, aisle and department."""
    query = duck(
        """
        SELECT
            p.name AS item, p.product_group AS level1, a.aisle AS level2, a.department AS level3
        FROM product AS p
        JOIN assortment AS a ON a.product_group = p.product_group
        ORDER BY p.name
        """
    )
    return Step("generated_hierarchy", "what lies above each product", query)


def product_urn(*, prescription: bool) -> Step:
    """One row per cell: a product, the popular ones in more cells, none in no cell."""
    chosen = duck(
        "SELECT item AS value, weight FROM product WHERE prescription = $wanted",
        wanted=term("TRUE" if prescription else "FALSE"),
    )
    name = "prescription_urn" if prescription else "product_urn"
    return Step(name, "products drawn by their popularity", _urn(chosen, CELLS))


def pattern_urn() -> Step:
    """One row per cell: a pattern. The lightest patterns have the first cells."""
    chosen = duck("SELECT pattern AS value, weight FROM pattern")
    return Step("pattern_urn", "patterns drawn by their weight", _urn(chosen, SIZE_CELLS, "weight"))


def size_urn(name: str, mean: float, most: int) -> Step:
    """One row per cell: a size from 1 to `most`, one more than a Poisson variable."""
    chosen = duck(
        """
        SELECT
            k + 1 AS value,
            CAST(FLOOR(1e9 * EXP(
                k * LN($rate) - $rate - LGAMMA(k + 1)
            )) AS BIGINT) AS weight
        FROM RANGE($most) AS r(k)
        WHERE ABS(k - $rate) <= 5 * SQRT($rate) + 5
        """,
        rate=_fraction(max(mean - 1, 1e-9)),
        most=most,
    )
    return Step(name, "sizes drawn from a Poisson distribution", _urn(chosen, SIZE_CELLS))


def pattern_rolls(count: int, offset: int) -> Step:
    """One row per pattern and die 0..5, with its roll."""
    text = "SELECT p.pattern, d.die, $rolls FROM RANGE($count) AS p(pattern), RANGE(6) AS d(die)"
    query = _rolled(text, ("p.pattern", "d.die"), offset, count=count)
    return Step("pattern_roll", "the dice that shape each pattern", query)


def patterns(*, correlation: float, corruption: float) -> Step:
    """One row per pattern: its weight, length, occasion, the share it takes over, and corruption.

    Shares are exponential around `correlation`, corruption is normal around `corruption`, with
    the variance of the paper at its mean of one half.
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
        correlation=_fraction(correlation),
        corruption=_fraction(corruption),
        dice=_dice(),
    )
    return Step("pattern", "weights, lengths and habits of the patterns", query)


def _dice() -> exp.Query:
    """The six rolls of each pattern, as what they stand for; two make a normal deviation."""
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
    """One row per pattern and slot: the pattern its product was first drawn for.

    A slot that is taken over from the pattern before holds the same product as there.
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
    rolled = _rolled(
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
        rolled=rolled,
    )
    return Step("slot", "which products a pattern takes over from the one before", query)


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
    return Step("shelf", "where the products of an occasion are in the urn", query)


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
        rolled=_rolled(text, ("s.origin", "s.slot"), offset),
    )
    return Step("pattern_item", "the products of each pattern", query)


def keeps() -> Step:
    """One row per pattern, variant and product: kept when the pick's luck reaches `from_luck`.

    Luck is 0..32767. Corruption loses the last product of the variant first, then goes on with
    the pattern's probability; each variant has another product last.
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
    return Step("keep", "how corruption takes products from a pattern", query)


def remedies(offset: int) -> Step:
    """One row per rare pattern, of a tenth of all picks: the prescription that goes with it."""
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
        rolled=_rolled(text, ("rare.pattern", "0"), offset, rare=rare),
    )
    return Step("remedy", "rare habits that go with a prescription", query)


def baskets(first: int, beyond: int, offset: int) -> Step:
    """One row per transaction from `first` until before `beyond`: its size, and its luck."""
    text = "SELECT b.tid, $rolls FROM RANGE($first, $beyond) AS b(tid)"
    query = duck(
        """
        SELECT r.tid, u.value AS size, r.roll // $cells AS luck
        FROM $rolled AS r
        JOIN size_urn AS u ON u.cell = r.roll % $cells
        """,
        cells=SIZE_CELLS,
        rolled=_rolled(text, ("b.tid", "0"), offset, first=first, beyond=beyond),
    )
    return Step("basket", "how many products each transaction buys", query)


def picks(per_pick: float, offset: int) -> Step:
    """One row per transaction and pattern it draws: enough for seven tenths of its size."""
    source = duck(
        """
        SELECT
            b.tid, b.size, b.luck AS visit,
            UNNEST(RANGE(1 + CAST(FLOOR(b.size * 0.7 / $per_pick) AS BIGINT))) AS pick
        FROM basket AS b
        """,
        per_pick=_fraction(per_pick),
    )
    text = "SELECT p.tid, p.size, p.visit, p.pick, $rolls FROM $source AS p"
    query = duck(
        """
        SELECT r.tid, r.size, r.visit, r.pick, u.value AS pattern, r.roll // $cells AS luck
        FROM $rolled AS r
        JOIN pattern_urn AS u ON u.cell = r.roll % $cells
        """,
        cells=SIZE_CELLS,
        rolled=_rolled(text, ("p.tid", "p.pick"), offset, source=source),
    )
    return Step("pick", "the patterns each transaction draws", query)


def chosen(single: int, prescribed: int, *, visits: int, remedied: int) -> Step:
    """One row per transaction and product, all different, as many as its size where that many came.

    Prescriptions come first, then what the patterns hold, then single products.
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
    return Step("chosen", "what each transaction holds", query)


def _prescribed(offset: int, visits: int) -> exp.Query:
    """One prescription, or two, for the transactions of least luck."""
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
        rolled=_rolled(text, ("v.tid", "v.nth"), offset, several=several),
    )


def _remedied(first: int, beyond: int) -> exp.Query:
    """The prescription that goes with the first pattern, for a share of its transactions."""
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
    """The products of the picked patterns that corruption leaves."""
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
    """Products of no pattern, which fill what the patterns leave."""
    several = duck("SELECT b.tid, b.size, UNNEST(RANGE(2 + b.size // 2)) AS nth FROM basket AS b")
    text = "SELECT s.tid, s.size, s.nth, $rolls FROM $several AS s"
    return duck(
        """
        SELECT r.tid, r.size, u.value AS item, 1000000000 + r.nth AS rank
        FROM $rolled AS r
        JOIN product_urn AS u ON u.cell = r.roll % $cells
        """,
        cells=CELLS,
        rolled=_rolled(text, ("s.tid", "s.nth"), offset, several=several),
    )


def missing(public: int, stride: int, offset: int) -> Step:
    """One row per product that a transaction still lacks to its size.

    They come from a walk through all `public` products in strides that share no factor with
    their number: of as many steps as the size, enough lead to products that are not in it yet.
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
        rolled=_rolled(text, ("s.tid", "0"), offset, short=_short()),
    )
    return Step("chosen", "any other products, for transactions that are short of some", query)


def _short() -> exp.Query:
    """The transactions that lack products, and how many."""
    return duck(
        """
        SELECT b.tid, b.size, b.size - COUNT(c.item) AS lacking
        FROM basket AS b
        LEFT JOIN chosen AS c ON c.tid = b.tid
        GROUP BY b.tid, b.size
        HAVING COUNT(c.item) < b.size
        """
    )


def generated() -> Step:
    """One row per transaction and product, by name."""
    query = duck(
        """
        SELECT CAST(c.tid AS INT) AS tid, p.name AS item
        FROM chosen AS c
        JOIN product AS p ON p.item = c.item
        """
    )
    return Step("generated", "the transactions, with the names of their products", query)


def ordered() -> Step:
    """The rows of the file, in their order."""
    query = duck("SELECT tid, item FROM generated ORDER BY tid, item")
    return Step("release", "the generated transactions", query)


def ordered_hierarchy() -> Step:
    """The rows of the hierarchy's file, in their order."""
    query = duck("SELECT item, level1, level2, level3 FROM generated_hierarchy ORDER BY item")
    return Step("hierarchy", "the hierarchy above the generated products", query)


def sizes() -> Step:
    """One row: transactions, products that occur, occurrences, the longest transaction."""
    query = duck(
        """
        WITH basket_length AS (
            SELECT tid, COUNT(*) AS length FROM generated GROUP BY tid
        )
        SELECT
            COUNT(*) AS transactions,
            (SELECT COUNT(DISTINCT item) FROM generated) AS items,
            CAST(SUM(length) AS BIGINT) AS occurrences,
            MAX(length) AS longest
        FROM basket_length
        """
    )
    return Step("sizes", "what was generated", query)


def _urn(values: exp.Query, cells: int, rank: str = "value") -> exp.Query:
    """One row per cell 0..cells-1: every value has one cell, and the others by its weight."""
    return duck(
        """
        WITH running AS (
            SELECT
                value, weight,
                ROW_NUMBER() OVER (ORDER BY $rank, value) AS n,
                COUNT(*) OVER () AS count,
                CAST(SUM(weight) OVER (
                    ORDER BY $rank, value ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
                ) AS BIGINT) AS upto,
                CAST(SUM(weight) OVER () AS BIGINT) AS total
            FROM $source AS v
        )
        SELECT
            value,
            UNNEST(RANGE(
                n - 1 + (upto - weight) * ($cells - count) // total,
                n + upto * ($cells - count) // total
            )) AS cell
        FROM running
        """,
        source=values,
        cells=cells,
        rank=rank,
    )


def _rolled(text: str, ids: tuple[str, str], offset: int, **values: Value) -> exp.Query:
    """The rows that a text with `$rolls` selects, each with its `roll`, made of two ids."""
    x = "(CAST($first AS BIGINT) * 48271 + $second * 69621 + $offset) % 2147483647 AS x"
    rolls = [
        shown(x, first=term(ids[0]), second=term(ids[1]), offset=offset),
        shown("x * x % 2147483647 AS x2"),
        shown("(x2 * x2 % 2147483647) * x % 2147483647 AS roll"),
    ]
    return duck(text, rolls=rolls, **values)


def _fraction(value: float) -> exp.Expr:
    return exp.Literal.number(value)


def _values(columns: Sequence[str], rows: Sequence[Sequence[str | int | bool]]) -> exp.Query:
    """A relation written out: words of the program, never of the data."""
    tuples = [exp.Tuple(expressions=[exp.convert(one) for one in row]) for row in rows]
    names = exp.TableAlias(columns=[exp.to_identifier(one) for one in columns])
    return duck(
        "SELECT $columns FROM $values AS v",
        columns=[term("v.$name", name=one) for one in columns],
        values=exp.Values(expressions=tuples, alias=names),
    )
