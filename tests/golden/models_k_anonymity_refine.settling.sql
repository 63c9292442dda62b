-- settled: nothing more can be told apart in these
SELECT
  c.tid AS tid,
  c.item AS item,
  c.branch AS branch
FROM cell_2 AS c
WHERE
  NOT EXISTS(
    SELECT
      1 AS one
    FROM choice_2 AS d
    WHERE
      d.part = c.part
  );
