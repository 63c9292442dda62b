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
    query = duck("SELECT COUNT(*) AS rules FROM $both AS o", both=parts)
    return Step("common_rules", "what can be mined from the release as from the original", query)


def _of_size(before: exp.Table, after: exp.Table, antecedent: int, consequent: int) -> exp.Select:
    return duck(
        "SELECT b.support AS support FROM $before AS b JOIN $after AS a ON $same",
        before=before,
        after=after,
        same=rules.sides(antecedent, consequent, "b", "a"),
    )
