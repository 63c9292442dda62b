"""Make the products of a supermarket with a pharmacy: groups, names, popularity, hierarchy."""

from __future__ import annotations

from collections.abc import Sequence

from setveil.sql.generator.drawing import CELLS, urn, values
from setveil.sql.step import Step, duck, term

# product group, aisle, department, popularity, prescription; then brands, varieties and sizes
Group = tuple[str, str, str, int, bool, str, str, str]


def assortment(groups: Sequence[Group]) -> Step:
    """One row per product group: where it stands, how popular it is, and the words of its names."""
    columns = (
        "product_group", "aisle", "department", "popularity",
        "prescription", "brands", "varieties", "sizes",
    )  # fmt: skip
    why = "the product groups of a supermarket with a pharmacy, and the words for their products"
    return Step("assortment", why, values(columns, groups))


def occasions(groups: Sequence[tuple[int, int, str]]) -> Step:
    """One row per occasion and place 0..7: a product group that is bought then."""
    why = "groups that are bought together"
    return Step("occasion", why, values(("occasion", "place", "product_group"), groups))


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
    return Step(name, "products drawn by their popularity", urn(chosen, CELLS))
