-- lengths: how much one transaction can tell
SELECT
  CAST(COALESCE(MAX(held), 0) AS BIGINT) AS longest
FROM (
  SELECT
    tid,
    COUNT(*) AS held
  FROM occurrence
  GROUP BY
    tid
) AS counted;
