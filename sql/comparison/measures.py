"""Compare a release with its original, in the numbers of the original.

Reads item(item, support), released(tid, item), and rules of both as the search for rules leaves
them. Definitions: Jia, Pan, Hu, Xie, Xu, Zhu, Lo, rho-uncertainty anonymization by partial
suppression, DASFAA 2014, sections 2.2 and 4.1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from sqlglot import exp

from setveil.sql.mine import rules
from setveil.sql.run import reading as transactions
from setveil.sql.step import Step, duck

Relations = Mapping[tuple[int, int], exp.Table]  # rules, by how many items they have on either side


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


def common_rules(before: Relations, after: Relations) -> Step:
    """One row: the rules that were found in both. Relations are those of the same sizes."""
    parts = [_of_size(before[size], after[size], *size) for size in sorted(before)]
    both = exp.union(*parts, distinct=False).subquery() if parts[1:] else parts[0].subquery()
    query = duck("SELECT COUNT(*) AS rules FROM $both AS o", both=both)
    return Step("common_rules", "what can be mined from the release as from the original", query)


def _of_size(before: exp.Table, after: exp.Table, antecedent: int, consequent: int) -> exp.Select:
    left = rules.side("antecedent", antecedent, "b") + rules.side("consequent", consequent, "b")
    right = rules.side("antecedent", antecedent, "a") + rules.side("consequent", consequent, "a")
    same = exp.and_(*[exp.EQ(this=x, expression=y) for x, y in zip(left, right, strict=True)])
    return duck(
        "SELECT b.support AS support FROM $before AS b JOIN $after AS a ON $same",
        before=before,
        after=after,
        same=same,
    )
