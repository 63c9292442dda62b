-- supports_changed: how the distribution of the items changed
SELECT
  before,
  after
FROM matched_item
ORDER BY
  item;
