-- apart: the other transactions hide what the guarded ones hold
SELECT
  o.tid AS tid,
  o.part AS part,
  o.code AS code
FROM original AS o
WHERE
  o.code <= 40
  AND NOT EXISTS(
    SELECT
      1
    FROM guarded AS g
    WHERE
      g.tid = o.tid
  );
