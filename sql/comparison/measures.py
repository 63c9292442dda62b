"""Compare the rules of a release with those of its original, in the numbers of the original.

Reads the rules of both as the search for rules leaves them. Jia, Pan, Hu, Xie, Xu, Zhu, Lo:
rho-uncertainty anonymization by partial suppression, DASFAA 2014, section 4.1.
"""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from setveil.sql.mine import rules
from setveil.sql.step import Step, duck

Relations = Mapping[tuple[int, int], exp.Table]  # rules, by how many items they have on either side


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
