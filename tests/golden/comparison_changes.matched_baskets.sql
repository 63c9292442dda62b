-- matched_basket: the same key is the same transaction
SELECT
  o.tid AS tid,
  r.tid AS released
FROM run.main.basket AS o
JOIN basket AS r
  ON CAST(r.key AS TEXT) = CAST(o.key AS TEXT);
