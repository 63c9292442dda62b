-- frequent_member: the items of all that is frequent
SELECT
  item AS itemset,
  item AS item
FROM item
WHERE
  FALSE;
