-- least_loss: what any release must lose
SELECT
  CAST(COALESCE(
    SUM(
      CASE
        WHEN b.most + 1 >= b.held
        THEN 0
        WHEN b.held - b.most - 1 < b.secrets
        THEN b.held - b.most - 1
        ELSE b.secrets
      END
    ),
    0
  ) AS BIGINT) AS least
FROM (
  SELECT
    o.held AS held,
    o.secrets AS secrets,
    CASE WHEN COALESCE(s.most, 0) > o.common THEN s.most ELSE o.common END AS most
  FROM outline AS o
  LEFT JOIN shared AS s
    ON s.tid = o.tid
  WHERE
    o.secrets > 0 AND o.held > 1
) AS b;
