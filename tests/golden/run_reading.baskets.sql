-- basket: transactions with the same frequent items stand side by side
SELECT
  CAST(ROW_NUMBER() OVER (ORDER BY mask DESC, key) - 1 AS INT) AS tid,
  key
FROM (
  SELECT
    c.key AS key,
    COALESCE(
      BIT_OR(
        CASE
          WHEN l.popularity < 62
          THEN CAST(1 AS BIGINT) << CAST(62 - 1 - l.popularity AS INT)
        END
      ),
      0
    ) AS mask
  FROM cells AS c
  LEFT JOIN label AS l
    ON l.name = c.name
  WHERE
    NOT c.key IS NULL
  GROUP BY
    c.key
) AS masked;
