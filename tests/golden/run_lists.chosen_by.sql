-- chosen_private: the items of --private
SELECT
  item
FROM item
WHERE
  support > 10
ORDER BY
  item;
