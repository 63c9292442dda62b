-- found_prospects_4: how large the next level can be
SELECT
  CAST(COALESCE(SUM(s.members * (
    s.members - 1
  ) / 2), 0) AS BIGINT) AS candidates,
  CAST(COALESCE(SUM(s.held), 0) AS BIGINT) AS held,
  CAST(COALESCE(SUM(s.held * (
    (
      s.others - s.others % s.places
    ) / s.places
  )), 0) AS BIGINT) AS meetings
FROM (
  SELECT
    g.members AS members,
    g.held AS held,
    100 * g.held * (
      g.members - 1
    ) AS others,
    g.members * p.support AS places
  FROM (
    SELECT
      COUNT(*) AS members,
      CAST(SUM(f.support) AS BIGINT) AS held,
      f.item_1 AS item_1,
      f.item_2 AS item_2
    FROM found_3 AS f
    GROUP BY
      f.item_1,
      f.item_2
  ) AS g
  JOIN found_2 AS p
    ON g.item_1 = p.item_1 AND g.item_2 = p.item_2
) AS s;
