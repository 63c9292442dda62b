-- item_pair_2: itemsets may be missing: any item may lack some
SELECT
  i.known AS known,
  i.mined AS mined
FROM item_pair_1 AS i;
