"""Join releases one after the other: the risk that each adds, and the verdict on all of them.

An attacker with the first releases sees all that they show of a transaction, and which of them lack
it. The transaction is singled out among those in exactly the same of these releases.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from sqlglot import exp

from setveil.arguments.shares import Share
from setveil.comparison import risk
from setveil.comparison.figures import Section
from setveil.comparison.sides import Beside
from setveil.errors import InputError
from setveil.history.groups import Group
from setveil.history.joining import Joint
from setveil.history.judging import Roles, joined_of, judge_together
from setveil.history.reading import Together, join_nodes, number
from setveil.history.told import HistoryVerdict
from setveil.models import REGISTRY
from setveil.models.coherence.promise import Promise
from setveil.run.reading import Baskets, owners_of, query_beside, read_beside
from setveil.run.roles.lists import Items
from setveil.sql.comparison import history as sql
from setveil.sql.history import joint as joint_sql
from setveil.sql.run import lists
from setveil.verify import beside as in_run


@dataclass(frozen=True, slots=True)
class Added:
    """Releases up to one, and the shares that attackers of power 1, 2, … p with all of them find.

    Shares are of the transactions that these releases show, or of their persons.
    """

    releases: tuple[str, ...]
    transactions: int
    unique: tuple[float, ...]
    singled_out: tuple[float, ...]
    unique_persons: tuple[float, ...] | None
    singled_out_persons: tuple[float, ...] | None


@dataclass(frozen=True, slots=True)
class History:
    """The risk that each release adds, and the verdict on all of them if one was asked for."""

    added: tuple[Added, ...]
    verdict: HistoryVerdict | None

    def content(self) -> dict[str, Any]:
        """The fields as JSON has them, without statements."""
        content = asdict(self)
        if content["verdict"] is not None:
            del content["verdict"]["sql"]
        return content


def history_of(
    releases: Sequence[Beside],
    promise: Promise,
    plan: str,
    *,
    public: bool,
    verify: str | None,
    terms: dict[str, Any],
    hierarchy: str | Path | None,
    section: Section,
) -> History:
    """Join the releases one by one. With `public`, attackers know the public items alone.

    The nodes of generalized releases are joined by the hierarchy. All above level 0 are public.
    """
    original = releases[0].original
    with contextlib.ExitStack() as runs:
        owners, names = owners_of(original), [one.name for one in releases]
        together = number(
            runs,
            [one.run if one.shown is None else one.shown for one in releases],
            of_nodes=True,
            levels=[one.level for one in releases],
            owners=owners,
            names=names,
        )
        joint = Joint(together, empty=True, tuples=together.levels and together.overlap)
        if joint.tuples:
            join_nodes(together, hierarchy)
        with replace(section, sessions=(together.session,))("history"):
            added = [
                _added(original, joint, names[:size], promise, plan, public=public)
                for size in range(1, len(releases) + 1)
            ]
            verdict = None
            if verify is not None:
                verdict = _judged(original, together, verify, terms, hierarchy)
    return History(tuple(added), verdict)


def refuse_unjoined(releases: Sequence[Beside], verify: str | None) -> None:
    """Refuse releases that cannot be joined item by item, and a promise of one release."""
    if verify is not None:
        joined_of(REGISTRY[verify])
    for one in releases:
        if one.parts is not None:
            raise InputError(
                f"{one.name} has two relations, which do not say who holds an item: no release is "
                "joined with it"
            )


def _added(
    original: Baskets,
    joint: Joint,
    names: Sequence[str],
    promise: Promise,
    plan: str,
    *,
    public: bool,
) -> Added:
    """The attacker who has these releases, which are the first ones."""
    together = joint.together
    joint.keep(range(joint.choose(exact_groups(together, len(names)))))
    if together.session.supposed(False, True):  # a rehearsal has no rows to read again
        nothing = (0.0,) * promise.p
        return Added(tuple(names), 0, nothing, nothing, None, None)
    first = replace(together.releases[0], session=together.session)
    cell = together.session.backend.of_run("history_cell")
    owners = None
    if together.persons is not None:
        owners = in_run(first, joint_sql.owner_rows())
    source = query_beside(first, sql.shown(cell))
    with read_beside(original, source, tid="tid", item="item", owners=owners) as run:
        node = together.session.backend.of_run(joint.nodes)
        place = original.session.backend.of_run
        listed = place("public_item") if public else None
        run.session.create(sql.nobody_hides())
        run.session.create(sql.known(node, place("item"), listed, place("private_item")))
        exposed = risk.Exposed(run, replace(promise, private=0), plan)
        unique, found = exposed.singled_out(2), exposed.singled_out(promise.k)
        return Added(
            tuple(names),
            run.transactions,
            unique.transactions,
            found.transactions,
            unique.persons,
            found.persons,
        )


def exact_groups(together: Together, size: int) -> list[Group]:
    """The groups of the first releases: transactions that are in exactly the same of them."""
    everything = (1 << size) - 1
    groups: dict[int, list[int]] = {}
    for one in together.present:
        if shown := one.presence & everything:
            groups.setdefault(shown, []).append(one.presence)
    return [
        Group(
            tuple(n for n in range(size) if shown >> n & 1),
            tuple(n for n in range(size) if not shown >> n & 1),
            tuple(presences),
        )
        for shown, presences in sorted(groups.items())
    ]


def _judged(
    original: Baskets,
    together: Together,
    verify: str,
    terms: dict[str, Any],
    hierarchy: str | Path | None,
) -> HistoryVerdict:
    """The verdict of a model on all releases; items have the roles of the original."""
    model = REGISTRY[verify]

    def named(option: str, items: Items) -> exp.Expr:
        return in_run(original, lists.labels(f"{option}_item"))

    def roles(k: int, p: int, h: Share | None, private: Items, public: Items | None) -> exp.Expr:
        return in_run(original, lists.roles())

    given = {one.name: terms[one.name] for one in model.promise if terms.get(one.name) is not None}
    return judge_together(together, model, given, Roles(named, roles), hierarchy=hierarchy)
