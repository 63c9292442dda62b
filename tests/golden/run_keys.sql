-- keyed
-- keyed: each row is a row of the data, with the text of its id
SELECT
  s."basket no" AS "basket no",
  s."sku" AS "sku",
  s."o'brien" AS "o'brien",
  REPLACE(REPLACE(CAST(s."store" AS TEXT), '%', '%25'), '/', '%2F') || '/' || REPLACE(REPLACE(CAST(s."o'brien" AS TEXT), '%', '%25'), '/', '%2F') AS "key"
FROM source AS s;

-- parts
-- key_part: each row is a transaction id: its text, and its columns
SELECT DISTINCT
  s."key" AS "key",
  s."store" AS "store",
  s."o'brien" AS "o'brien"
FROM source AS s
WHERE
  NOT s."key" IS NULL;

-- with_text
SELECT
  *
FROM (
  SELECT
    s.*,
    REPLACE(REPLACE(CAST(s."sku" AS TEXT), '%', '%25'), '/', '%2F') || '/' || REPLACE(REPLACE(CAST(s."basket no" AS TEXT), '%', '%25'), '/', '%2F') AS "key"
  FROM t AS s
);

-- with_parts
SELECT
  p."store" AS "store",
  p."o'brien" AS "o'brien",
  r."sku" AS "sku"
FROM release AS r
JOIN key_part AS p
  ON p."key" = r."key"
ORDER BY
  p."store",
  p."o'brien",
  r."sku";
