-- counted_4: support, from the lists of the prefix
SELECT
  ROW_NUMBER() OVER (ORDER BY m.pair) AS id,
  p.id AS parent,
  q.id AS sibling,
  m.support AS support,
  p.item_1 AS item_1,
  p.item_2 AS item_2,
  p.item_3 AS item_3,
  q.item_3 AS item_4
FROM (
  SELECT
    h.id * 1000 + x.item AS pair,
    COUNT(*) AS support
  FROM cohort_3 AS h
  JOIN judged_3 AS j
    ON j.id = h.id
  JOIN extension AS x
    ON x.tid = h.tid AND x.item > j.item_3
  WHERE
    j.verdict = 0
  GROUP BY
    h.id * 1000 + x.item
) AS m
JOIN judged_3 AS p
  ON p.id = CAST((
    m.pair - m.pair % 1000
  ) / 1000 AS BIGINT)
JOIN judged_3 AS q
  ON q.item_1 = p.item_1
  AND q.item_2 = p.item_2
  AND q.item_3 = CAST(m.pair % 1000 AS INT)
WHERE
  (
    q.verdict = 0
    AND EXISTS(
      SELECT
        1
      FROM judged_3 AS s
      WHERE
        s.item_1 = p.item_2
        AND s.item_2 = p.item_3
        AND s.item_3 = q.item_3
        AND s.verdict = 0
    )
  )
  AND EXISTS(
    SELECT
      1
    FROM judged_3 AS s
    WHERE
      s.item_1 = p.item_1
      AND s.item_2 = p.item_3
      AND s.item_3 = q.item_3
      AND s.verdict = 0
  )
ORDER BY
  id;
