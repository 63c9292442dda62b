"""Association rules from frequent itemsets: antecedent and consequent are parts of one itemset.

rules_a_c(antecedent_1 … antecedent_a, consequent_1 … consequent_c, support, antecedent_support,
consequent_support) has the rules of a items on the left and c on the right; its name begins as the
search for rules was named. Those with one item on the right come from found_n, those with more from
the ones with one less: to move an item from left to right never raises the confidence. The
confidence is support / antecedent_support, compared exactly with the fraction num / den.
Agrawal, Srikant: Fast algorithms for mining association rules, VLDB 1994, section 3.
"""

from __future__ import annotations

from fractions import Fraction

from sqlglot import exp

from setveil.sql import levels
from setveil.sql.step import Step, duck, term

Side = list[exp.Column]


def relation(rules: str, antecedent: int, consequent: int) -> str:
    """The name of the rules with so many items on either side."""
    return f"{rules}_{antecedent}_{consequent}"


def side(name: str, size: int, owner: str) -> Side:
    """The items of one side of a rule, ascending."""
    return [exp.column(f"{name}_{n}", table=owner) for n in range(1, size + 1)]


def to_one_item(rules: str, found: str, size: int, confidence: Fraction) -> Step:
    """One row per confident rule from the others of so many items to the one that is left."""
    items = [levels.item(n, "f") for n in range(1, size + 1)]
    parts = [
        _parted(found, levels.table(found, size), [*items[:n], *items[n + 1 :]], [one])
        for n, one in enumerate(items)
    ]
    return _confident(relation(rules, size - 1, 1), parts, confidence)


def to_more_items(
    rules: str, found: str, antecedent: int, consequent: int, confidence: Fraction
) -> Step:
    """One row per confident rule of these sizes: the item that moved is the least on the right."""
    before = exp.to_table(relation(rules, antecedent + 1, consequent - 1))
    left = side("antecedent", antecedent + 1, "f")
    right = side("consequent", consequent - 1, "f")
    parts = [
        _parted(found, before, [*left[:n], *left[n + 1 :]], [one, *right]).where(
            exp.LT(this=one.copy(), expression=right[0].copy()), copy=False
        )
        for n, one in enumerate(left)
    ]
    return _confident(relation(rules, antecedent, consequent), parts, confidence)


def _parted(found: str, whole: exp.Expr, left: Side, right: Side) -> exp.Select:
    """Rules of the itemsets in `whole`, with the supports of both sides."""
    query = duck(
        """
        SELECT f.support AS support, a.support AS antecedent_support,
            c.support AS consequent_support
        FROM $whole AS f
        JOIN $antecedent AS a ON $same_left
        JOIN $consequent AS c ON $same_right
        """,
        whole=whole,
        antecedent=levels.table(found, len(left)),
        consequent=levels.table(found, len(right)),
        same_left=_same("a", left),
        same_right=_same("c", right),
    )
    shown = [one.as_(f"antecedent_{n}") for n, one in enumerate(left, 1)]
    shown += [one.as_(f"consequent_{n}") for n, one in enumerate(right, 1)]
    return query.select(*shown, copy=False)


def _same(owner: str, items: Side) -> exp.Expr:
    pairs = [exp.EQ(this=levels.item(n, owner), expression=one) for n, one in enumerate(items, 1)]
    return exp.and_(*pairs, copy=False)


def _confident(name: str, parts: list[exp.Select], confidence: Fraction) -> Step:
    enough = term(
        "f.support * $den >= $num * a.support",
        num=confidence.numerator,
        den=confidence.denominator,
    )
    query: exp.Query = parts[0].where(enough.copy(), copy=False)
    for part in parts[1:]:
        part.where(enough.copy(), copy=False)
        query = exp.union(query, part, distinct=False, copy=False)
    return Step(name, "the rules whose confidence is enough", query)
