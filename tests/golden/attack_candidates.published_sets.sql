-- published_set: the itemsets that the attacker knows, as they were published
SELECT
  LIST_SORT(LIST_DISTINCT(f.items)) AS items,
  f.frequency AS frequency
FROM file AS f;
