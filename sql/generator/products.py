"""Make the products of a supermarket with a pharmacy: groups, names, popularity, hierarchy."""

from __future__ import annotations

from collections.abc import Sequence

from setveil.sql.generator.drawing import CELLS, urn, values
from setveil.sql.step import Step, duck, term

# product group, aisle, department, popularity, prescription; then brands, varieties and sizes
Group = tuple[str, str, str, int, bool, str, str, str]


def assortment(groups: Sequence[Group]) -> Step:
    """One row per product group: its shelf, its popularity, and the words of its names."""
    columns = (
        "product_group", "aisle", "department", "popularity",
        "prescription", "brands", "varieties", "sizes",
    )  # fmt: skip
    why = (
        "each row is a product group of a supermarket with a pharmacy, with words for its products"
    )
    return Step("assortment", why, values(columns, groups))


def occasions(groups: Sequence[tuple[int, int, str]]) -> Step:
    """One row per occasion and place 0..7: a product group that is bought on this occasion."""
    why = "each row is a product group of an occasion: its groups are bought together"
    return Step("occasion", why, values(("occasion", "place", "product_group"), groups))


def places(count: int) -> Step:
    """One row per product to make: its group, and the number of earlier products in the group.

    Every twentieth is a prescription. The first products of all groups come before the second
    products, popular groups before others.
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
    return Step("product_place", "each row is a product to make, with its product group", query)


def words() -> Step:
    """One row per product to make: its variety, brand and size, a unique combination.

    The variety changes fastest, then the brand, then the size.
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
    return Step("product_word", "each row is a product to make, with the words of its name", query)


def products() -> Step:
    """One row per product. A group has successive numbers; prescriptions come last."""
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
    return Step(
        "product",
        "each row is a product with its name; its weight falls as one over its rank",
        query,
    )


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
    return Step(
        "generated_hierarchy", "each row is a product with its group, aisle and department", query
    )


def product_urn(*, prescription: bool) -> Step:
    """One row per cell: a product. Popular products have more cells, each product has one."""
    chosen = duck(
        "SELECT item AS value, weight FROM product WHERE prescription = $wanted",
        wanted=term("TRUE" if prescription else "FALSE"),
    )
    name = "prescription_urn" if prescription else "product_urn"
    return Step(
        name,
        "each row is a cell of an urn and its product: products are drawn by popularity",
        urn(chosen, CELLS),
    )
