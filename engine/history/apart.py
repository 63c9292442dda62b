"""Judge releases that share no transaction, each by itself: for promises of one release.

Such a promise says nothing of what two releases show of one transaction, so that is refused.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from functools import singledispatch
from pathlib import Path
from typing import Any

from setveil.errors import InputError
from setveil.history.reading import Reading, number, read_others
from setveil.history.told import Broken, HistoryVerdict
from setveil.models.hiding.check import HidingVerdict
from setveil.models.model import Model
from setveil.models.permutation.check import GroupsVerdict
from setveil.run.files.parts import parts_of
from setveil.run.reading import Baskets
from setveil.verify import PersonsOf, judged


def judge_apart(
    model: Model,
    given: Baskets,
    others: Sequence[str | Path],
    how: Reading,
    terms: dict[str, Any],
    *,
    persons: PersonsOf | None,
    limit: int,
    **options: Any,
) -> HistoryVerdict:
    """The verdict of the model's checker on each release; an error if two share a transaction."""
    with contextlib.ExitStack() as runs:
        if model.in_parts:
            is_file = given.source.is_file
            others = [parts_of(str(one), is_file=is_file)[0] for one in others]
        releases = read_others(runs, given, others, how)
        together = number(
            runs, releases, of_nodes=False, names=[one.source.name for one in releases]
        )
        if together.overlap:
            raise InputError(
                f"{model.name} has no promise over several releases, and two of these share "
                "transactions: let no transaction be in two, and verify each by itself"
            )
        verdicts = [
            judged(model.name, one, persons=persons, limit=limit, by_slice=True, **options, **terms)
            for one in releases
        ]
        names = zip(together.names, releases, verdicts, strict=True)
        return HistoryVerdict(
            model.name,
            all(one.holds for one in verdicts),
            together.names,
            len(releases),
            sum(one.transactions for one in releases),
            None,
            tuple(_broken(name, run, one, limit) for name, run, one in names if not one.holds),
            together.statements,
        )


def _broken(name: str, release: Baskets, verdict: Any, limit: int) -> Broken:
    found, exposed, violations = _faults(verdict)
    return Broken(
        shown=(name,),
        lacking=(),
        slices=None,
        transactions=release.transactions,
        persons=None,
        exposed=min(exposed, release.transactions),
        exposed_persons=None,
        found=found,
        complete=len(violations) == found,
        violations=tuple(violations[:limit]),
    )


@singledispatch
def _faults(verdict: Any) -> tuple[int, int, Sequence[Any]]:
    """The number of violations, of the transactions that they are of, and those that are known."""
    raise TypeError(f"no verdict of a checker: {verdict!r}")


@_faults.register
def _(verdict: GroupsVerdict) -> tuple[int, int, Sequence[Any]]:
    sizes = {(one.group, one.group is None and one.item): one.size for one in verdict.violations}
    return verdict.found, sum(sizes.values()), verdict.violations


@_faults.register
def _(verdict: HidingVerdict) -> tuple[int, int, Sequence[Any]]:
    shown = [one for one in verdict.patterns if one.remaining > one.allowed]
    found = len(shown) + verdict.added + verdict.stray
    return found, max((one.remaining for one in shown), default=0), shown
