-- assortment
-- assortment: each row is a product group of a supermarket with a pharmacy, with words for its products
SELECT
  v.product_group,
  v.aisle,
  v.department,
  v.popularity,
  v.prescription,
  v.brands,
  v.varieties,
  v.sizes
FROM (VALUES
  ('milk', 'dairy', 'food', 3, FALSE, 'Alpen,Wiesen', 'whole,skimmed', '1 l,2 l'),
  ('Rx insulin', 'diabetes', 'pharmacy', 1, TRUE, '', 'rapid,basal', '5 ml')) AS v(product_group, aisle, department, popularity, prescription, brands, varieties, sizes);

-- occasions
-- occasion: each row is a product group of an occasion: its groups are bought together
SELECT
  v.occasion,
  v.place,
  v.product_group
FROM (VALUES
  (1, 1, 'milk'),
  (1, 2, 'Rx insulin')) AS v(occasion, place, product_group);

-- places
-- product_place: each row is a product to make, with its product group
WITH shelf AS (
  SELECT
    product_group,
    prescription,
    ROW_NUMBER() OVER (PARTITION BY prescription ORDER BY popularity DESC, product_group) - 1 AS place,
    COUNT(*) OVER (PARTITION BY prescription) AS places
  FROM assortment
), number AS (
  SELECT
    n % 20 = 9 AS prescription,
    CASE WHEN n % 20 = 9 THEN (
      n - 9
    ) // 20 ELSE n - (
      n + 10
    ) // 20 END AS nth
  FROM RANGE(0, 500) AS r(n)
)
SELECT
  s.product_group,
  s.place,
  n.nth // s.places AS turn
FROM number AS n
JOIN shelf AS s
  ON s.prescription = n.prescription AND s.place = n.nth % s.places;

-- words
-- product_word: each row is a product to make, with the words of its name
WITH split AS (
  SELECT
    p.product_group,
    p.place,
    p.turn,
    STR_SPLIT(a.varieties, '|') AS varieties,
    STR_SPLIT(a.brands, '|') AS brands,
    STR_SPLIT(a.sizes, '|') AS sizes,
    p.turn % LENGTH(STR_SPLIT(a.varieties, '|')) AS nth,
    p.turn // LENGTH(STR_SPLIT(a.varieties, '|')) AS rest
  FROM product_place AS p
  JOIN assortment AS a
    ON a.product_group = p.product_group
)
SELECT
  product_group,
  place,
  turn,
  varieties[1 + nth] AS variety,
  brands[1 + (
    rest + 7 * nth + 5 * place
  ) % LENGTH(brands)] AS brand,
  sizes[1 + (
    rest // LENGTH(brands) + rest % LENGTH(brands) + nth
  ) % LENGTH(sizes)] AS size
FROM split;

-- products
-- product: each row is a product with its name; its weight falls as one over its rank
SELECT
  CAST(ROW_NUMBER() OVER (ORDER BY a.prescription, w.place, w.turn) - 1 AS INT) AS item,
  CASE
    WHEN a.prescription
    THEN w.variety || ' ' || w.size || ' ' || w.brand
    ELSE w.brand || ' ' || w.variety || ' ' || w.size
  END AS name,
  w.product_group,
  a.prescription,
  (
    a.popularity + 20
  ) * a.popularity * 1000 // (
    w.turn + 1
  ) AS weight
FROM product_word AS w
JOIN assortment AS a
  ON a.product_group = w.product_group;

-- hierarchy
-- generated_hierarchy: each row is a product with its group, aisle and department
SELECT
  p.name AS item,
  p.product_group AS level1,
  a.aisle AS level2,
  a.department AS level3
FROM product AS p
JOIN assortment AS a
  ON a.product_group = p.product_group
ORDER BY
  p.name;

-- product_urn-public
-- product_urn: each row is a cell of an urn and its product: products are drawn by popularity
WITH running AS (
  SELECT
    value,
    weight,
    ROW_NUMBER() OVER (ORDER BY value, value) AS n,
    COUNT(*) OVER () AS count,
    CAST(SUM(weight) OVER (ORDER BY value, value ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS BIGINT) AS upto,
    CAST(SUM(weight) OVER () AS BIGINT) AS total
  FROM (
    SELECT
      item AS value,
      weight
    FROM product
    WHERE
      prescription = FALSE
  ) AS v
)
SELECT
  value,
  UNNEST(
    RANGE(
      n - 1 + (
        upto - weight
      ) * (
        262144 - count
      ) // total,
      n + upto * (
        262144 - count
      ) // total
    )
  ) AS cell
FROM running;

-- product_urn-prescription
-- prescription_urn: each row is a cell of an urn and its product: products are drawn by popularity
WITH running AS (
  SELECT
    value,
    weight,
    ROW_NUMBER() OVER (ORDER BY value, value) AS n,
    COUNT(*) OVER () AS count,
    CAST(SUM(weight) OVER (ORDER BY value, value ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS BIGINT) AS upto,
    CAST(SUM(weight) OVER () AS BIGINT) AS total
  FROM (
    SELECT
      item AS value,
      weight
    FROM product
    WHERE
      prescription = TRUE
  ) AS v
)
SELECT
  value,
  UNNEST(
    RANGE(
      n - 1 + (
        upto - weight
      ) * (
        262144 - count
      ) // total,
      n + upto * (
        262144 - count
      ) // total
    )
  ) AS cell
FROM running;
