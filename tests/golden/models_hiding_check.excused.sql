-- check_excused: what may be missing: the rest must be as it was
SELECT
  CAST(p.item AS BIGINT) * 2654435761 + c.word AS cell,
  BIT_OR(c.bits) AS bits
FROM check_pattern AS p
JOIN check_cohort AS c
  ON c.pattern = p.pattern
GROUP BY
  CAST(p.item AS BIGINT) * 2654435761 + c.word;
