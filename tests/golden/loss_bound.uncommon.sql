-- uncommon: what few transactions share
SELECT
  o.tid AS tid,
  o.code AS code,
  CASE WHEN t.secrets > 0 AND t.held > 1 THEN 1 ELSE 0 END AS asked
FROM original AS o
JOIN commonness AS c
  ON c.code = o.code AND c.place >= 62
JOIN outline AS t
  ON t.tid = o.tid;
