-- drawn_2: those who gain least fill the leftover up to k
SELECT
  r.tid AS tid
FROM (
  SELECT
    w.tid AS tid,
    w.wanted AS wanted,
    ROW_NUMBER() OVER (PARTITION BY w.part ORDER BY w.gain, w.tid) AS place
  FROM (
    SELECT
      s.tid AS tid,
      s.part AS part,
      s.gain AS gain,
      b.spare AS spare,
      b.wanted AS wanted,
      ROW_NUMBER() OVER (PARTITION BY s.part, s.shape ORDER BY s.gain, s.tid) AS place
    FROM split_2 AS s
    JOIN bucket_2 AS b
      ON b.was = s.part AND b.branch = s.branch AND b.shape = s.shape
    WHERE
      b.spare > 0
  ) AS w
  WHERE
    w.place <= w.spare
) AS r
WHERE
  r.place <= r.wanted;
