-- people
-- check_person: each row is a transaction of the release and the number of its person
SELECT
  k.tid AS tid,
  o.person AS person
FROM check_key AS k
JOIN check_owner AS o
  ON o.key = k.key;
