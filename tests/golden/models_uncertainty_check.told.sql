-- check_told: what an attacker could infer it from
SELECT
  h.tid AS tid,
  h.item AS item,
  ROW_NUMBER() OVER (PARTITION BY h.tid ORDER BY h.item DESC) - 1 AS rest
FROM check_held AS h
WHERE
  EXISTS(
    SELECT
      1 AS one
    FROM check_secret AS s
    WHERE
      s.tid = h.tid
  );
