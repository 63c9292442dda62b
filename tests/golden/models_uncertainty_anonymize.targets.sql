-- target: which transactions lose something, in a seeded order
SELECT
  t.tid AS tid,
  t.mask AS mask,
  t.secret AS secret,
  t.of_secret AS of_secret,
  t.of_known AS of_known
FROM (
  SELECT
    a.tid AS tid,
    s.mask AS mask,
    u.secret AS secret,
    u.of_secret AS of_secret,
    u.of_known AS of_known,
    ROW_NUMBER() OVER (
      PARTITION BY u.part, u.k_0, u.k_1, u.secret
      ORDER BY (
        (
          CAST(a.tid AS BIGINT) * 48271 % 2147483647 + 0 * 69621 % 2147483647 + 7
        ) % 2147483647
      ) * (
        (
          CAST(a.tid AS BIGINT) * 48271 % 2147483647 + 0 * 69621 % 2147483647 + 7
        ) % 2147483647
      ) % 2147483647 * (
        (
          (
            CAST(a.tid AS BIGINT) * 48271 % 2147483647 + 0 * 69621 % 2147483647 + 7
          ) % 2147483647
        ) * (
          (
            CAST(a.tid AS BIGINT) * 48271 % 2147483647 + 0 * 69621 % 2147483647 + 7
          ) % 2147483647
        ) % 2147483647
      ) % 2147483647 * (
        (
          CAST(a.tid AS BIGINT) * 48271 % 2147483647 + 0 * 69621 % 2147483647 + 7
        ) % 2147483647
      ) % 2147483647, a.tid
    ) AS turn
  FROM unsafe AS u
  JOIN subset AS s
    ON s.part = u.part AND s.k_0 = u.k_0 AND s.k_1 = u.k_1
  JOIN arranged AS a
    ON a.alike = s.shape
) AS t
WHERE
  t.turn <= t.of_secret;
