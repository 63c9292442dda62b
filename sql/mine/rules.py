"""Find association rules in frequent itemsets: antecedent and consequent split an itemset.

rules_a_c(antecedent_1 … antecedent_a, consequent_1 … consequent_c, support, antecedent_support,
consequent_support) has the rules with a items on the left and c on the right; its name begins with
the name of the search. Rules with one item on the right come from found_n. Rules with more come
from the rules with one less: to move an item from left to right never raises the confidence. The
confidence is support / antecedent_support, compared exactly with the fraction num / den.
Agrawal, Srikant: Fast algorithms for mining association rules, VLDB 1994, section 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from sqlglot import exp

from setveil.sql import levels
from setveil.sql.step import Step, duck, each, term, together


def relation(rules: str, antecedent: int, consequent: int) -> str:
    """The name of the relation of rules with so many items on either side."""
    return f"{rules}_{antecedent}_{consequent}"


def sides(antecedent: int, consequent: int, left: str, right: str) -> list[exp.Expr]:
    """The conditions that rules of two relations have equal items on either side."""
    return [
        *each(f"{left}.antecedent_{{n}} = {right}.antecedent_{{n}}", range(1, antecedent + 1)),
        *each(f"{left}.consequent_{{n}} = {right}.consequent_{{n}}", range(1, consequent + 1)),
    ]


def to_one_item(rules: str, found: str, size: int, confidence: Fraction) -> Step:
    """One row per confident rule with one item of the itemset on the right."""
    items = each("f.item_{n}", range(1, size + 1))
    parts = [
        _parted(found, levels.table(found, size), [*items[:n], *items[n + 1 :]], [one], confidence)
        for n, one in enumerate(items)
    ]
    return _confident(relation(rules, size - 1, 1), parts)


def to_more_items(
    rules: str, found: str, antecedent: int, consequent: int, confidence: Fraction
) -> Step:
    """One row per confident rule of these sizes; the moved item is the least on the right."""
    before = relation(rules, antecedent + 1, consequent - 1)
    left = each("f.antecedent_{n}", range(1, antecedent + 2))
    right = each("f.consequent_{n}", range(1, consequent))
    parts = [
        _parted(
            found,
            before,
            [*left[:n], *left[n + 1 :]],
            [one, *right],
            confidence,
            least=[term("$moved < f.consequent_1", moved=one)],
        )
        for n, one in enumerate(left)
    ]
    return _confident(relation(rules, antecedent, consequent), parts)


def _parted(
    found: str,
    whole: str,
    left: Sequence[exp.Expr],
    right: Sequence[exp.Expr],
    confidence: Fraction,
    least: Sequence[exp.Expr] = (),
) -> exp.Select:
    """Confident rules of the itemsets in `whole`, with the supports of both sides."""
    return duck(
        """
        SELECT f.support AS support, a.support AS antecedent_support,
            c.support AS consequent_support, $antecedents, $consequents
        FROM $whole AS f
        JOIN $antecedent AS a ON $same_left
        JOIN $consequent AS c ON $same_right
        WHERE $least AND f.support * $den >= $num * a.support
        """,
        antecedents=_named("antecedent", left),
        consequents=_named("consequent", right),
        whole=whole,
        antecedent=levels.table(found, len(left)),
        consequent=levels.table(found, len(right)),
        same_left=_same("a", left),
        same_right=_same("c", right),
        least=least,
        num=confidence.numerator,
        den=confidence.denominator,
    )


def _named(side: str, items: Sequence[exp.Expr]) -> list[exp.Expr]:
    return [
        one
        for n, item in enumerate(items, 1)
        for one in each(f"$item AS {side}_{{n}}", [n], item=item)
    ]


def _same(owner: str, items: Sequence[exp.Expr]) -> list[exp.Expr]:
    return [
        one
        for n, item in enumerate(items, 1)
        for one in each(f"{owner}.item_{{n}} = $item", [n], item=item)
    ]


def _confident(name: str, parts: Sequence[exp.Select]) -> Step:
    return Step(
        name,
        "each row is a rule with enough confidence, and the supports of both sides",
        together(parts),
    )
