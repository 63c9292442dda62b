"""Name the worst violations that the checker of coherence found, for people to read."""

from __future__ import annotations

from sqlglot import exp

from setveil.sql.models.coherence.check import Rule, apart, at, words_of
from setveil.sql.step import PAIR, Step, duck, each, joins, term


def violations(size: int, rule: Rule, limit: int) -> Step:
    """One row per violation: support, most hits of a private item, its name, the set's names.

    With persons, those of the set and those of the private item stand after the hits.

    At most `limit` rows: those of least support first, then in the order of their names. Where the
    cohort has no private item, hits are 0 and the name is NULL.
    """
    query = duck(
        """
        WITH name AS ($names), violation AS ($violation), pair AS ($pairs), apart AS ($apart),
            worst AS ($worst)
        SELECT v.support AS support, COALESCE(h.hits, 0) AS hits, $persons, x.label AS secret,
            $labels
        FROM violation AS v
        LEFT JOIN worst AS h ON h.id = v.id
        LEFT JOIN name AS x ON x.item = h.secret
        JOIN $parents
        ORDER BY $fewest, v.id
        """,
        persons=rule.also("v.persons AS persons", "COALESCE(h.persons, 0) AS revealed"),
        fewest=_fewest(rule, "v"),
        labels=each("n{n}.label AS item_{n}", range(1, size + 1)),
        violation=_violation(size, rule, limit),
        pairs=_met_by_violations(size, rule),
        apart=apart(rule),
        worst=_worst(rule),
        names=names(),
        parents=members(size),
    )
    return Step(
        f"check_violations_{size}",
        f"lists the worst sets of {size} items that violate the promise",
        query,
    )


def names() -> exp.Select:
    """One row per item: its name as text."""
    return duck("SELECT i.item AS item, MIN(i.label) AS label FROM check_item AS i GROUP BY i.item")


def members(size: int) -> list[exp.Expr]:
    """Joins of a set v of `size` items to the names n1, n2, … of its items."""
    fine = {f"fine_{n}": at("fine", n) for n in range(1, size)}
    parents = joins(
        "JOIN $fine_{n} AS f{n} ON f{n}.id = v.parent", range(size - 1, 0, -1)[:1], **fine
    )
    parents += joins(
        "JOIN $fine_{n} AS f{n} ON f{n}.id = f{after}.parent", range(size - 2, 0, -1), **fine
    )
    labels = joins("JOIN name AS n{n} ON n{n}.item = v.item", range(size, 0, -1)[:1])
    labels += joins("JOIN name AS n{n} ON n{n}.item = f{n}.item", range(1, size))
    return [*parents, *labels]


def _fewest(rule: Rule, owner: str) -> list[exp.Expr]:
    """The order of violations: the fewest persons first, then the fewest transactions."""
    return [term(f"{owner}.persons")] * rule.persons + [term(f"{owner}.support")]


def _violation(size: int, rule: Rule, limit: int) -> exp.Query:
    return duck(
        """
        SELECT t.id AS id, t.parent AS parent, t.item AS item, t.support AS support, $persons
        FROM $set AS t
        WHERE NOT EXISTS(SELECT 1 AS one FROM $fine AS f WHERE f.id = t.id)
        ORDER BY $fewest, t.id
        LIMIT $limit
        """,
        persons=rule.also("t.persons AS persons"),
        fewest=_fewest(rule, "t"),
        set=at("set", size),
        fine=at("fine", size),
        limit=limit,
    )


def _met_by_violations(size: int, rule: Rule) -> exp.Query:
    """One row per violation and private item of its cohort, as a pair, and its hits."""
    if size == 0:
        words = "SELECT x.item AS pair, x.word_no AS word_no, x.bits AS bits FROM check_secret AS x"
        return rule.tally("pair", duck(words))
    met = duck(
        """
        SELECT w.id * $base + x.item AS pair, w.word_no AS word_no, w.bits & x.bits AS bits
        FROM $words AS w JOIN check_secret AS x ON x.word_no = w.word_no
        """,
        base=PAIR,
        words=words_of("violation", size),
    )
    return rule.tally("pair", met)


def most(rule: Rule, of: str, hits: str = "hits") -> exp.Expr:
    """The share of a private item in the set v, to order by: of persons or of transactions."""
    if not rule.persons:
        return term(f"{of}.{hits}")
    return term(f"GREATEST({of}.{hits} * v.persons, {of}.persons * v.support)")


def _worst(rule: Rule) -> exp.Query:
    """One row per violation with a private item in its cohort: the one of the highest share.

    Of equal shares the first item is taken. Shares of persons and of transactions are compared.
    """
    return duck(
        """
        SELECT r.id AS id, r.secret AS secret, r.hits AS hits, $persons
        FROM (
            SELECT
                p.id AS id, p.item AS secret, p.number AS hits, $of,
                ROW_NUMBER() OVER (PARTITION BY p.id ORDER BY $most DESC, p.item) AS place
            FROM apart AS p JOIN $violation
        ) AS r
        WHERE r.place = 1
        """,
        persons=rule.also("r.persons AS persons"),
        of=rule.also("p.persons AS persons"),
        most=most(rule, "p", "number"),
        violation=joins("JOIN violation AS v ON v.id = p.id", [0] if rule.persons else []),
    )
