"""Publish one lower node at a time, as `refine.py`, so that each class keeps k persons.

Transactions that publish the lower node are takers, beside its ancestor or alone; all others are
the rest.
If the rest has fewer than k persons, persons all of whose transactions are takers give one of them
to it. A giver is free if the class of takers holds another transaction of the person: the class
then keeps its persons.

Makes, per round, belonging_R(tid, part, member), member_R(member, part, transactions) and
stake_R(part, fall, …). A member is a person within a partition.
"""

from __future__ import annotations

from sqlglot import exp

from setveil.sql.step import Step, duck, duck_union


def belongings(number: int) -> Step:
    """One row per transaction: its partition, and the number of its person in it."""
    query = duck(
        """
        SELECT l.tid AS tid, l.part AS part,
            CAST(DENSE_RANK() OVER (ORDER BY l.part, b.person) AS INT) AS member
        FROM (SELECT DISTINCT load.tid AS tid, load.part AS part FROM $load AS load) AS l
        JOIN basket AS b ON b.tid = l.tid
        """,
        load=_table("load", number),
    )
    return Step(
        f"belonging_{number}",
        "each row is a transaction and its member: a person within a partition",
        query,
    )


def members(number: int) -> Step:
    """One row per member: the transactions of a person within a partition."""
    query = duck(
        """
        SELECT b.member AS member, b.part AS part, COUNT(*) AS transactions
        FROM $belonging AS b GROUP BY b.member, b.part
        """,
        belonging=_table("belonging", number),
    )
    return Step(
        f"member_{number}", "each row is a person within a partition, with transactions", query
    )


def stakes(number: int, k: int, falls: int) -> Step:
    """One row per partition and lower node: its possible takers and their persons, by kind.

    Columns `only_…` count the persons of takers only; columns `one_…` count those of one taker, who
    would leave their class if they gave it. Of both kinds together, a person gives a taker beside
    if that is free or there is no free one.
    """
    query = duck(
        """
        SELECT s.part AS part, s.fall AS fall,
            CAST(SUM(s.beside) AS BIGINT) AS beside, CAST(SUM(s.alone) AS BIGINT) AS alone,
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
                CASE WHEN s.beside + s.alone = s.transactions AND s.beside = 1 AND s.alone <= 1
                THEN 1 END
            ) AS one_of_both
        FROM (
            SELECT m.part AS part, CAST(LOW(p.id, $falls) AS INT) AS fall,
                p.beside AS beside, p.alone AS alone, p.gain_beside AS gain_beside,
                p.gain_alone AS gain_alone, m.transactions AS transactions
            FROM (
                SELECT CAST(b.member AS BIGINT) * $falls + offer.fall AS id,
                    COUNT(CASE WHEN offer.kind = 1 THEN 1 END) AS beside,
                    COUNT(CASE WHEN offer.kind = 2 THEN 1 END) AS alone,
                    CAST(SUM(CASE WHEN offer.kind = 1 THEN offer.gain ELSE 0 END) AS BIGINT)
                        AS gain_beside,
                    CAST(SUM(CASE WHEN offer.kind = 2 THEN offer.gain ELSE 0 END) AS BIGINT)
                        AS gain_alone
                FROM $offer AS offer JOIN $belonging AS b ON b.tid = offer.tid
                GROUP BY CAST(b.member AS BIGINT) * $falls + offer.fall
            ) AS p
            JOIN $member AS m ON m.member = HIGH(p.id, $falls)
        ) AS s
        GROUP BY s.part, s.fall
        HAVING COUNT(*) >= $k
        """,
        offer=_table("offer", number),
        belonging=_table("belonging", number),
        member=_table("member", number),
        k=k,
        falls=falls,
    )
    return Step(
        f"stake_{number}",
        "each row is a lower node that transactions of k persons could publish",
        query,
    )


def choices(number: int, k: int) -> Step:
    """One row per partition that can be split, as `refine.choices`.

    `wanted` takers stay with the rest, each of another person. Each class keeps k persons:
    `spare_beside` and `spare_alone` of them may leave it.
    """
    query = duck(
        """
        SELECT ranked.part AS part, ranked.fall AS fall, ranked.beside AS beside,
            ranked.alone AS alone, ranked.wanted AS wanted, ranked.spare_beside AS spare_beside,
            ranked.spare_alone AS spare_alone
        FROM (
            SELECT weighed.part AS part, weighed.fall AS fall, weighed.beside AS beside,
                weighed.alone AS alone, weighed.wanted AS wanted,
                weighed.spare_beside AS spare_beside, weighed.spare_alone AS spare_alone,
                ROW_NUMBER() OVER (
                    PARTITION BY weighed.part
                    ORDER BY weighed.gain - weighed.gain // weighed.takers * weighed.wanted DESC,
                        weighed.up, weighed.down, weighed.beside, weighed.alone
                ) AS place
            FROM (
                SELECT way.part AS part, way.fall AS fall, fall.up AS up, fall.down AS down,
                    way.beside AS beside, way.alone AS alone, way.takers AS takers,
                    way.gain AS gain, way.spare_beside AS spare_beside,
                    way.spare_alone AS spare_alone,
                    CASE
                        WHEN whole.transactions = way.takers OR whole.persons - way.givers >= $k
                        THEN 0
                        ELSE $k - whole.persons + way.givers
                    END AS wanted,
                    way.free
                        + CASE WHEN way.sole_beside > way.spare_beside
                            THEN way.spare_beside ELSE way.sole_beside END
                        + CASE WHEN way.sole_alone > way.spare_alone
                            THEN way.spare_alone ELSE way.sole_alone END AS spare
                FROM $ways AS way
                JOIN fall AS fall ON fall.id = way.fall
                JOIN (
                    SELECT member.part AS part, COUNT(*) AS persons,
                        CAST(SUM(member.transactions) AS BIGINT) AS transactions
                    FROM $member AS member GROUP BY member.part
                ) AS whole ON whole.part = way.part
            ) AS weighed
            WHERE weighed.spare >= weighed.wanted
        ) AS ranked
        WHERE ranked.place = 1
        """,
        ways=_ways(number, k),
        member=_table("member", number),
        k=k,
    )
    return Step(
        f"choice_{number}", "each row is a partition and the lower node that saves most", query
    )


def _ways(number: int, k: int) -> exp.Subquery:
    """One row per partition, node and way to take it: beside its ancestor, alone, or both.

    `givers` are persons of takers only; they are free, or sole beside or alone.
    """
    query = duck_union(
        """
        SELECT t.part AS part, t.fall AS fall, 1 AS beside, 0 AS alone, t.beside AS takers,
            t.gain_beside AS gain, t.only_beside AS givers, t.only_beside - t.one_beside AS free,
            t.one_beside AS sole_beside, 0 AS sole_alone,
            t.persons_beside - $k AS spare_beside, 0 AS spare_alone
        FROM $stake AS t WHERE t.persons_beside >= $k
        UNION ALL
        SELECT t.part AS part, t.fall AS fall, 0 AS beside, 1 AS alone, t.alone AS takers,
            t.gain_alone AS gain, t.only_alone AS givers, t.only_alone - t.one_alone AS free,
            0 AS sole_beside, t.one_alone AS sole_alone,
            0 AS spare_beside, t.persons_alone - $k AS spare_alone
        FROM $stake AS t WHERE t.persons_alone >= $k
        UNION ALL
        SELECT t.part AS part, t.fall AS fall, 1 AS beside, 1 AS alone,
            t.beside + t.alone AS takers, t.gain_beside + t.gain_alone AS gain,
            t.only_both AS givers, t.only_both - t.one_of_both - t.one_alone AS free,
            t.one_of_both AS sole_beside, t.one_alone AS sole_alone,
            t.persons_beside - $k AS spare_beside, t.persons_alone - $k AS spare_alone
        FROM $stake AS t WHERE t.persons_beside >= $k AND t.persons_alone >= $k
        """,
        stake=_table("stake", number),
        k=k,
    )
    return query.subquery()


def takers(number: int) -> Step:
    """One row per transaction that takes its partition's node; least gains stay with the rest."""
    query = duck(
        """
        SELECT own.tid AS tid, own.part AS part, own.fall AS fall, own.kind AS kind
        FROM (
            SELECT placed.tid AS tid, placed.part AS part, placed.fall AS fall,
                placed.kind AS kind, placed.wanted AS wanted, placed.bound AS bound,
                ROW_NUMBER() OVER (PARTITION BY placed.part, placed.bound ORDER BY placed.gain,
                    placed.tid) AS place
            FROM (
                SELECT giving.tid AS tid, giving.part AS part, giving.fall AS fall,
                    giving.kind AS kind, giving.gain AS gain, giving.wanted AS wanted,
                    CASE WHEN giving.gives = 2 THEN 0 WHEN giving.gives = 1
                        AND ROW_NUMBER() OVER (PARTITION BY giving.part, giving.kind, giving.gives
                            ORDER BY giving.gain, giving.tid) <= giving.spare
                        THEN 0 ELSE 1 END AS bound
                FROM $giving AS giving
            ) AS placed
        ) AS own
        WHERE own.bound = 1 OR own.place > own.wanted
        """,
        giving=_giving(number),
    )
    return Step(
        f"taker_{number}",
        "each row is a transaction that publishes the lower node; each class and the rest keep k "
        "persons",
        query,
    )


def _giving(number: int) -> exp.Select:
    """One row per possible taker; `gives` is 2 if it is free to stay, 0 if it must not.

    It is 1 if its class would lose a person. Of each person one transaction can stay: a free one if
    there is one, and of those the one of least gain.
    """
    return duck(
        """
        SELECT taken.tid AS tid, taken.part AS part, taken.fall AS fall, taken.kind AS kind,
            taken.gain AS gain, taken.wanted AS wanted, taken.spare AS spare,
            CASE
                WHEN taken.takers < taken.transactions THEN 0
                WHEN ROW_NUMBER() OVER (
                    PARTITION BY taken.part, taken.member
                    ORDER BY CASE WHEN taken.alike > 1 THEN 0 ELSE 1 END, taken.kind, taken.gain,
                        taken.tid
                ) > 1 THEN 0
                WHEN taken.alike > 1 THEN 2
                ELSE 1
            END AS gives
        FROM (
            SELECT offer.tid AS tid, offer.part AS part, offer.fall AS fall, offer.kind AS kind,
                offer.gain AS gain, b.member AS member, choice.wanted AS wanted,
                CASE WHEN offer.kind = 1 THEN choice.spare_beside ELSE choice.spare_alone END
                    AS spare,
                member.transactions AS transactions,
                COUNT(*) OVER (PARTITION BY offer.part, b.member) AS takers,
                COUNT(*) OVER (PARTITION BY offer.part, b.member, offer.kind) AS alike
            FROM $offer AS offer
            JOIN $choice AS choice ON choice.part = offer.part AND choice.fall = offer.fall
            JOIN $belonging AS b ON b.tid = offer.tid
            JOIN $member AS member ON member.member = b.member
            WHERE CASE WHEN offer.kind = 1 THEN choice.beside ELSE choice.alone END = 1
        ) AS taken
        """,
        offer=_table("offer", number),
        choice=_table("choice", number),
        belonging=_table("belonging", number),
        member=_table("member", number),
    )


def _table(name: str, number: int) -> str:
    return f"{name}_{number}"
