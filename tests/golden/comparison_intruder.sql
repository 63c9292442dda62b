-- drawn
-- drawn: each row is a random transaction that an intruder looks for
SELECT
  b.tid AS tid,
  CAST(b.key AS TEXT) AS key
FROM basket AS b
ORDER BY
  MD5('1' || ':' || CAST(b.key AS TEXT)),
  tid
LIMIT 1000;

-- revealed
-- revealed: each row is a random item that the intruder knows
SELECT
  r.tid AS tid,
  r.item AS item,
  r.place AS place
FROM (
  SELECT
    o.tid AS tid,
    o.item AS item,
    ROW_NUMBER() OVER (
      PARTITION BY o.tid
      ORDER BY MD5('1' || ':' || d.key || ':' || CAST(i.name AS TEXT)), o.item
    ) AS place
  FROM drawn AS d
  JOIN occurrence AS o
    ON o.tid = d.tid
  JOIN public_item AS p
    ON p.item = o.item
  JOIN item AS i
    ON i.item = o.item
) AS r
WHERE
  r.place <= 2;

-- known-2
-- known_2: each row is an item that the intruder knows
SELECT
  r.tid AS tid,
  r.item AS item,
  ROW_NUMBER() OVER (PARTITION BY r.tid ORDER BY i.support, r.item) AS place,
  COUNT(*) OVER (PARTITION BY r.tid) - 1 AS others
FROM revealed AS r
JOIN item AS i
  ON i.item = r.item
WHERE
  r.place <= 2;

-- candidates-2
-- candidates_2: counts the transactions that hold all of up to 2 known items
SELECT
  c.candidates AS candidates,
  c.persons AS persons,
  COUNT(*) AS draws
FROM (
  SELECT
    k.tid AS tid,
    i.support AS candidates,
    i.support AS persons
  FROM known_2 AS k
  JOIN item AS i
    ON i.item = k.item
  WHERE
    k.others = 0
  UNION ALL
  SELECT
    f.tid AS tid,
    COUNT(*) AS candidates,
    COUNT(*) AS persons
  FROM (
    SELECT
      r.tid AS tid,
      h.tid AS holder
    FROM known_2 AS r
    JOIN occurrence AS h
      ON h.item = r.item
    JOIN known_2 AS k
      ON k.tid = r.tid
    JOIN occurrence AS o
      ON o.tid = h.tid AND o.item = k.item
    WHERE
      r.place = 1 AND k.place > 1
    GROUP BY
      r.tid,
      h.tid
    HAVING
      COUNT(*) = MAX(k.others)
  ) AS f
  JOIN basket AS b
    ON b.tid = f.holder
  GROUP BY
    f.tid
) AS c
GROUP BY
  c.candidates,
  c.persons
ORDER BY
  candidates,
  persons;

-- candidates-2-persons
-- candidates_2: counts the transactions that hold all of up to 2 known items
SELECT
  c.candidates AS candidates,
  c.persons AS persons,
  COUNT(*) AS draws
FROM (
  SELECT
    k.tid AS tid,
    i.support AS candidates,
    i.persons AS persons
  FROM known_2 AS k
  JOIN item AS i
    ON i.item = k.item
  WHERE
    k.others = 0
  UNION ALL
  SELECT
    f.tid AS tid,
    COUNT(*) AS candidates,
    COUNT(DISTINCT b.person) AS persons
  FROM (
    SELECT
      r.tid AS tid,
      h.tid AS holder
    FROM known_2 AS r
    JOIN occurrence AS h
      ON h.item = r.item
    JOIN known_2 AS k
      ON k.tid = r.tid
    JOIN occurrence AS o
      ON o.tid = h.tid AND o.item = k.item
    WHERE
      r.place = 1 AND k.place > 1
    GROUP BY
      r.tid,
      h.tid
    HAVING
      COUNT(*) = MAX(k.others)
  ) AS f
  JOIN basket AS b
    ON b.tid = f.holder
  GROUP BY
    f.tid
) AS c
GROUP BY
  c.candidates,
  c.persons
ORDER BY
  candidates,
  persons;
