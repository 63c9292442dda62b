"""Check whether a release is rho-uncertain, against attackers of any knowledge.

Reads cells(key, name) and sensitive(label), the names of items as text. Items are numbered rarest
first: sets that grow by ever more frequent items have short lists of transactions. The checker
shares nothing with the search that makes a release. Definition: Jia, Pan, Hu, Xie, Xu, Zhu, Lo,
rho-uncertainty anonymization by partial suppression, DASFAA 2014, section 2.

An attacker knows a set of items. A witness of a set and a sensitive item is a transaction that
holds both. Its covers are the transactions that hold all its other items and not the sensitive one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlglot import exp

from setveil.sql.models.uncertainty import check_persons as people
from setveil.sql.step import PAIR, Step, duck, joins, shown, term, together, up_to

BITS = 62  # of a BIGINT, below its sign
# Transactions that can be compared by their bits in the time it takes to count one subset of a
# witness.
PROBES = 64
# Holders of an item that are looked at to find some covers of a secret, where not all are.
FEW = 8_192


@dataclass(frozen=True, slots=True)
class Rule:
    """At most over/under of the transactions that hold a set hold a sensitive item too.

    With `persons` the same bound holds for the persons who hold them.
    """

    over: int
    under: int
    persons: bool = False

    @property
    def share(self) -> dict[str, int]:
        return {"over": self.over, "under": self.under}

    @property
    def broken(self) -> exp.Expr:
        """The condition that a rule of `_rules` is unsafe."""
        text = "r.hits * $under > $over * r.support"
        if self.persons:
            text += " OR r.persons * $under > $over * r.of_persons"
        return term(text, **self.share)


def keys(cells: exp.Expr) -> Step:
    """One row per transaction, with or without items. Rows without a key have no transaction."""
    query = duck(
        """
        SELECT ROW_NUMBER() OVER (ORDER BY c.key) - 1 AS tid, c.key AS key
        FROM (SELECT DISTINCT r.key AS key FROM $cell AS r WHERE NOT r.key IS NULL) AS c
        """,
        cell=cells,
    )
    return Step("check_key", "each row is a transaction of the release, numbered by key", query)


def unkeyed(cells: exp.Expr) -> Step:
    """One row: the number of rows without a key."""
    query = duck("SELECT COUNT(*) AS unkeyed FROM $cell AS r WHERE r.key IS NULL", cell=cells)
    return Step("check_unkeyed", "counts rows without a transaction id: there must be none", query)


def names(cells: exp.Expr) -> Step:
    """One row per distinct name; names of equal text have one number."""
    query = duck(
        """
        SELECT DENSE_RANK() OVER (ORDER BY n.label) - 1 AS number, n.name AS name, n.label AS label
        FROM (
            SELECT DISTINCT r.name AS name, CAST(r.name AS VARCHAR) AS label
            FROM $cell AS r WHERE NOT r.name IS NULL
        ) AS n
        """,
        cell=cells,
    )
    return Step("check_name", "each row is a name in the release, numbered by its text", query)


def occurrences(cells: exp.Expr) -> Step:
    """One row per transaction and item that it holds, as one number."""
    query = duck(
        """
        SELECT DISTINCT t.tid * $base + n.number AS pair
        FROM $cell AS c
        JOIN check_name AS n ON n.name = c.name
        JOIN check_key AS t ON t.key = c.key
        """,
        base=PAIR,
        cell=cells,
    )
    return Step(
        "check_pair",
        "each row is a transaction and an item it holds, both packed into one number",
        query,
    )


def items(sensitive: exp.Expr) -> Step:
    """One row per item: its number by rarity, its support, and whether it is sensitive."""
    query = duck(
        """
        SELECT
            CAST(ROW_NUMBER() OVER (ORDER BY s.support, s.number) - 1 AS INT) AS item,
            s.number AS number, s.support AS support, n.label AS label,
            CASE WHEN EXISTS(SELECT 1 AS one FROM $sensitive AS r WHERE r.label = n.label)
                THEN 1 ELSE 0 END AS sensitive
        FROM (
            SELECT LOW(p.pair, $base) AS number, COUNT(*) AS support
            FROM check_pair AS p GROUP BY LOW(p.pair, $base)
        ) AS s
        JOIN (SELECT DISTINCT number AS number, label AS label FROM check_name) AS n
            ON n.number = s.number
        """,
        base=PAIR,
        sensitive=sensitive,
    )
    return Step(
        "check_item", "each row is an item with its support, numbered from the rarest on", query
    )


def holdings(*, persons: bool = False) -> Step:
    """One row per transaction and item: both as one number, and the size of the transaction.

    The items of the transaction are `bits` of one number, several items to a bit. With `persons`,
    `again` is 1 if another transaction of the person holds the item too.
    """
    query = duck(
        """
        SELECT h.tid AS tid, i.item AS item, h.tid * $base + i.item AS place, b.size AS size,
            b.bits AS bits, $again
        FROM (
            SELECT HIGH(p.pair, $base) AS tid,
                LOW(p.pair, $base) AS number
            FROM check_pair AS p
        ) AS h
        JOIN check_item AS i ON i.number = h.number
        JOIN (
            SELECT HIGH(p.pair, $base) AS tid, COUNT(*) AS size,
                BIT_OR(CAST(1 AS BIGINT) << CAST(LOW(p.pair, $base) % $bits AS INT)) AS bits
            FROM check_pair AS p GROUP BY HIGH(p.pair, $base)
        ) AS b ON b.tid = h.tid
        JOIN $owners
        ORDER BY tid, item
        """,
        base=PAIR,
        bits=BITS,
        again=[shown("CASE WHEN r.number IS NULL THEN 0 ELSE 1 END AS again")] if persons else [],
        owners=people.repeated() if persons else [],
    )
    return Step(
        "check_held",
        "each row is a transaction and an item it holds; place is both in one number",
        query,
    )


def secrets() -> Step:
    """One row per sensitive item of a transaction that holds another item too."""
    query = duck(
        """
        SELECT h.tid AS tid, h.item AS item, h.place AS place, h.size AS size
        FROM check_held AS h JOIN check_item AS i ON i.item = h.item
        WHERE i.sensitive = 1 AND h.size > 1
        """
    )
    return Step(
        "check_secret",
        "each row is a sensitive item beside other items of its transaction: a secret "
        "to be inferred",
        query,
    )


def told() -> Step:
    """One row per item of a transaction with a secret, and the number of items after it."""
    query = duck(
        """
        SELECT
            h.tid AS tid, h.item AS item,
            ROW_NUMBER() OVER (PARTITION BY h.tid ORDER BY h.item DESC) - 1 AS rest
        FROM check_held AS h
        WHERE EXISTS(SELECT 1 AS one FROM check_secret AS s WHERE s.tid = h.tid)
        """
    )
    return Step(
        "check_told",
        "each row is an item that an attacker may know of a transaction with a secret",
        query,
    )


def first_sets(*, persons: bool = False) -> Step:
    """One row per item, as a set of one item."""
    held = joins("JOIN held AS n ON n.item = i.item", [0] if persons else [])
    query = duck(
        """
        SELECT i.item AS id, 0 AS parent, i.item AS item, i.support AS support, $persons
        FROM check_item AS i JOIN $held
        """,
        persons=[shown("n.persons AS persons")] if persons else [],
        held=held,
    )
    if persons:
        query = query.with_("held", as_=people.of_items())
    return Step("check_set_1", "each row is a set of one item with its support", query)


def tellings() -> Step:
    """One row: the number of pairs of a secret and another item of its transaction."""
    query = duck("SELECT CAST(COALESCE(SUM(s.size - 1), 0) AS BIGINT) AS n FROM check_secret AS s")
    return Step(
        "check_tellings",
        "counts the rows of the next relation: the run refuses one that is too large",
        query,
    )


def first_witnesses() -> Step:
    """One row per transaction, sensitive item and other item of it."""
    query = duck(
        """
        SELECT 0 AS parent, t.item AS item, s.item AS secret, t.tid AS tid, t.rest AS rest
        FROM check_told AS t JOIN check_secret AS s ON s.tid = t.tid AND s.item <> t.item
        """
    )
    return Step(
        "check_witness_1",
        "each row is a witness: a transaction that holds a set of one item and a secret beside it",
        query,
    )


def judged(size: int, rule: Rule) -> Step:
    """One row: the rules q -> e whose q has `size` items, and the number of unsafe ones."""
    query = duck(
        """
        SELECT
            COUNT(*) AS rules,
            CAST(COALESCE(SUM(CASE WHEN $broken THEN 1 ELSE 0 END), 0) AS BIGINT) AS unsafe
        FROM $rules AS r
        """,
        broken=rule.broken,
        rules=_rules(size, rule.persons),
    )
    return Step(
        f"check_judged_{size}",
        f"counts rules from a set of size {size} to a secret, and the unsafe ones: none may be",
        query,
    )


def _rules(size: int, persons: bool) -> exp.Subquery:
    """One row per set and sensitive item with a witness: the number of witnesses."""
    if persons:
        return people.rules(_at("witness", size), _at("set", size))
    query = duck(
        """
        SELECT s.id * $base + w.secret AS rule, s.support AS support, COUNT(*) AS hits
        FROM $witness AS w JOIN $set AS s ON s.parent = w.parent AND s.item = w.item
        GROUP BY s.id * $base + w.secret, s.support
        """,
        base=PAIR,
        witness=_at("witness", size),
        set=_at("set", size),
    )
    return query.subquery()


def wholes(step: int = 1) -> Step:
    """One row per secret of a transaction of three items or more: the others, as bits.

    Holders of the rarest other item are compared: all of them if this takes less than to count
    subsets, and `step` is 1. If not, one in `step` of all transactions, if these are few. Left out
    are secrets for which both take too long.
    """
    query = duck(
        """
        WITH one AS (
            SELECT s.place AS place, s.tid AS tid, s.item AS secret, s.size AS size,
                MIN(t.item) AS rarest,
                BIT_OR(CAST(1 AS BIGINT) << CAST(i.number % $bits AS INT)) AS bits
            FROM check_secret AS s
            JOIN check_told AS t ON t.tid = s.tid AND t.item <> s.item
            JOIN check_item AS i ON i.item = t.item
            WHERE s.size > 2
            GROUP BY s.place, s.tid, s.item, s.size
        )
        SELECT
            ROW_NUMBER() OVER (ORDER BY o.place) - 1 AS whole, o.tid AS tid, o.secret AS secret,
            o.size - 1 AS known, o.rarest AS rarest, o.bits AS bits,
            CASE WHEN r.support <= $worth THEN 1 ELSE $step END AS step
        FROM one AS o JOIN check_item AS r ON r.item = o.rarest
        WHERE r.support <= $worth OR $some
        """,
        bits=BITS,
        worth=term("CAST($probes AS BIGINT) << CAST(LEAST(o.size, 32) AS INT)", probes=PROBES),
        step=step,
        some=term("r.support <= $most", most=step * FEW) if step > 1 else exp.false(),
    )
    return Step(
        "check_whole",
        "each row is a secret and its transaction, of which an attacker knows all other items",
        query,
    )


def matches(step: int = 1) -> Step:
    """One row per secret and other transaction that holds all other items of its transaction.

    Their bits are compared first, then the items. For a secret with a `step`, only one in so many
    transactions is looked at.
    """
    query = duck(
        """
        WITH candidate AS ($candidates)
        SELECT HIGH(f.pair, $base) AS whole, LOW(f.pair, $base) AS other, f.size AS size
        FROM (
            SELECT c.whole * $base + c.other AS pair, c.size AS size
            FROM candidate AS c
            JOIN check_told AS t ON t.tid = c.tid AND t.item > c.rarest AND t.item <> c.secret
            JOIN check_held AS h ON h.place = c.other * $base + t.item
            GROUP BY c.whole * $base + c.other, c.size, c.known
            HAVING COUNT(*) = c.known - 1
        ) AS f
        """,
        base=PAIR,
        candidates=together([_candidates(one) for one in sorted({1, step})]),
    )
    return Step(
        "check_match",
        "each row is a secret and another transaction that holds all items known to the attacker",
        query,
    )


def _candidates(step: int) -> exp.Select:
    """Transactions that seem to hold all other items of a secret that looks at one in `step`."""
    return duck(
        """
        SELECT w.whole AS whole, w.tid AS tid, w.secret AS secret, w.known AS known,
            w.rarest AS rarest, x.tid AS other, x.size AS size
        FROM check_whole AS w
        JOIN check_held AS x ON x.item = w.rarest AND $some
        WHERE w.step = $step AND x.tid <> w.tid AND x.size >= w.known
            AND (x.bits & w.bits) = w.bits
        """,
        step=step,
        some=[term("x.tid % $step = 0", step=step)] if step > 1 else [],
    )


def covers(*, persons: bool = False) -> Step:
    """One row per secret: the number of known items, covers, and transactions with the secret.

    `repeats` are earlier transactions with equal items: they give the rule a second time. With
    `persons` also the outsiders. All of these numbers are too small if `step` is above 1.
    """
    outside = joins("LEFT JOIN outside AS o ON o.whole = w.whole", [0] if persons else [])
    query = duck(
        """
        SELECT
            w.tid AS tid, w.secret AS secret, w.known AS known, w.step AS step,
            COUNT(m.other) - COUNT(e.place) AS covers, COUNT(e.place) + 1 AS support,
            COUNT(CASE WHEN m.other < w.tid AND m.size = w.known + 1 THEN e.place END) AS repeats,
            $outsiders
        FROM check_whole AS w
        LEFT JOIN check_match AS m ON m.whole = w.whole
        LEFT JOIN check_secret AS e ON e.place = m.other * $base + w.secret
        JOIN $outside
        GROUP BY w.tid, w.secret, w.known, w.step
        """,
        base=PAIR,
        outsiders=[shown("COALESCE(MAX(o.outsiders), 0) AS outsiders")] if persons else [],
        outside=outside,
    )
    if persons:
        query = query.with_("outside", as_=people.outsiders())
    return Step(
        "check_cover",
        "each row is a secret; covers counts transactions with the known items but not the secret",
        query,
    )


def certain(most: int, rule: Rule) -> Step:
    """One row: the certain rules of up to `most` items that whole transactions give.

    None of them is unsafe if certainty is allowed.
    """
    query = duck(
        """
        SELECT COUNT(*) AS unsafe FROM check_cover AS c
        WHERE c.covers = 0 AND c.repeats = 0 AND c.step = 1 AND c.known <= $most
            AND $over < $under
        """,
        most=most,
        **rule.share,
    )
    return Step(
        "check_certain", "counts secrets that every transaction with the known items holds", query
    )


def growing(size: int, rule: Rule) -> Step:
    """One row per witness, with items to add, of a set and secret that larger sets could reveal.

    Witnesses of larger sets are doubtful already.
    """
    if size > 1:
        query = duck(
            """
            SELECT s.id AS id, w.secret AS secret, w.item AS item, w.tid AS tid, w.rest AS rest
            FROM $witness AS w
            JOIN $set AS s ON s.parent = w.parent AND s.item = w.item
            WHERE w.rest > 0
            """,
            witness=_at("witness", size),
            set=_at("set", size),
        )
    else:
        query = duck(
            """
            WITH witness AS ($witness), doubtful AS ($doubtful)
            SELECT w.item AS id, w.secret AS secret, w.item AS item, w.tid AS tid, w.rest AS rest
            FROM check_witness_1 AS w
            JOIN doubtful AS d ON d.item = w.item AND d.secret = w.secret
            WHERE w.rest > 0
            """,
            witness=_with_covers("check_witness_1", ("item",), rule),
            doubtful=_doubtful(("item",), rule),
        )
    return Step(
        f"check_growing_{size}",
        "each row is a witness of a set that could still be part of an unsafe rule",
        query,
    )


def _with_covers(witness: str, sets: tuple[str, ...], rule: Rule) -> exp.Select:
    """The witnesses of sets, named by some columns, with the covers that are known of each."""
    return duck(
        """
        SELECT $set, w.secret AS secret, w.tid AS tid, COALESCE(c.covers, 0) AS covers, $outsiders
        FROM $witness AS w
        LEFT JOIN check_cover AS c ON c.tid = w.tid AND c.secret = w.secret
        """,
        set=[shown(f"w.{one} AS {one}") for one in sets],
        witness=witness,
        outsiders=[shown("COALESCE(c.outsiders, 0) AS outsiders")] if rule.persons else [],
    )


def _doubtful(sets: tuple[str, ...], rule: Rule) -> exp.Query:
    """One row per set of `witness` and secret that the covers of its witnesses do not prove safe.

    A larger set has some of the witnesses. At least as many transactions hold it without the secret
    as any of these witnesses has covers. So it is safe unless it has more witnesses than rho allows
    for that number. In the order of covers, one test rules out all larger sets.
    """
    without = rule.under - rule.over
    doubtful: exp.Query = duck(
        """
        SELECT DISTINCT $set, p.secret AS secret
        FROM (
            SELECT $named, w.secret AS secret, w.covers AS covers,
                ROW_NUMBER() OVER (PARTITION BY $group, w.secret ORDER BY w.covers) AS place
            FROM witness AS w
        ) AS p
        WHERE p.place * $without > p.covers * $over
        """,
        set=[shown(f"p.{one} AS {one}") for one in sets],
        named=[shown(f"w.{one} AS {one}") for one in sets],
        group=[term(f"w.{one}") for one in sets],
        over=rule.over,
        without=without,
    )
    if rule.persons:
        return people.doubtful(doubtful, sets, rule.over, without)
    return doubtful


def growth(size: int) -> Step:
    """One row: a bound for the witnesses of the next level."""
    query = duck(
        "SELECT CAST(COALESCE(SUM(g.rest), 0) AS BIGINT) AS rows FROM $growing AS g",
        growing=_at("growing", size),
    )
    return Step(
        f"check_growth_{size}",
        "bounds the witnesses of the next level: the run refuses too many",
        query,
    )


def witnesses(size: int, rule: Rule) -> Step:
    """One row per witness of a set of `size`, as a smaller set and an item, and a secret.

    Only sets and secrets that could be part of an unsafe rule: the covers of their witnesses do not
    prove them safe, with all larger sets.
    """
    query = duck(
        """
        WITH larger AS (
            SELECT g.id AS parent, t.item AS item, g.secret AS secret, g.tid AS tid, t.rest AS rest
            FROM $growing AS g
            JOIN check_told AS t ON t.tid = g.tid AND t.item > g.item AND t.item <> g.secret
        ), witness AS ($witness), doubtful AS ($doubtful)
        SELECT l.parent AS parent, l.item AS item, l.secret AS secret, l.tid AS tid, l.rest AS rest
        FROM larger AS l
        JOIN doubtful AS d ON d.parent = l.parent AND d.item = l.item AND d.secret = l.secret
        """,
        growing=_at("growing", size - 1),
        witness=_with_covers("larger", ("parent", "item"), rule),
        doubtful=_doubtful(("parent", "item"), rule),
    )
    return Step(
        f"check_witness_{size}",
        f"each row is a witness: a transaction that holds a set of {size} items and a "
        "secret beside it, and that covers do not prove safe",
        query,
    )


def work(size: int) -> Step:
    """One row: how often holders of smaller sets are listed, for each larger set, and once."""
    query = duck(
        """
        SELECT CAST(COALESCE(SUM(s.support * n.larger), 0) AS BIGINT) AS each,
            CAST(COALESCE(SUM(s.support), 0) AS BIGINT) AS once
        FROM (
            SELECT d.parent AS parent, COUNT(*) AS larger
            FROM (SELECT DISTINCT w.parent AS parent, w.item AS item FROM $witness AS w) AS d
            GROUP BY d.parent
        ) AS n
        JOIN $set AS s ON s.id = n.parent
        """,
        witness=_at("witness", size),
        set=_at("set", size - 1),
    )
    return Step(
        f"check_work_{size}",
        "counts holders of smaller sets: this decides how holders of larger sets are found",
        query,
    )


def reached(
    size: int, *, persons: bool = False, within: bool = False, turn: range | None = None
) -> Step:
    """One row per set of `size` with a witness, and transaction that holds the set.

    Each set looks its last item up among the holders of the smaller set. With `within`, each holder
    lists its own items instead: this takes less where many sets share a smaller one. Places, not
    items, are compared: else a planner may join every set with all items after its last. With
    `persons`, `again` is 1 if each of its items is in another transaction of the person too. A turn
    has some of the transactions, on both sides of the join: it bounds the memory of either.
    """
    query = duck(
        """
        SELECT n.parent AS parent, n.item AS item, h.tid AS tid, $again
        FROM (
            SELECT DISTINCT w.parent AS parent, w.item AS item FROM $witness AS w
        ) AS n
        JOIN $cohort AS c ON c.id = n.parent
        JOIN check_held AS h ON h.place = c.tid * $base + n.item AND $known AND $held
        """
        if not within
        else """
        SELECT c.id AS parent, h.item AS item, c.tid AS tid, $again
        FROM $cohort AS c
        JOIN check_held AS h ON h.tid = c.tid AND h.place > c.tid * $base + c.item
        WHERE EXISTS (
            SELECT 1 FROM $witness AS w WHERE w.parent = c.id AND w.item = h.item
        ) AND EXISTS (SELECT 1 FROM $witness AS p WHERE p.parent = c.id) AND $known AND $held
        """,
        base=PAIR,
        witness=_at("witness", size),
        cohort=_cohort(size - 1, persons),
        again=[shown("LEAST(c.again, h.again) AS again")] if persons else [],
        known=_of_turn("c.tid", turn),
        held=_of_turn("h.tid", turn),
    )
    return Step(
        f"check_reached_{size}",
        f"each row is a set of {size} items and a transaction that holds it",
        query,
    )


def _of_turn(tid: str, turn: range | None) -> list[exp.Expr]:
    """The condition that a transaction belongs to a turn. A planner can guess the size of a range.

    DuckDB takes a remainder to be rare, and then builds the hash of a join on its larger side.
    """
    if turn is None:
        return []
    return [term(f"{tid} >= $first AND {tid} < $end", first=turn.start, end=turn.stop)]


def _cohort(size: int, persons: bool) -> exp.Subquery:
    """One row per set, with its last item, and transaction that holds it."""
    again = "h.again AS again" if size == 1 else "r.again AS again"
    marked = [shown(again)] if persons else []
    if size == 1:
        first = "SELECT h.item AS id, h.item AS item, h.tid AS tid, $again FROM check_held AS h"
        return duck(first, again=marked).subquery()
    return duck(
        """
        SELECT s.id AS id, s.item AS item, r.tid AS tid, $again
        FROM $reached AS r JOIN $set AS s ON s.parent = r.parent AND s.item = r.item
        """,
        again=marked,
        reached=_at("reached", size),
        set=_at("set", size),
    ).subquery()


def sets(size: int, *, persons: bool = False) -> Step:
    """One row per set of `size` whose last item reduces its support.

    If the item does not, the set gives no rule that the smaller set does not give: it is left out,
    with all larger sets. Equal transactions have equal persons.
    """
    counted = duck(
        """
        SELECT
            HIGH(r.pair, $base) AS parent,
            LOW(r.pair, $base) AS item, COUNT(*) AS support
        FROM (SELECT d.parent * $base + d.item AS pair FROM $reached AS d) AS r
        GROUP BY r.pair
        """,
        base=PAIR,
        reached=_at("reached", size),
    )
    query = duck(
        """
        SELECT
            ROW_NUMBER() OVER (ORDER BY n.parent, n.item) - 1 AS id,
            n.parent AS parent, n.item AS item, n.support AS support, $persons
        FROM $counted AS n
        JOIN $set AS s ON s.id = n.parent
        WHERE n.support < s.support
        """,
        counted=people.of_sets(_at("reached", size)) if persons else counted,
        persons=[shown("n.persons AS persons")] if persons else [],
        set=_at("set", size - 1),
    )
    return Step(f"check_set_{size}", f"each row is a set of {size} items with its support", query)


def unsafe(size: int, rule: Rule, limit: int | None) -> Step:
    """One row per item of each of the worst rules of `size` items, with its figures."""
    worst = duck(
        """
        SELECT
            ROW_NUMBER() OVER (ORDER BY $confidence DESC, r.hits DESC, r.rule) AS place,
            HIGH(r.rule, $base) AS id, LOW(r.rule, $base) AS secret,
            r.hits AS hits, r.support AS support, $both
        FROM $rules AS r
        WHERE $broken
        """,
        base=PAIR,
        confidence=_confidence(rule.persons),
        both=_both("r", rule.persons),
        rules=_rules(size, rule.persons),
        broken=rule.broken,
    )
    parts = [
        duck(
            """
            SELECT b.place AS place, s.item AS item, s.parent AS id
            FROM $below AS b JOIN $set AS s ON s.id = b.id
            WHERE $within
            """,
            below="worst" if level == size else f"part_{level + 1}",
            set=_at("set", level),
            within=up_to("b.place", limit),
        )
        for level in range(size, 0, -1)
    ]
    names = [f"part_{level}" for level in range(size, 0, -1)]
    query = _shown(worst, dict(zip(names, parts, strict=True)), limit, rule.persons)
    return Step(
        f"check_unsafe_{size}",
        f"lists unsafe rules from {size} items, the most confident first",
        query,
    )


def _confidence(persons: bool) -> exp.Expr:
    """The share of a rule as a whole number; with persons, the larger of both shares."""
    if not persons:
        return term("r.hits * 1000000000 // r.support")
    return term(
        "GREATEST(r.hits * 1000000000 // r.support, r.persons * 1000000000 // r.of_persons)"
    )


def _both(owner: str, persons: bool) -> list[exp.Expr]:
    """The persons of both sides of a rule."""
    if not persons:
        return []
    return [shown(f"{owner}.persons AS persons"), shown(f"{owner}.of_persons AS of_persons")]


def uncovered(most: int, limit: int, *, persons: bool = False) -> Step:
    """One row per item of each of the shortest certain rules that whole transactions give."""
    worst = duck(
        """
        SELECT
            ROW_NUMBER() OVER (ORDER BY c.known, c.support DESC, c.tid, c.secret) AS place,
            c.tid AS tid, c.secret AS secret, c.support AS hits, c.support AS support, $known
        FROM check_cover AS c
        WHERE c.covers = 0 AND c.repeats = 0 AND c.step = 1 AND c.known <= $most
        """,
        most=most,
        known=[shown("c.known AS known")] if persons else [],
    )
    part = duck(
        """
        SELECT w.place AS place, t.item AS item
        FROM worst AS w JOIN check_told AS t ON t.tid = w.tid AND t.item <> w.secret
        """
    )
    if persons:
        worst = duck(
            """
            SELECT w.place AS place, w.tid AS tid, w.secret AS secret, w.hits AS hits,
                w.support AS support, n.persons AS persons, n.persons AS of_persons
            FROM $worst AS w JOIN $cohorts AS n ON n.place = w.place
            """,
            worst=worst,
            cohorts=people.of_cohorts(worst, limit),
        )
    query = _shown(worst, {"part": part}, limit, persons)
    return Step("check_uncovered", "lists rules without an exception, the shortest first", query)


def _shown(
    worst: exp.Query, parts: Mapping[str, exp.Query], limit: int | None, persons: bool
) -> exp.Query:
    """One row per rule of `worst` and item that parts(place, item) has for it."""
    return duck(
        """
        WITH worst AS ($worst), parts AS ($parts)
        SELECT w.place AS place, w.hits AS hits, w.support AS support, $both, x.label AS secret,
            i.label AS item
        FROM worst AS w
        JOIN $known AS k ON k.place = w.place
        JOIN check_item AS x ON x.item = w.secret
        JOIN check_item AS i ON i.item = k.item
        WHERE $within
        ORDER BY w.place, i.label
        """,
        worst=worst,
        parts=parts,
        both=_both("w", persons),
        known=[
            duck("SELECT p.place AS place, p.item AS item FROM $part AS p", part=name)
            for name in parts
        ],
        within=up_to("w.place", limit),
    )


def _at(kind: str, size: int) -> str:
    return f"check_{kind}_{size}"
