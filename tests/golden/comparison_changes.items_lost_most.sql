-- items_lost_most: where the loss is
SELECT
  label,
  before,
  after
FROM matched_item
WHERE
  before > after
ORDER BY
  before - after DESC,
  item
LIMIT 10;
