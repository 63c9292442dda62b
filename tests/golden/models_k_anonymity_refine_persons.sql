-- belongings
-- belonging_2: each row is a transaction and its member: a person within a partition
SELECT
  l.tid AS tid,
  l.part AS part,
  CAST(DENSE_RANK() OVER (ORDER BY l.part, b.person) AS INT) AS member
FROM (
  SELECT DISTINCT
    load.tid AS tid,
    load.part AS part
  FROM load_2 AS load
) AS l
JOIN basket AS b
  ON b.tid = l.tid;

-- members
-- member_2: each row is a person within a partition, with transactions
SELECT
  b.member AS member,
  b.part AS part,
  COUNT(*) AS transactions
FROM belonging_2 AS b
GROUP BY
  b.member,
  b.part;

-- stakes
-- stake_2: each row is a lower node that transactions of k persons could publish
SELECT
  s.part AS part,
  s.fall AS fall,
  CAST(SUM(s.beside) AS BIGINT) AS beside,
  CAST(SUM(s.alone) AS BIGINT) AS alone,
  CAST(SUM(s.gain_beside) AS BIGINT) AS gain_beside,
  CAST(SUM(s.gain_alone) AS BIGINT) AS gain_alone,
  COUNT(CASE WHEN s.beside > 0 THEN 1 END) AS persons_beside,
  COUNT(CASE WHEN s.alone > 0 THEN 1 END) AS persons_alone,
  COUNT(CASE WHEN s.beside = s.transactions THEN 1 END) AS only_beside,
  COUNT(CASE WHEN s.beside = s.transactions AND s.beside = 1 THEN 1 END) AS one_beside,
  COUNT(CASE WHEN s.alone = s.transactions THEN 1 END) AS only_alone,
  COUNT(CASE WHEN s.alone = s.transactions AND s.alone = 1 THEN 1 END) AS one_alone,
  COUNT(CASE WHEN s.beside + s.alone = s.transactions THEN 1 END) AS only_both,
  COUNT(
    CASE
      WHEN s.beside + s.alone = s.transactions AND s.beside = 1 AND s.alone <= 1
      THEN 1
    END
  ) AS one_of_both
FROM (
  SELECT
    m.part AS part,
    CAST(p.id % 20000 AS INT) AS fall,
    p.beside AS beside,
    p.alone AS alone,
    p.gain_beside AS gain_beside,
    p.gain_alone AS gain_alone,
    m.transactions AS transactions
  FROM (
    SELECT
      CAST(b.member AS BIGINT) * 20000 + offer.fall AS id,
      COUNT(CASE WHEN offer.kind = 1 THEN 1 END) AS beside,
      COUNT(CASE WHEN offer.kind = 2 THEN 1 END) AS alone,
      CAST(SUM(CASE WHEN offer.kind = 1 THEN offer.gain ELSE 0 END) AS BIGINT) AS gain_beside,
      CAST(SUM(CASE WHEN offer.kind = 2 THEN offer.gain ELSE 0 END) AS BIGINT) AS gain_alone
    FROM offer_2 AS offer
    JOIN belonging_2 AS b
      ON b.tid = offer.tid
    GROUP BY
      CAST(b.member AS BIGINT) * 20000 + offer.fall
  ) AS p
  JOIN member_2 AS m
    ON m.member = p.id // 20000
) AS s
GROUP BY
  s.part,
  s.fall
HAVING
  COUNT(*) >= 20;

-- choices
-- choice_2: each row is a partition and the lower node that saves most
SELECT
  ranked.part AS part,
  ranked.fall AS fall,
  ranked.beside AS beside,
  ranked.alone AS alone,
  ranked.wanted AS wanted,
  ranked.spare_beside AS spare_beside,
  ranked.spare_alone AS spare_alone
FROM (
  SELECT
    weighed.part AS part,
    weighed.fall AS fall,
    weighed.beside AS beside,
    weighed.alone AS alone,
    weighed.wanted AS wanted,
    weighed.spare_beside AS spare_beside,
    weighed.spare_alone AS spare_alone,
    ROW_NUMBER() OVER (
      PARTITION BY weighed.part
      ORDER BY weighed.gain - weighed.gain // weighed.takers * weighed.wanted DESC, weighed.up, weighed.down, weighed.beside, weighed.alone
    ) AS place
  FROM (
    SELECT
      way.part AS part,
      way.fall AS fall,
      fall.up AS up,
      fall.down AS down,
      way.beside AS beside,
      way.alone AS alone,
      way.takers AS takers,
      way.gain AS gain,
      way.spare_beside AS spare_beside,
      way.spare_alone AS spare_alone,
      CASE
        WHEN whole.transactions = way.takers OR whole.persons - way.givers >= 20
        THEN 0
        ELSE 20 - whole.persons + way.givers
      END AS wanted,
      way.free + CASE
        WHEN way.sole_beside > way.spare_beside
        THEN way.spare_beside
        ELSE way.sole_beside
      END + CASE
        WHEN way.sole_alone > way.spare_alone
        THEN way.spare_alone
        ELSE way.sole_alone
      END AS spare
    FROM (
      SELECT
        t.part AS part,
        t.fall AS fall,
        1 AS beside,
        0 AS alone,
        t.beside AS takers,
        t.gain_beside AS gain,
        t.only_beside AS givers,
        t.only_beside - t.one_beside AS free,
        t.one_beside AS sole_beside,
        0 AS sole_alone,
        t.persons_beside - 20 AS spare_beside,
        0 AS spare_alone
      FROM stake_2 AS t
      WHERE
        t.persons_beside >= 20
      UNION ALL
      SELECT
        t.part AS part,
        t.fall AS fall,
        0 AS beside,
        1 AS alone,
        t.alone AS takers,
        t.gain_alone AS gain,
        t.only_alone AS givers,
        t.only_alone - t.one_alone AS free,
        0 AS sole_beside,
        t.one_alone AS sole_alone,
        0 AS spare_beside,
        t.persons_alone - 20 AS spare_alone
      FROM stake_2 AS t
      WHERE
        t.persons_alone >= 20
      UNION ALL
      SELECT
        t.part AS part,
        t.fall AS fall,
        1 AS beside,
        1 AS alone,
        t.beside + t.alone AS takers,
        t.gain_beside + t.gain_alone AS gain,
        t.only_both AS givers,
        t.only_both - t.one_of_both - t.one_alone AS free,
        t.one_of_both AS sole_beside,
        t.one_alone AS sole_alone,
        t.persons_beside - 20 AS spare_beside,
        t.persons_alone - 20 AS spare_alone
      FROM stake_2 AS t
      WHERE
        t.persons_beside >= 20 AND t.persons_alone >= 20
    ) AS way
    JOIN fall AS fall
      ON fall.id = way.fall
    JOIN (
      SELECT
        member.part AS part,
        COUNT(*) AS persons,
        CAST(SUM(member.transactions) AS BIGINT) AS transactions
      FROM member_2 AS member
      GROUP BY
        member.part
    ) AS whole
      ON whole.part = way.part
  ) AS weighed
  WHERE
    weighed.spare >= weighed.wanted
) AS ranked
WHERE
  ranked.place = 1;

-- takers
-- taker_2: each row is a transaction that publishes the lower node; each class and the rest keep k persons
SELECT
  own.tid AS tid,
  own.part AS part,
  own.fall AS fall,
  own.kind AS kind
FROM (
  SELECT
    placed.tid AS tid,
    placed.part AS part,
    placed.fall AS fall,
    placed.kind AS kind,
    placed.wanted AS wanted,
    placed.bound AS bound,
    ROW_NUMBER() OVER (PARTITION BY placed.part, placed.bound ORDER BY placed.gain, placed.tid) AS place
  FROM (
    SELECT
      giving.tid AS tid,
      giving.part AS part,
      giving.fall AS fall,
      giving.kind AS kind,
      giving.gain AS gain,
      giving.wanted AS wanted,
      CASE
        WHEN giving.gives = 2
        THEN 0
        WHEN giving.gives = 1
        AND ROW_NUMBER() OVER (
          PARTITION BY giving.part, giving.kind, giving.gives
          ORDER BY giving.gain, giving.tid
        ) <= giving.spare
        THEN 0
        ELSE 1
      END AS bound
    FROM (
      SELECT
        taken.tid AS tid,
        taken.part AS part,
        taken.fall AS fall,
        taken.kind AS kind,
        taken.gain AS gain,
        taken.wanted AS wanted,
        taken.spare AS spare,
        CASE
          WHEN taken.takers < taken.transactions
          THEN 0
          WHEN ROW_NUMBER() OVER (
            PARTITION BY taken.part, taken.member
            ORDER BY CASE WHEN taken.alike > 1 THEN 0 ELSE 1 END, taken.kind, taken.gain, taken.tid
          ) > 1
          THEN 0
          WHEN taken.alike > 1
          THEN 2
          ELSE 1
        END AS gives
      FROM (
        SELECT
          offer.tid AS tid,
          offer.part AS part,
          offer.fall AS fall,
          offer.kind AS kind,
          offer.gain AS gain,
          b.member AS member,
          choice.wanted AS wanted,
          CASE WHEN offer.kind = 1 THEN choice.spare_beside ELSE choice.spare_alone END AS spare,
          member.transactions AS transactions,
          COUNT(*) OVER (PARTITION BY offer.part, b.member) AS takers,
          COUNT(*) OVER (PARTITION BY offer.part, b.member, offer.kind) AS alike
        FROM offer_2 AS offer
        JOIN choice_2 AS choice
          ON choice.part = offer.part AND choice.fall = offer.fall
        JOIN belonging_2 AS b
          ON b.tid = offer.tid
        JOIN member_2 AS member
          ON member.member = b.member
        WHERE
          CASE WHEN offer.kind = 1 THEN choice.beside ELSE choice.alone END = 1
      ) AS taken
    ) AS giving
  ) AS placed
) AS own
WHERE
  own.bound = 1 OR own.place > own.wanted;
