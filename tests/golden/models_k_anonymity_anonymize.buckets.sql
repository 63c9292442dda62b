-- bucket_2: buckets of fewer than k go to the leftover
SELECT
  a.was AS was,
  a.branch AS branch,
  a.shape AS shape,
  20 - a.small AS wanted,
  CASE
    WHEN a.transactions < 20
    THEN NULL
    WHEN a.small = 0 OR a.small >= 20
    THEN 0
    WHEN a.small + a.surplus >= 20
    THEN a.transactions - 20
    WHEN a.place = 1
    THEN NULL
    ELSE 0
  END AS spare,
  CAST(CASE WHEN a.whole = 1 THEN 2 * a.first + 1 ELSE 2 * a.number END AS INT) AS part,
  CAST(2 * a.first + 1 AS INT) AS rest
FROM (
  SELECT
    b.part AS was,
    b.branch AS branch,
    b.shape AS shape,
    b.whole AS whole,
    b.transactions AS transactions,
    b.number AS number,
    MIN(b.number) OVER (PARTITION BY b.part) AS first,
    CAST(SUM(CASE WHEN b.transactions < 20 THEN b.transactions ELSE 0 END) OVER (PARTITION BY b.part, b.branch) AS BIGINT) AS small,
    CAST(SUM(CASE WHEN b.transactions < 20 THEN 0 ELSE b.transactions - 20 END) OVER (PARTITION BY b.part, b.branch) AS BIGINT) AS surplus,
    ROW_NUMBER() OVER (
      PARTITION BY b.part, b.branch
      ORDER BY CASE WHEN b.transactions < 20 THEN 1 ELSE 0 END, b.transactions, b.gain, b.shape
    ) AS place
  FROM (
    SELECT
      s.part AS part,
      s.branch AS branch,
      s.shape AS shape,
      MAX(s.whole) AS whole,
      COUNT(*) AS transactions,
      CAST(SUM(s.gain) AS BIGINT) AS gain,
      ROW_NUMBER() OVER (ORDER BY s.part, s.branch, s.shape) AS number
    FROM split_2 AS s
    GROUP BY
      s.part,
      s.branch,
      s.shape
  ) AS b
) AS a;
