-- check_pair: which transaction holds which item, each once
SELECT DISTINCT
  t.tid * 2654435761 + n.number AS pair
FROM cells AS c
JOIN check_name AS n
  ON n.name = c.name
JOIN check_key AS t
  ON t.key = c.key;
