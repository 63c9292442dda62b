"""Check by words of bits whether a release is (h, k, p)-coherent.

Reads cells(key, name) and roles(label, private), the items' names as text. A word is a BIGINT with
one bit for each of 63 transactions, or for a single one. A set without a violation grows by one
public item per level. The cohort of a set is the transactions that hold it. The checker shares
nothing with the search that makes a release. Where persons are counted, all transactions of a word
are of one person, so the words of a cohort tell its persons. Definition:
Xu, Wang, Fu, Yu, Anonymizing transaction databases for publication, KDD 2008, section 2.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from setveil.sql import levels
from setveil.sql.step import PAIR, Step, duck, duck_union, query_of, shown, term

FIRST = 63 * 1024  # transactions: a sample that is enough to choose by


@dataclass(frozen=True, slots=True)
class Rule:
    """A cohort must hold k transactions, and no private item in more than over/under of them.

    With `persons` it must be of k persons, and the share must hold in persons too. `many` tells
    that a person has several words.
    """

    over: int
    under: int
    k: int
    persons: bool = False
    many: bool = False

    @property
    def share(self) -> dict[str, int]:
        return {"over": self.over, "under": self.under}

    @property
    def least(self) -> dict[str, int]:
        """An item can breach a set of k transactions if hits times `under` exceed `floor`."""
        return {"floor": self.over * self.k, "under": self.under}

    @property
    def counted(self) -> str:
        """The column of a set that must reach k."""
        return "persons" if self.persons else "support"

    def tally(self, key: str, rows: str | exp.Query) -> exp.Select:
        """One row per key: the transactions, and the persons, in its words (key, word_no, bits).

        Each word is of one person. Only persons with several words are counted by name.
        """
        if not self.many:
            return duck(
                """
                SELECT r.$key AS $key, CAST(SUM(ONES(r.bits)) AS BIGINT) AS number, $persons
                FROM $rows AS r WHERE r.bits <> 0 GROUP BY r.$key
                """,
                key=key,
                persons=self.also("COUNT(*) AS persons"),
                rows=rows,
            )
        return duck(
            """
            SELECT g.$key AS $key, CAST(SUM(g.number) AS BIGINT) AS number,
                CAST(SUM(CASE WHEN g.person IS NULL THEN g.words ELSE 1 END) AS BIGINT) AS persons
            FROM (
                SELECT r.$key AS $key, w.person AS person, SUM(ONES(r.bits)) AS number,
                    COUNT(*) AS words
                FROM $rows AS r LEFT JOIN check_whose AS w ON w.word_no = r.word_no
                WHERE r.bits <> 0 GROUP BY r.$key, w.person
            ) AS g
            GROUP BY g.$key
            """,
            key=key,
            rows=rows,
        )

    def also(self, *texts: str) -> list[exp.Expr]:
        """Columns that only sets of persons have."""
        return [shown(one) for one in texts if self.persons]

    def breach(self, suspect: str, of: str, persons: str = "persons") -> exp.Expr:
        """The condition that a private item is in more than the allowed share of a set."""
        test = f"{suspect}.hits * $under > $over * {of}.support"
        if self.persons:
            test = f"({test} OR {suspect}.persons * $under > $over * {of}.{persons})"
        return term(test, **self.share)

    @property
    def doubt(self) -> exp.Expr:
        """The condition that the bound of a private item would be a breach."""
        return self.breach("bound", "bound", "of_persons")


def keys_of_persons() -> Step:
    """One row per transaction, numbered so that all transactions of a word are of one person."""
    query = duck(
        """
        SELECT
            63 * (DENSE_RANK() OVER (ORDER BY o.person, HIGH(o.place, 63)) - 1) + LOW(o.place, 63)
                AS tid,
            o.key AS key, o.person AS person
        FROM (
            SELECT r.key AS key, r.person AS person,
                ROW_NUMBER() OVER (PARTITION BY r.person ORDER BY r.key) - 1 AS place
            FROM check_owner AS r
        ) AS o
        """
    )
    return Step(
        "check_key",
        "each row is a transaction of the release; numbers of one person begin with a new word",
        query,
    )


def whose() -> Step:
    """One row per word of a person with several words."""
    query = duck(
        """
        SELECT DISTINCT HIGH(t.tid, 63) AS word_no, t.person AS person
        FROM check_key AS t
        JOIN (
            SELECT k.person AS person FROM check_key AS k GROUP BY k.person HAVING COUNT(*) > 63
        ) AS m ON m.person = t.person
        """
    )
    return Step(
        "check_whose", "each row is a word of bits and its person, who has several words", query
    )


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


def items(cells: exp.Expr, roles: exp.Expr) -> Step:
    """One row per distinct name and role; names of equal text are one item.

    A name with both roles has two rows. NULL is no name, and a name without a role is left out.
    """
    query = duck(
        """
        WITH present AS (
            SELECT DISTINCT r.name AS name, CAST(r.name AS VARCHAR) AS label
            FROM $cell AS r WHERE NOT r.name IS NULL
        )
        SELECT
            CAST(DENSE_RANK() OVER (ORDER BY n.label) - 1 AS INT) AS item,
            n.name AS name, n.label AS label, r.private AS private
        FROM present AS n JOIN $roles AS r ON r.label = n.label
        """,
        cell=cells,
        roles=roles,
    )
    return Step(
        "check_item",
        "each row is a public item, which an attacker may know, or a private one, numbered by name",
        query,
    )


def holdings(cells: exp.Expr) -> Step:
    """One row per cell of an item with a role; duplicate cells of the release are repeated."""
    query = duck(
        """
        SELECT t.tid AS tid, i.item AS item, i.private AS private
        FROM $cell AS c
        JOIN check_item AS i ON i.name = c.name
        JOIN check_key AS t ON t.key = c.key
        """,
        cell=cells,
    )
    return Step("check_held", "each row is an item that a transaction holds, in numbers", query)


def sizes(cells: exp.Expr) -> Step:
    """One row: rows of a self-join by transaction and by word; rows without a key.

    Twice the exact numbers for the first transactions, if the release has no duplicates. They are
    enough to see which join is smaller.
    """
    query = duck(
        """
        WITH basket AS (
            SELECT COUNT(*) AS n FROM check_held
            WHERE private = 0 AND tid < $first GROUP BY tid
        ), word AS (
            SELECT COUNT(DISTINCT item) AS n FROM check_held
            WHERE private = 0 AND tid < $first GROUP BY tid - tid % 63
        ), single AS (
            SELECT CAST(COALESCE(SUM(b.n * (b.n - 1)), 0) AS BIGINT) AS pairs FROM basket AS b
        ), packed AS (
            SELECT CAST(COALESCE(SUM(w.n * (w.n - 1)), 0) AS BIGINT) AS pairs FROM word AS w
        ), unkeyed AS (
            SELECT COUNT(*) AS n FROM $cell AS r WHERE r.key IS NULL
        )
        SELECT s.pairs AS single, p.pairs AS packed, u.n AS unkeyed
        FROM single AS s CROSS JOIN packed AS p CROSS JOIN unkeyed AS u
        """,
        cell=cells,
        first=FIRST,
    )
    return Step(
        "check_sizes",
        "counts the rows of a join by transaction and of one by words of 63: the fewer decides",
        query,
    )


def words(name: str, *, private: bool, width: int) -> Step:
    """One row per item and word that holds it: a bit for each of its `width` transactions.

    A single transaction needs one bit only: narrow rows leave more room in memory.
    """
    bits = "BIT_OR(CAST(1 AS BIGINT) << CAST(LOW(h.tid, $width) AS INT))"
    query = duck(
        """
        SELECT
            h.item AS item,
            CAST(HIGH(h.tid, $width) AS INT) AS word_no,
            $bits AS bits
        FROM check_held AS h
        WHERE h.private = $private
        GROUP BY h.item, CAST(HIGH(h.tid, $width) AS INT)
        """,
        bits=term("CAST(1 AS SMALLINT)" if width == 1 else bits, width=width),
        width=width,
        private=int(private),
    )
    role = "private" if private else "public"
    why = f"each row is a {role} item and a word of bits: one bit per transaction that holds it"
    return Step(name, why, query)


def knowing_nothing(rule: Rule) -> Step:
    """One row: the transactions, and the most of them that hold one private item.

    With persons, also the persons, and the most of them that have one private item.
    """
    query = duck(
        """
        SELECT t.transactions AS transactions, x.hits AS hits, $both
        FROM (SELECT COUNT(*) AS transactions, $all FROM check_key) AS t
        CROSS JOIN (
            SELECT COALESCE(MAX(n.number), 0) AS hits, $most
            FROM $guesses AS n
        ) AS x
        """,
        both=rule.also("t.persons AS persons", "x.persons AS revealed"),
        all=rule.also("COUNT(DISTINCT person) AS persons"),
        most=rule.also("COALESCE(MAX(n.persons), 0) AS persons"),
        guesses=rule.tally("item", "check_secret"),
    )
    return Step(
        "check_nothing",
        "finds the most frequent private item: an attacker without knowledge would guess it",
        query,
    )


def empty_set(rule: Rule) -> Step:
    """One row: the empty itemset, which every transaction holds. No row for an empty release."""
    query = duck(
        """
        SELECT 0 AS id, 0 AS parent, -1 AS item, COUNT(*) AS support, $persons
        FROM check_key HAVING COUNT(*) > 0
        """,
        persons=rule.also("COUNT(DISTINCT person) AS persons"),
    )
    return Step(
        "check_set_0", "holds the empty itemset, with all transactions as its cohort", query
    )


def secrets(rule: Rule) -> Step:
    """One row per private item that is frequent enough to breach a set of k transactions."""
    query = duck(
        """
        SELECT 0 AS id, x.item AS secret, x.number AS hits, $persons
        FROM $guesses AS x WHERE x.number * $under > $floor
        """,
        persons=rule.also("x.persons AS persons"),
        guesses=rule.tally("item", "check_secret"),
        **rule.least,
    )
    return Step(
        "check_suspect_0",
        "each row is a private item with its hits: enough of them to breach a set of k "
        "transactions",
        query,
    )


def sets(size: int, rule: Rule) -> Step:
    """One row per set of `size` that a transaction holds and whose subsets are all fine.

    Numbers follow the items, first item first, so the order of numbers is the order of names.
    """
    query = duck(
        """
        WITH pair AS ($pairs), apart AS ($apart), whole AS ($whole)
        SELECT
            ROW_NUMBER() OVER (ORDER BY w.parent, w.item) - 1 AS id,
            w.parent AS parent, w.item AS item, w.support AS support, $persons
        FROM whole AS w
        """,
        persons=rule.also("w.persons AS persons"),
        pairs=_grown(size, rule),
        apart=apart(rule),
        whole=_whole(size, rule),
    )
    return Step(
        f"check_set_{size}",
        f"each row is a public itemset of size {size} without a violation in its subsets",
        query,
    )


def level(size: int, rule: Rule, *, packed: bool, last: bool) -> list[Step]:
    """The relations of a size, in their order: the sets first, and last those that are fine.

    `packed` tells that words hold several transactions; `last` that no larger size follows.
    """
    if size == 0:
        return [empty_set(rule), secrets(rule), fine(0, rule)]
    bounded = packed and size > 1
    linked = bounded or (size > 1 and not last)
    return [
        sets(size, rule),
        *([links(size)] if linked else []),
        *([bounds(size, rule)] if bounded else []),
        suspects(size, rule, bounded=bounded),
        fine(size, rule),
    ]


def lengths(size: int) -> Step:
    """One row per length: the number of words that hold so many of the fine items."""
    query = levels.lengths("check_cohort_1", "word_no")
    return Step(
        f"check_lengths_{size}",
        "counts words by their number of items: the run refuses a next relation that is too large",
        query,
    )


def prospects(size: int) -> Step:
    """One row: the most sets of this size, from pairs of sets that differ in their last item."""
    query = levels.joinable(at("fine", size - 1), [term("r.parent")])
    return Step(
        f"check_prospects_{size}",
        f"bounds the number of sets of {size} items: the run refuses a relation that is too large",
        query,
    )


def _grown(size: int, rule: Rule) -> exp.Query:
    """One row per set, as a pair: the set without its last item, and that item."""
    if size == 1:
        words = "SELECT w.item AS pair, w.word_no AS word_no, w.bits AS bits FROM check_word AS w"
        return rule.tally("pair", duck(words))
    met = duck(
        """
        SELECT cohort.id * $base + added.item AS pair, cohort.word_no AS word_no,
            cohort.bits & added.bits AS bits
        FROM $cohort AS cohort
        JOIN check_cohort_1 AS added ON added.word_no = cohort.word_no AND added.item > cohort.item
        """,
        base=PAIR,
        cohort=at("cohort", size - 1),
    )
    return rule.tally("pair", met)


def apart(rule: Rule) -> exp.Query:
    """One row per pair, unpacked into its two numbers."""
    return duck(
        """
        SELECT
            HIGH(p.pair, $base) AS id,
            LOW(p.pair, $base) AS item,
            p.number AS number, $persons
        FROM pair AS p
        """,
        base=PAIR,
        persons=rule.also("p.persons AS persons"),
    )


def _whole(size: int, rule: Rule) -> exp.Query:
    """The sets that are fine without any one of their items.

    This holds for a single item, and for a pair, because only fine items are joined.
    """
    if size <= 2:
        return duck(
            "SELECT id AS parent, item AS item, number AS support, $persons FROM apart",
            persons=rule.also("persons AS persons"),
        )
    return duck(
        """
        SELECT s.id AS parent, s.item AS item, s.number AS support, $persons
        FROM apart AS s
        JOIN $link AS link ON link.id = s.id
        JOIN $fine AS fine ON fine.parent = link.subset AND fine.item = s.item
        GROUP BY s.id, s.item, s.number, $persons
        HAVING COUNT(*) = $others
        """,
        persons=rule.also("s.persons AS persons"),
        link=at("link", size - 1),
        fine=at("fine", size - 1),
        others=size - 1,
    )


def links(size: int) -> Step:
    """One row per set of at least two items and subset with one item less."""
    others = duck(
        """
        SELECT s.id AS id, f.id AS subset
        FROM check_set_2 AS s JOIN check_fine_1 AS f ON f.item = s.item
        """
    )
    if size > 2:
        others = duck(
            """
            SELECT s.id AS id, f.id AS subset
            FROM $set AS s
            JOIN $link AS l ON l.id = s.parent
            JOIN $fine AS f ON f.parent = l.subset AND f.item = s.item
            """,
            set=at("set", size),
            link=at("link", size - 1),
            fine=at("fine", size - 1),
        )
    query = duck_union(
        "SELECT s.id AS id, s.parent AS subset FROM $set AS s UNION ALL FROM $others",
        set=at("set", size),
        others=others,
    )
    return Step(
        f"check_link_{size}", "each row is a set and a subset that lacks one of its items", query
    )


def bounds(size: int, rule: Rule) -> Step:
    """One row per set and private item that might breach it or a larger set, with the most hits.

    A set holds a private item in at most as many transactions as its subsets do. A breach of a set
    of k transactions makes the item suspect in every subset. Sets of fewer transactions violate in
    any case.
    """
    query = duck(
        """
        SELECT link.id AS id, suspect.secret AS secret, t.support AS support,
            MIN(suspect.hits) AS hits, $persons
        FROM $link AS link
        JOIN $set AS t ON t.id = link.id
        JOIN $suspect AS suspect ON suspect.id = link.subset
        WHERE t.$counted >= $k
        GROUP BY link.id, suspect.secret, t.support, $of
        HAVING COUNT(*) = $subsets
        """,
        k=rule.k,
        counted=rule.counted,
        persons=rule.also("MIN(suspect.persons) AS persons", "t.persons AS of_persons"),
        of=rule.also("t.persons"),
        link=at("link", size),
        set=at("set", size),
        suspect=at("suspect", size - 1),
        subsets=size,
    )
    return Step(
        f"check_bound_{size}",
        "each row is a set and a private item that is suspect in all its subsets, with "
        "a bound of hits",
        query,
    )


def suspects(size: int, rule: Rule, *, bounded: bool) -> Step:
    """One row per set and private item that breaches it or might breach a larger set, with hits.

    Hits are counted for all private items in the cohort. With `bounded` they are counted only if
    the bound would be a breach; otherwise the bound is kept. Bounds pay where words are full: there
    most sets hold most private items.
    """
    counted = duck(
        """
        SELECT p.id AS id, p.item AS secret, p.number AS hits, $persons
        FROM apart AS p WHERE p.number * $under > $floor
        """,
        persons=rule.also("p.persons AS persons"),
        **rule.least,
    )
    harmless = duck(
        """
        SELECT bound.id AS id, bound.secret AS secret, bound.hits AS hits, $persons
        FROM $bound AS bound WHERE NOT $doubt
        """,
        bound=at("bound", size),
        persons=rule.also("bound.persons AS persons"),
        doubt=rule.doubt,
    )
    query = query_of(
        "WITH pair AS ($pairs), apart AS ($apart) FROM $suspects",
        pairs=_in_doubt(size, rule) if bounded else _met(size, rule),
        apart=apart(rule),
        suspects=[counted, harmless] if bounded else counted,
    )
    return Step(
        f"check_suspect_{size}",
        "each row is a set and a private item, with its hits: transactions of the "
        "cohort that hold it",
        query,
    )


def _met(size: int, rule: Rule) -> exp.Query:
    """One row per set and private item of its cohort, as a pair, and the number of its hits."""
    enough = duck(
        """
        SELECT t.id AS id, t.parent AS parent, t.item AS item FROM $set AS t
        WHERE t.$counted >= $k
        """,
        set=at("set", size),
        counted=rule.counted,
        k=rule.k,
    )
    met = duck(
        """
        SELECT cohort.id * $base + secret.item AS pair, cohort.word_no AS word_no,
            cohort.bits & secret.bits AS bits
        FROM $words AS cohort JOIN check_secret AS secret ON secret.word_no = cohort.word_no
        """,
        base=PAIR,
        words=words_of(enough, size),
    )
    return rule.tally("pair", met)


def _in_doubt(size: int, rule: Rule) -> exp.Query:
    """One row per set and private item whose bound would be a breach, and the number of hits."""
    met = duck(
        """
        SELECT cohort.id * $base + secret.item AS pair, cohort.word_no AS word_no,
            cohort.bits & secret.bits AS bits
        FROM $bound AS bound
        JOIN $words AS cohort ON cohort.id = bound.id
        JOIN check_secret AS secret ON secret.item = bound.secret
            AND secret.word_no = cohort.word_no
        WHERE $doubt
        """,
        base=PAIR,
        doubt=[rule.doubt],
        bound=at("bound", size),
        words=words_of(at("set", size), size),
    )
    return rule.tally("pair", met)


def words_of(sets: exp.Select | str, size: int) -> exp.Select:
    """One row per set of (id, parent, item) and word that holds it, with the bits of its cohort."""
    if size == 1:
        return duck(
            """
            SELECT t.id AS id, t.item AS item, added.word_no AS word_no, added.bits AS bits
            FROM $sets AS t JOIN check_word AS added ON added.item = t.item
            """,
            sets=sets,
        )
    return duck(
        """
        SELECT t.id AS id, t.item AS item, cohort.word_no AS word_no,
            cohort.bits & added.bits AS bits
        FROM $sets AS t
        JOIN $cohort AS cohort ON cohort.id = t.parent
        JOIN check_cohort_1 AS added ON added.item = t.item AND added.word_no = cohort.word_no
        """,
        sets=sets,
        cohort=at("cohort", size - 1),
    )


def fine(size: int, rule: Rule) -> Step:
    """One row per set without a violation: only these sets grow."""
    query = duck(
        """
        SELECT t.id AS id, t.parent AS parent, t.item AS item
        FROM $set AS t
        WHERE t.$counted >= $k AND NOT EXISTS(
            SELECT 1 AS one FROM $suspect AS suspect WHERE suspect.id = t.id AND $breach
        )
        """,
        k=rule.k,
        counted=rule.counted,
        set=at("set", size),
        suspect=at("suspect", size),
        breach=rule.breach("suspect", "t"),
    )
    return Step(
        f"check_fine_{size}",
        f"each row is a set of size {size} that does not violate the promise: only these grow",
        query,
    )


def cohorts(size: int) -> Step:
    """One row per fine set and word that holds it, with the bits of its cohort."""
    # A self-join on word_no is faster in the order of word_no.
    query = duck(
        """
        SELECT w.id AS id, w.item AS item, w.word_no AS word_no, w.bits AS bits
        FROM $words AS w WHERE w.bits <> 0
        ORDER BY $order
        """,
        words=words_of(at("fine", size), size),
        order=[term("word_no"), term("item")] if size == 1 else [],
    )
    return Step(
        f"check_cohort_{size}", "each row is a fine set and a word of bits: its transactions", query
    )


def at(kind: str, size: int) -> str:
    return f"check_{kind}_{size}"
