-- remaining: what others will mine
SELECT
  o.tid AS tid,
  o.item AS item
FROM occurrence AS o
WHERE
  NOT EXISTS(
    SELECT
      1 AS one
    FROM suppressed AS d
    WHERE
      d.tid = o.tid AND d.item = o.item
  );
