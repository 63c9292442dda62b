"""Say which rules a change touches: those of a returned item, and those that lose a known item.

With persons, each rule has a slack in persons too. Let num/den be rho. A change costs the rule
q -> e in persons:

- den, if it gives the person q and e, and the person had q already, but never with e;
- den - num, if it gives the person q and e, and the person had no q;
- num, if it takes q from a transaction without e: the person may have q nowhere else.

Changes of one pass can be about several transactions of a person. Compare the person before and
after all of them. If the person gets q with e, some transaction got it, and its change has borne
that cost. If the person loses q, and never had e with it, some transaction lost q, and its change
has borne num. In all other cases the share does not rise. So the sum of costs is never too small.
"""

from __future__ import annotations

from sqlglot import exp

from setveil.sql.step import duck, duck_union, each, first, joins, shown, term
from setveil.sql.subsets import Frame, packed, picked, with_persons


def gained_rules(frame: Frame, changes: str, *, whole: bool = False) -> exp.Select:
    """One row per change and rule of the returned item: present supports, and its own share."""
    returns = duck(
        """
        SELECT x.number AS number, x.part AS part, $secret AS secret,
            CASE WHEN f.place = x.place THEN 0 ELSE 1 END AS own, $owner, $keys, $questions
        FROM $changes AS x
        JOIN member AS m ON m.place = x.place AND m.top <= x.held
        JOIN facet AS f ON f.mask = m.mask AND f.place > x.known
        WHERE $whole
        """,
        changes=changes,
        owner=with_persons(frame, "x.person"),
        secret=picked(frame, "x", "f"),
        keys=packed(frame, "x", "m"),
        questions=packed(frame, "x", "f", "q"),
        whole=[term("m.size = x.held AND m.top = m.size")] if whole else [],
    )
    # Few of the counted sets are asked for: a planner that joins all of them does so twice.
    return duck(
        """
        WITH rule AS ($returns), asked AS ($sides), known AS (
            SELECT c.part AS part, c.support AS support, $persons, $keys
            FROM counted AS c
            WHERE EXISTS (SELECT 1 FROM asked AS a WHERE a.part = c.part AND $same)
        )
        SELECT r.number AS number, r.part AS part, r.secret AS secret, r.own AS own,
            COALESCE(h.support, 0) AS support,
            COALESCE(q.support, 0) AS known, $in_persons, $questions
        FROM rule AS r
        LEFT JOIN known AS h ON h.part = r.part AND $held
        LEFT JOIN known AS q ON q.part = r.part AND $asked
        JOIN $holders
        """,
        returns=returns,
        sides=duck_union(
            """
            SELECT r.part AS part, $held FROM rule AS r
            UNION ALL
            SELECT r.part AS part, $known FROM rule AS r
            """,
            held=each("r.k_{n} AS k_{n}", frame.keys),
            known=each("r.q_{n} AS k_{n}", frame.keys),
        ),
        persons=with_persons(frame, "c.persons"),
        keys=each("c.k_{n} AS k_{n}", frame.keys),
        same=each("a.k_{n} = c.k_{n}", frame.keys),
        in_persons=_new_persons() if frame.persons else [],
        holders=_holders(frame),
        questions=each("r.q_{n} AS q_{n}", frame.keys),
        held=each("h.k_{n} = r.k_{n}", frame.keys),
        asked=each("q.k_{n} = r.q_{n}", frame.keys),
    )


def _new_persons() -> list[exp.Expr]:
    """The persons of a rule now, and whether the person of a change is a new one on its sides.

    `fresh` is 1 if the person holds the known items and the secret in no transaction, `own_person`
    is 1 if the person does not hold the known items.
    """
    return [
        shown("COALESCE(h.persons, 0) AS persons"),
        shown("COALESCE(q.persons, 0) AS known_persons"),
        shown("CASE WHEN i.person IS NULL THEN 1 ELSE 0 END AS fresh"),
        shown(
            "CASE WHEN r.own = 1 AND j.person IS NULL AND o.person IS NULL THEN 1 ELSE 0 END "
            "AS own_person"
        ),
    ]


def _holders(frame: Frame) -> list[exp.Expr]:
    """Joins to the other transactions of the person that hold the sides of a rule."""
    sides = (("own_holder", "i", "k"), ("own_holder", "j", "q"), ("outer_holder", "o", "q"))
    return [
        one
        for holder, name, key in sides
        for one in joins(
            f"LEFT JOIN {holder} AS {name} ON {name}.part = r.part AND {name}.person = r.person "
            "AND $same",
            [0] if frame.persons else [],
            same=each(f"{name}.k_{{n}} = r.{key}_{{n}}", frame.keys),
        )
    ]


def bared(frame: Frame, changes: str, judged: str) -> exp.Select:
    """One row per change and rule that loses a known item here, without its secret here."""
    goes = duck(
        """
        SELECT x.number AS number, x.part AS part, $questions, $codes
        FROM $changes AS x
        JOIN arranged AS a ON a.tid = x.tid
        JOIN member AS m ON m.place = x.gap AND m.top <= a.held
        """,
        questions=packed(frame, "a", "m", "q"),
        codes=each("a.p_{n} AS p_{n}", frame.columns),
        changes=changes,
    )
    return duck(
        """
        SELECT r.number AS number, r.part AS part, u.secret AS secret, u.slack AS slack,
            $person_slack, $questions
        FROM $goes AS r
        JOIN $judged AS u ON u.part = r.part AND $same
        WHERE $not_held
        """,
        questions=each("r.q_{n} AS q_{n}", frame.keys),
        goes=first(goes),
        person_slack=with_persons(frame, "u.person_slack"),
        judged=judged,
        same=each("u.q_{n} = r.q_{n}", frame.keys),
        not_held=each("u.secret <> r.p_{n}", frame.columns),
    )
