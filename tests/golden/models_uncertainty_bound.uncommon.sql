-- uncommon: what few transactions share
SELECT
  o.tid AS tid,
  o.code AS code
FROM original AS o
JOIN commonness AS c
  ON c.code = o.code AND c.place >= 62;
