"""Compare the rules of a release with those of its original, in the numbers of the original.

Reads the relations of rules that the search made on both sides. Jia, Pan, Hu, Xie, Xu, Zhu, Lo:
rho-uncertainty anonymization by partial suppression, DASFAA 2014, section 4.1.
"""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from setveil.sql.mine import rules
from setveil.sql.step import Step, duck

Relations = Mapping[tuple[int, int], exp.Table]  # rules, by the number of items on either side


def common_rules(before: Relations, after: Relations) -> Step:
    """One row: the number of rules of both sides. Relations are matched by size."""
    parts = [_of_size(before[size], after[size], *size) for size in sorted(before)]
    query = duck("SELECT COUNT(*) AS rules FROM $both AS o", both=parts)
    return Step(
        "common_rules", "counts the rules that the original and the release have in common", query
    )


def _of_size(before: exp.Table, after: exp.Table, antecedent: int, consequent: int) -> exp.Select:
    return duck(
        "SELECT b.support AS support FROM $before AS b JOIN $after AS a ON $same",
        before=before,
        after=after,
        same=rules.sides(antecedent, consequent, "b", "a"),
    )
