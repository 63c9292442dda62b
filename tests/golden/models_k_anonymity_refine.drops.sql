-- fall_of: the same for each item
SELECT
  f.id AS id,
  a.item AS item,
  f.up AS up,
  f.down AS down,
  f.gain AS gain
FROM fall AS f
JOIN descent AS a
  ON a.branch = f.up
JOIN descent AS b
  ON b.item = a.item AND b.branch = f.down
UNION ALL
SELECT
  f.id AS id,
  a.item AS item,
  f.up AS up,
  f.down AS down,
  f.gain AS gain
FROM fall AS f
JOIN descent AS a
  ON a.branch = f.up AND -1 - a.item = f.down;
