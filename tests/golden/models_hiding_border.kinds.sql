-- kind: transactions of the same traits are of one kind
SELECT
  p.tid AS tid,
  CAST(DENSE_RANK() OVER (ORDER BY p.one, p.two, p.traits) - 1 AS INT) AS kind
FROM (
  SELECT
    t.tid AS tid,
    CAST(SUM(
      (
        (
          (
            (
              CAST(t.trait AS BIGINT) * 48271 + 69621
            ) % 2147483647
          ) * (
            (
              CAST(t.trait AS BIGINT) * 48271 + 69621
            ) % 2147483647
          ) % 2147483647
        ) * (
          (
            (
              CAST(t.trait AS BIGINT) * 48271 + 69621
            ) % 2147483647
          ) * (
            (
              CAST(t.trait AS BIGINT) * 48271 + 69621
            ) % 2147483647
          ) % 2147483647
        ) % 2147483647
      ) * (
        (
          CAST(t.trait AS BIGINT) * 48271 + 69621
        ) % 2147483647
      ) % 2147483647
    ) AS BIGINT) AS one,
    CAST(SUM(
      (
        (
          (
            (
              CAST(t.trait AS BIGINT) * 48271 + 139242
            ) % 2147483647
          ) * (
            (
              CAST(t.trait AS BIGINT) * 48271 + 139242
            ) % 2147483647
          ) % 2147483647
        ) * (
          (
            (
              CAST(t.trait AS BIGINT) * 48271 + 139242
            ) % 2147483647
          ) * (
            (
              CAST(t.trait AS BIGINT) * 48271 + 139242
            ) % 2147483647
          ) % 2147483647
        ) % 2147483647
      ) * (
        (
          CAST(t.trait AS BIGINT) * 48271 + 139242
        ) % 2147483647
      ) % 2147483647
    ) AS BIGINT) AS two,
    COUNT(*) AS traits
  FROM trait AS t
  GROUP BY
    t.tid
) AS p;
