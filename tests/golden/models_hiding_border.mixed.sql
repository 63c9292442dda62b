-- mixed: sums can be equal by chance: not here
SELECT
  COUNT(*) AS mixed
FROM (
  SELECT
    k.kind AS kind,
    t.trait AS trait,
    COUNT(*) AS "having"
  FROM kind AS k
  JOIN trait AS t
    ON t.tid = k.tid
  GROUP BY
    k.kind,
    t.trait
) AS h
JOIN (
  SELECT
    kind,
    COUNT(*) AS transactions
  FROM kind
  GROUP BY
    kind
) AS n
  ON n.kind = h.kind
WHERE
  h."having" <> n.transactions;
