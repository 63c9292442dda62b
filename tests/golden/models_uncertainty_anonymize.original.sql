-- original: transactions in parts, at random
SELECT
  o.tid AS tid,
  (
    (
      CAST(o.tid AS BIGINT) * 48271 % 2147483647 + 0 * 69621 % 2147483647 + 7
    ) % 2147483647
  ) * (
    (
      CAST(o.tid AS BIGINT) * 48271 % 2147483647 + 0 * 69621 % 2147483647 + 7
    ) % 2147483647
  ) % 2147483647 * (
    (
      (
        CAST(o.tid AS BIGINT) * 48271 % 2147483647 + 0 * 69621 % 2147483647 + 7
      ) % 2147483647
    ) * (
      (
        CAST(o.tid AS BIGINT) * 48271 % 2147483647 + 0 * 69621 % 2147483647 + 7
      ) % 2147483647
    ) % 2147483647
  ) % 2147483647 * (
    (
      CAST(o.tid AS BIGINT) * 48271 % 2147483647 + 0 * 69621 % 2147483647 + 7
    ) % 2147483647
  ) % 2147483647 % 2 AS part,
  c.code AS code
FROM occurrence AS o
JOIN coded AS c
  ON c.item = o.item;
