"""The checker of a renaming: a bijection of the names, and nothing else has changed.

It proves that the key restores the names. It proves no privacy: renaming keeps every support, and
`setveil reidentify` shows which names these reveal.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from setveil.errors import CheckError, SetveilError
from setveil.run.results.tabled import Judgement
from setveil.run.session import Session
from setveil.run.shape import Shape
from setveil.sql.models.renaming import check as ask
from setveil.sql.trail import verdicts


@dataclass(frozen=True, slots=True, repr=False)
class RenamingVerdict(Judgement):
    """The result. A renaming that holds promises no privacy."""

    holds: bool
    checked: int  # occurrences
    doubles: int  # pairs of code and name beyond one for each
    lost: int  # occurrences of the source that the release lacks
    added: int  # occurrences of the release that the source lacks
    changed: int  # rows that differ in another column or in their number

    def refusal(self) -> SetveilError:
        """The error for a refused renaming: always a defect."""
        return CheckError(
            f"the checker refused the renaming: {self.doubles:,} codes or names are double, "
            f"{self.lost:,} occurrences lost, {self.added:,} added, {self.changed:,} rows changed; "
            "nothing was written. This is a defect of setveil: please report it"
        )


def check_renaming(session: Session, shape: Shape, pairs: exp.Expr) -> RenamingVerdict:
    """Check `release` against `source` by pairs(code, name)."""
    key = shape.key or shape.line
    place = shape.line if shape.lists else key
    for name, relation in (("check_before", "source"), ("check_after", "release")):
        session.create(ask.occurrences(name, relation, place, key, shape.item, lists=shape.lists))
    rows, codes, names = session.row_of(ask.one_to_one(pairs))
    occurrences, lost, added = session.row_of(ask.differences(pairs))
    changed = 0
    if shape.lists:
        columns = (*shape.columns, shape.line)
        (changed,) = session.row_of(ask.changed_lists(columns, key, shape.item))
    elif shape.others:
        (changed,) = session.row_of(ask.changed_rows(shape.columns, key, shape.item, pairs))
    for name in ("check_before", "check_after"):
        session.give_back(name)
    doubles = 2 * rows - codes - names
    holds = not (doubles or lost or added or changed)
    if holds:
        session.create(verdicts.renaming(rows=shape.lists or bool(shape.others)))
    return RenamingVerdict(holds, occurrences, doubles, lost, added, changed)
