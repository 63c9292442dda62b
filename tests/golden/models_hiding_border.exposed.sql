-- exposed: where a victim can take support from a legitimate itemset
SELECT DISTINCT
  h.tid AS tid,
  h.number AS number
FROM held AS h
JOIN legitimate AS l
  ON l.number = h.number
JOIN frequent_member AS m
  ON m.itemset = l.itemset
JOIN (
  SELECT DISTINCT
    s.tid AS tid,
    r.item AS item
  FROM sensitive AS s
  JOIN restricted AS r
    ON r.pattern = s.pattern
) AS v
  ON v.tid = h.tid AND v.item = m.item;
