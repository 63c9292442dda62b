"""Form groups of a degree of transactions, so that no two of a group share a sensitive item.

Reads queue(tid, place) and plain(tid, item). Makes clash(tid, code), where transactions of a group
must have no code in common: a sensitive item, or a person of several transactions. Makes
member(tid, team), the groups.

Like CAHD, a round takes a transaction as a seed. Neighbours that have many items in common with it,
and no code, join it. CAHD makes one group at a time, around a sensitive transaction. An
attacker who repeats it finds that transaction in the middle. Here the order is first cut into
parts, as small as their sensitive items allow. A part is dealt out to windows, and a round makes a
group in each. The seed is chosen whatever it holds.

The rest of a part is its last group. So a group is given up if the rest would hold an item more
often than the degree allows, as in CAHD. If a person is twice in a rest, its transactions join the
groups near them instead. A group may grow: its shares only fall.
"""

from __future__ import annotations

from sqlglot import exp

from setveil.sql.step import Step, duck, term, together


def clashes(*, persons: bool) -> Step:
    """One row per transaction with other items and code: a sensitive item, or its person.

    The code of a person is minus 1 minus the person's number. Persons of one transaction have none.
    """
    items = duck(
        """
        SELECT o.tid AS tid, o.item AS code
        FROM occurrence AS o
        JOIN sensitive_item AS s ON s.item = o.item
        JOIN queue AS q ON q.tid = o.tid
        """
    )
    several = duck(
        """
        SELECT p.tid AS tid, -1 - p.person AS code
        FROM (
            SELECT b.tid AS tid, b.person AS person,
                COUNT(*) OVER (PARTITION BY b.person) AS held
            FROM basket AS b JOIN queue AS q ON q.tid = b.tid
        ) AS p
        WHERE p.held > 1
        """
    )
    return Step(
        "clash",
        "each row is a transaction and what only one of its group may have",
        together([items, several] if persons else [items]),
    )


def crowded(degree: int) -> Step:
    """One row per sensitive item that too many transactions hold for any grouping, worst first."""
    query = duck(
        """
        SELECT CAST(i.name AS TEXT) AS name, h.held AS held, n.transactions AS transactions
        FROM (
            SELECT c.code AS code, COUNT(*) AS held FROM clash AS c WHERE c.code >= 0
            GROUP BY c.code
        ) AS h
        CROSS JOIN (SELECT COUNT(*) AS transactions FROM queue AS q) AS n
        JOIN item AS i ON i.item = h.code
        WHERE h.held * $degree > n.transactions
        ORDER BY h.held DESC, i.item
        """,
        degree=degree,
    )
    return Step(
        "crowded",
        "lists the items that a larger share of the transactions holds than a group may hold",
        query,
    )


# Parts of the order


def whole() -> Step:
    """One row per transaction with other items: the first part has all of them."""
    query = duck("SELECT q.tid AS tid, q.place AS place, 1 AS part FROM queue AS q")
    return Step("part_0", "each row is a transaction; the first part has all of them", query)


def halves(number: int, least: int) -> Step:
    """One row per transaction of a part of at least two times `least`: its half, 0 or 1."""
    query = duck(
        """
        SELECT s.tid AS tid, s.place AS place, s.part AS part,
            CAST(s.part * 2 + s.nth * 2 // s.size AS INT) AS half
        FROM (
            SELECT p.tid AS tid, p.place AS place, p.part AS part,
                ROW_NUMBER() OVER (PARTITION BY p.part ORDER BY p.place) - 1 AS nth,
                COUNT(*) OVER (PARTITION BY p.part) AS size
            FROM $part AS p
        ) AS s
        WHERE s.size >= $twice
        """,
        part=f"part_{number}",
        twice=2 * least,
    )
    return Step(f"half_{number}", "each row is a transaction and its half of its part", query)


def uncut(number: int, degree: int) -> Step:
    """One row per part that stays whole: a half would hold an item more often than it may."""
    query = duck(
        """
        SELECT DISTINCT h.half // 2 AS part
        FROM (
            SELECT f.half AS half, c.code AS code, COUNT(*) AS held
            FROM $half AS f JOIN clash AS c ON c.tid = f.tid
            GROUP BY f.half, c.code
        ) AS h
        JOIN (SELECT f.half AS half, COUNT(*) AS size FROM $half AS f GROUP BY f.half) AS s
            ON s.half = h.half
        WHERE h.held * $degree > s.size
        """,
        half=f"half_{number}",
        degree=degree,
    )
    return Step(
        f"uncut_{number}", "each row is a part with a half that holds an item too often", query
    )


def cut(number: int) -> Step:
    """One row per transaction whose part is cut: its new part."""
    query = duck(
        """
        SELECT h.tid AS tid, h.place AS place, h.half AS part FROM $half AS h
        WHERE NOT EXISTS (SELECT 1 AS one FROM $uncut AS u WHERE u.part = h.part)
        """,
        half=f"half_{number}",
        uncut=f"uncut_{number}",
    )
    return Step(f"part_{number + 1}", "each row is a transaction of a part that was cut", query)


def opened(levels: int) -> Step:
    """One row per transaction: its smallest part, and its place."""
    whole = """
        SELECT p.tid AS tid, p.place AS place, p.part AS part FROM $part AS p
        WHERE NOT EXISTS (SELECT 1 AS one FROM $next AS n WHERE n.tid = p.tid)
    """
    last = "SELECT p.tid AS tid, p.place AS place, p.part AS part FROM $part AS p"
    parts = [duck(whole, part=f"part_{n}", next=f"part_{n + 1}") for n in range(levels)]
    query = together([*parts, duck(last, part=f"part_{levels}")])
    return Step("open_1", "each row is a transaction that is in no group yet, and its part", query)


# Groups


def windows(number: int, width: int, degree: int) -> Step:
    """One row per open transaction: its window, of at least `width`, and its place in it.

    A part is dealt out to its windows, so that each has neighbours from all of the part. Parts of
    less than two groups are left for their last group.
    """
    query = duck(
        """
        SELECT s.tid AS tid, s.part AS part, CAST(s.nth % s.windows AS INT) AS win,
            CAST(s.nth // s.windows AS INT) AS place, s.windows AS windows, s.size AS size
        FROM (
            SELECT p.tid AS tid, p.part AS part, p.nth AS nth, p.size AS size,
                CASE WHEN p.size < $twice THEN 1 ELSE p.size // $width END AS windows
            FROM (
                SELECT o.tid AS tid, o.part AS part,
                    ROW_NUMBER() OVER (PARTITION BY o.part ORDER BY o.place) - 1 AS nth,
                    COUNT(*) OVER (PARTITION BY o.part) AS size
                FROM $open AS o
            ) AS p
            WHERE p.size >= $groups
        ) AS s
        """,
        width=width,
        twice=2 * width,
        groups=2 * degree,
        open=f"open_{number}",
    )
    return Step(
        f"window_{number}", "each row is an open transaction; a window makes a group a round", query
    )


def scarce(number: int, degree: int) -> Step:
    """One row per part and item of which groups must take care: the groups that can do without it.

    A group takes the degree of transactions, and one of an item's or none. So the item fits into
    the rest as long as no more groups are without it than `slack`.
    """
    query = duck(
        """
        SELECT h.part AS part, h.code AS code, h.size // $degree - h.held AS slack
        FROM (
            SELECT w.part AS part, c.code AS code, w.size AS size, w.windows AS windows,
                COUNT(*) AS held
            FROM $windows AS w JOIN clash AS c ON c.tid = w.tid
            GROUP BY w.part, c.code, w.size, w.windows
        ) AS h
        WHERE h.size // $degree - h.held < h.windows
        """,
        windows=f"window_{number}",
        degree=degree,
    )
    return Step(
        f"scarce_{number}",
        "each row is an item that almost every group must hold, and how many can do without",
        query,
    )


def seeds(number: int) -> Step:
    """One row per window: the transaction that its group is made around, another in each round."""
    query = duck(
        """
        SELECT w.tid AS tid, w.part AS part, w.win AS win
        FROM $windows AS w
        JOIN (
            SELECT m.part AS part, m.win AS win, COUNT(*) AS size
            FROM $windows AS m GROUP BY m.part, m.win
        ) AS n ON n.part = w.part AND n.win = w.win
        WHERE w.place = $round % n.size
        """,
        windows=f"window_{number}",
        round=number - 1,
    )
    return Step(f"seed_{number}", "each row is the transaction that a group is made around", query)


def barred(number: int) -> Step:
    """One row per open transaction that shares a code with the seed of its window."""
    query = duck(
        """
        SELECT DISTINCT w.tid AS tid
        FROM $seed AS s
        JOIN clash AS b ON b.tid = s.tid
        JOIN $windows AS w ON w.part = s.part AND w.win = s.win AND w.tid <> s.tid
        JOIN clash AS a ON a.tid = w.tid AND a.code = b.code
        """,
        seed=f"seed_{number}",
        windows=f"window_{number}",
    )
    return Step(
        f"barred_{number}",
        "each row is a transaction that shares a sensitive item with a seed",
        query,
    )


def likened(number: int) -> Step:
    """One row per open transaction that shares no code with its seed: its place by likeness.

    The seed is first, then holders of scarce items, then those with most items of the seed.
    """
    query = duck(
        """
        SELECT w.tid AS tid, w.part AS part, w.win AS win, s.tid AS seed,
            CAST(ROW_NUMBER() OVER (
                PARTITION BY w.part, w.win
                ORDER BY CASE WHEN w.tid = s.tid THEN 0 ELSE 1 END, COALESCE(u.scarce, 0) DESC,
                    COALESCE(c.common, 0) DESC, w.place
            ) AS INT) AS nth
        FROM $windows AS w
        JOIN $seed AS s ON s.part = w.part AND s.win = w.win
        LEFT JOIN (
            SELECT m.tid AS tid, COUNT(*) AS common
            FROM $seed AS f
            JOIN plain AS i ON i.tid = f.tid
            JOIN $windows AS m ON m.part = f.part AND m.win = f.win
            JOIN plain AS p ON p.tid = m.tid AND p.item = i.item
            GROUP BY m.tid
        ) AS c ON c.tid = w.tid
        LEFT JOIN (
            SELECT m.tid AS tid, COUNT(*) AS scarce
            FROM $windows AS m
            JOIN clash AS h ON h.tid = m.tid
            JOIN $scarce AS r ON r.part = m.part AND r.code = h.code
            GROUP BY m.tid
        ) AS u ON u.tid = w.tid
        WHERE NOT EXISTS (SELECT 1 AS one FROM $barred AS b WHERE b.tid = w.tid)
        """,
        windows=f"window_{number}",
        seed=f"seed_{number}",
        scarce=f"scarce_{number}",
        barred=f"barred_{number}",
    )
    return Step(
        f"likened_{number}",
        "each row is an open transaction; those most like the seed of the window come first",
        query,
    )


def passed_over(number: int) -> Step:
    """One row per transaction with a code that an earlier one of its window has."""
    query = duck(
        """
        SELECT DISTINCT e.tid AS tid
        FROM (
            SELECT c.tid AS tid, k.nth AS nth,
                MIN(k.nth) OVER (PARTITION BY k.part, k.win, c.code) AS earliest
            FROM clash AS c JOIN $likened AS k ON k.tid = c.tid
        ) AS e
        WHERE e.earliest < e.nth
        """,
        likened=f"likened_{number}",
    )
    return Step(
        f"passed_over_{number}",
        "each row is a transaction that shares a sensitive item with a more similar one",
        query,
    )


def drawn(number: int, degree: int) -> Step:
    """One row per transaction of a new group: the first ones that are not passed over."""
    query = duck(
        """
        SELECT t.tid AS tid, t.part AS part, t.win AS win, t.seed AS seed
        FROM (
            SELECT l.tid AS tid, l.part AS part, l.win AS win, l.seed AS seed,
                ROW_NUMBER() OVER (PARTITION BY l.part, l.win ORDER BY l.nth) AS nth,
                COUNT(*) OVER (PARTITION BY l.part, l.win) AS free
            FROM $likened AS l
            WHERE NOT EXISTS (SELECT 1 AS one FROM $passed AS e WHERE e.tid = l.tid)
        ) AS t
        WHERE t.nth <= $degree AND t.free >= $degree
        """,
        degree=degree,
        likened=f"likened_{number}",
        passed=f"passed_over_{number}",
    )
    return Step(
        f"drawn_{number}", "each row is a transaction of a group: no two share a code", query
    )


def given_up(number: int) -> Step:
    """One row per new group without a scarce item, where others of its part use up the slack."""
    query = duck(
        """
        SELECT DISTINCT r.part AS part, r.win AS win
        FROM (
            SELECT g.part AS part, g.win AS win, s.code AS code, s.slack AS slack,
                ROW_NUMBER() OVER (PARTITION BY s.part, s.code ORDER BY g.win) AS nth
            FROM (SELECT DISTINCT d.part AS part, d.win AS win FROM $drawn AS d) AS g
            JOIN $scarce AS s ON s.part = g.part
            WHERE NOT EXISTS (
                SELECT 1 AS one
                FROM $drawn AS d JOIN clash AS c ON c.tid = d.tid
                WHERE d.part = g.part AND d.win = g.win AND c.code = s.code
            )
        ) AS r
        WHERE r.nth > r.slack AND r.code >= 0
        """,
        drawn=f"drawn_{number}",
        scarce=f"scarce_{number}",
    )
    return Step(
        f"given_up_{number}",
        "each row is a group after which the rest would hold a scarce item too often",
        query,
    )


def formed(number: int) -> Step:
    """One row per transaction of a group of this round; the group is named by its seed."""
    query = duck(
        """
        SELECT d.tid AS tid, d.seed AS team FROM $drawn AS d
        WHERE NOT EXISTS (
            SELECT 1 AS one FROM $given_up AS g WHERE g.part = d.part AND g.win = d.win
        )
        """,
        drawn=f"drawn_{number}",
        given_up=f"given_up_{number}",
    )
    return Step(f"formed_{number}", "each row is a transaction and the seed of its group", query)


def reopened(number: int) -> Step:
    """One row per transaction that is in no group after round `number`."""
    query = duck(
        """
        SELECT o.tid AS tid, o.place AS place, o.part AS part FROM $open AS o
        WHERE NOT EXISTS (SELECT 1 AS one FROM $formed AS f WHERE f.tid = o.tid)
        """,
        open=f"open_{number}",
        formed=f"formed_{number}",
    )
    return Step(f"open_{number + 1}", "each row is a transaction that is in no group yet", query)


# The rest


def rests(rounds: int) -> Step:
    """One row per transaction that no round has grouped: its part, and the part of its last group.

    `kept` is 1 if all of the part that is left can be one group: no person is there twice.
    """
    query = duck(
        """
        SELECT o.tid AS tid, o.place AS place, o.part AS part,
            CASE WHEN t.part IS NULL THEN 1 ELSE 0 END AS kept
        FROM $open AS o
        LEFT JOIN (
            SELECT DISTINCT n.part AS part
            FROM (
                SELECT p.part AS part, c.code AS code, COUNT(*) AS held
                FROM $open AS p JOIN clash AS c ON c.tid = p.tid
                WHERE c.code < 0
                GROUP BY p.part, c.code
            ) AS n
            WHERE n.held > 1
        ) AS t ON t.part = o.part
        """,
        open=f"open_{rounds + 1}",
    )
    return Step("rest", "each row is a transaction that is left; kept ones are a last group", query)


def settled(rounds: int) -> Step:
    """One row per transaction of a group that a round has formed, and the number of its group.

    Groups are numbered in the order of their first places, so that neighbours have near numbers.
    """
    query = duck(
        """
        SELECT f.tid AS tid, f.team AS team,
            CAST(DENSE_RANK() OVER (ORDER BY f.first, f.team) - 1 AS INT) AS place
        FROM (
            SELECT m.tid AS tid, m.team AS team, MIN(q.place) OVER (PARTITION BY m.team) AS first
            FROM $formed AS m JOIN queue AS q ON q.tid = m.tid
        ) AS f
        """,
        formed=_formed(rounds),
    )
    return Step("settled_0", "each row is a transaction of a group, and the group's place", query)


def loose() -> Step:
    """One row per transaction that must join a group: its part would hold a person twice."""
    query = duck(
        """
        SELECT r.tid AS tid, CAST(r.place * g.teams // n.queued AS INT) AS place
        FROM rest AS r
        CROSS JOIN (SELECT COUNT(DISTINCT s.team) AS teams FROM settled_0 AS s) AS g
        CROSS JOIN (SELECT COUNT(*) AS queued FROM queue AS q) AS n
        WHERE r.kept = 0
        """
    )
    return Step("loose_0", "each row is a transaction that must join a group of others", query)


def wooed(number: int) -> Step:
    """One row per loose transaction: the group near it that it tries, a further one in each try."""
    query = duck(
        """
        SELECT l.tid AS tid, l.place AS near, t.team AS team, t.place AS place
        FROM $loose AS l
        CROSS JOIN (SELECT COUNT(DISTINCT s.team) AS teams FROM settled_0 AS s) AS n
        JOIN (SELECT DISTINCT s.team AS team, s.place AS place FROM settled_0 AS s) AS t
            ON t.place = (l.place + $number) % n.teams
        """,
        number=number,
        loose=f"loose_{number}",
    )
    return Step(f"wooed_{number}", "each row is a transaction and the group that it tries", query)


def refused(number: int) -> Step:
    """One row per transaction that shares a code with the group that it tries."""
    query = duck(
        """
        SELECT DISTINCT w.tid AS tid
        FROM $wooed AS w
        JOIN clash AS c ON c.tid = w.tid
        JOIN (
            SELECT s.team AS team, h.code AS code
            FROM $settled AS s JOIN clash AS h ON h.tid = s.tid
        ) AS g ON g.team = w.team AND g.code = c.code
        """,
        wooed=f"wooed_{number}",
        settled=f"settled_{number}",
    )
    return Step(
        f"refused_{number}", "each row is a transaction that does not fit the group it tries", query
    )


def joined(number: int) -> Step:
    """One row per loose transaction that joins the group it tries: one for each group."""
    query = duck(
        """
        SELECT a.tid AS tid, a.team AS team, a.place AS place
        FROM (
            SELECT w.tid AS tid, w.team AS team, w.place AS place,
                ROW_NUMBER() OVER (PARTITION BY w.team ORDER BY w.near, w.tid) AS nth
            FROM $wooed AS w
            WHERE NOT EXISTS (SELECT 1 AS one FROM $refused AS r WHERE r.tid = w.tid)
        ) AS a
        WHERE a.nth = 1
        """,
        wooed=f"wooed_{number}",
        refused=f"refused_{number}",
    )
    return Step(f"joined_{number}", "each row is a transaction that joins a group", query)


def resettled(number: int) -> Step:
    """One row per transaction of a group, with those that joined in this try."""
    query = together(
        [
            duck(
                "SELECT s.tid AS tid, s.team AS team, s.place AS place FROM $settled AS s",
                settled=f"settled_{number}",
            ),
            duck(
                "SELECT j.tid AS tid, j.team AS team, j.place AS place FROM $joined AS j",
                joined=f"joined_{number}",
            ),
        ]
    )
    return Step(f"settled_{number + 1}", "each row is a transaction of a group", query)


def still_loose(number: int) -> Step:
    """One row per transaction that still has to join a group."""
    query = duck(
        """
        SELECT l.tid AS tid, l.place AS place FROM $loose AS l
        WHERE NOT EXISTS (SELECT 1 AS one FROM $joined AS j WHERE j.tid = l.tid)
        """,
        loose=f"loose_{number}",
        joined=f"joined_{number}",
    )
    return Step(f"loose_{number + 1}", "each row is a transaction that must join a group", query)


def unsettled(tries: int) -> Step:
    """One row: the transactions that found no group and hold a sensitive item."""
    query = duck(
        """
        SELECT COUNT(DISTINCT l.tid) AS missing
        FROM $loose AS l JOIN clash AS c ON c.tid = l.tid
        WHERE c.code >= 0
        """,
        loose=f"loose_{tries}",
    )
    return Step(
        "unsettled", "counts transactions with sensitive items that no group can take", query
    )


APART, BLANK = 10**12, 2 * 10**12  # names of groups that have no seed


def members(tries: int, *, blank: bool, persons: bool) -> Step:
    """One row per transaction: its group.

    The rest of a part is a group. Loose transactions that found none hold no sensitive item:
    they are groups with one transaction of each person. So are `blank` ones, without other items.
    """
    settled = duck("SELECT s.tid AS tid, s.team AS team FROM $s AS s", s=f"settled_{tries}")
    last = duck("SELECT r.tid AS tid, -1 - r.part AS team FROM rest AS r WHERE r.kept = 1")
    apart = duck(
        """
        SELECT l.tid AS tid,
            $apart + ROW_NUMBER() OVER (PARTITION BY b.person ORDER BY l.place, l.tid) AS team
        FROM $loose AS l JOIN basket AS b ON b.tid = l.tid
        """,
        apart=APART,
        loose=f"loose_{tries}",
    )
    others = duck(
        """
        SELECT b.tid AS tid, $team AS team FROM basket AS b
        WHERE NOT EXISTS (SELECT 1 AS one FROM queue AS q WHERE q.tid = b.tid)
        """,
        team=term(
            f"{BLANK} + ROW_NUMBER() OVER (PARTITION BY b.person ORDER BY b.tid)"
            if persons
            else str(BLANK)
        ),
    )
    made = [settled, last, *([apart] if persons else []), *([others] if blank else [])]
    return Step("member", "each row is a transaction and its group", together(made))


def _formed(rounds: int) -> exp.Query:
    """The rows (tid, team) of all rounds; without any, none."""
    teams = [
        duck("SELECT f.tid AS tid, f.team AS team FROM $formed AS f", formed=f"formed_{number}")
        for number in range(1, rounds + 1)
    ]
    nothing = duck("SELECT q.tid AS tid, q.tid AS team FROM queue AS q WHERE FALSE")
    return together(teams or [nothing])
