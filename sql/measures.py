"""Compare a release with its original, in the numbers of the original.

Reads item(item, support), released(tid, item), and rules of both as the search for rules leaves
them. Definitions: Jia, Pan, Hu, Xie, Xu, Zhu, Lo, rho-uncertainty anonymization by partial
suppression, DASFAA 2014, sections 2.2 and 4.1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlglot import exp

from setveil.sql import rules, transactions
from setveil.sql.step import Step, duck


def released(cells: exp.Expr) -> Step:
    """One row per transaction and item that the release shows of it."""
    step = transactions.occurrences(cells)
    return replace(step, name="released", why="the release, in the numbers of the original")


def supports() -> Step:
    """One row per item: how many transactions held it, and how many do."""
    query = duck(
        """
        SELECT i.item AS item, i.support AS original, COALESCE(r.support, 0) AS remaining
        FROM item AS i
        LEFT JOIN (
            SELECT o.item AS item, COUNT(*) AS support FROM released AS o GROUP BY o.item
        ) AS r ON r.item = i.item
        ORDER BY item
        """
    )
    return Step("supports", "how the distribution of the items changed", query)


def common_rules(before: str, after: str, sizes: Sequence[tuple[int, int]]) -> Step:
    """One row: the rules that were found in both, of any of these sizes."""
    both = _both(before, after, sizes)
    query = duck("SELECT COUNT(*) AS rules FROM $both AS o", both=both)
    return Step("common_rules", "what can be mined from the release as from the original", query)


def _both(before: str, after: str, sizes: Sequence[tuple[int, int]]) -> exp.Subquery:
    parts = [_of_size(before, after, *size) for size in sizes]
    return exp.union(*parts, distinct=False).subquery() if parts[1:] else parts[0].subquery()


def _of_size(before: str, after: str, antecedent: int, consequent: int) -> exp.Select:
    left = rules.side("antecedent", antecedent, "b") + rules.side("consequent", consequent, "b")
    right = rules.side("antecedent", antecedent, "a") + rules.side("consequent", consequent, "a")
    same = exp.and_(*[exp.EQ(this=x, expression=y) for x, y in zip(left, right, strict=True)])
    return duck(
        "SELECT b.support AS support FROM $before AS b JOIN $after AS a ON $same",
        before=exp.to_table(rules.relation(before, antecedent, consequent)),
        after=exp.to_table(rules.relation(after, antecedent, consequent)),
        same=same,
    )
