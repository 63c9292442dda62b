"""`setveil verify k-anonymity` and `setveil verify km`: releases whose items were generalized."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from setveil.cli import options as o
from setveil.cli import output, running
from setveil.cli.models.km import M
from setveil.cli.models.partition import K
from setveil.errors import InputError
from setveil.run.reading import read_original
from setveil.run.words import counted
from setveil.verify import Cover, KAnonymityVerdict, KmVerdict, cover, k_anonymity, km

SHOWN = 10

V = TypeVar("V", KAnonymityVerdict, KmVerdict)

Level = Annotated[
    str | None,
    typer.Option("--level", metavar="COL", help='The column of the levels (default "level").'),
]
Original = Annotated[
    str | None,
    typer.Option(
        "--original",
        metavar="SOURCE",
        help="What the release was made from: also check, by the hierarchy, that every node stands "
        "for what was there.",
    ),
]


def verify_k_anonymity(
    source: o.Source,
    k: K,
    level: Level = None,
    original: Original = None,
    key: o.IdsOf = None,
    hierarchy: o.Hierarchy = None,
    fanout: o.Fanout = None,
    tid: o.Tid = None,
    item: o.Item = "item",
    database: o.Database = None,
    engine: o.Engine = "in-place",
    drop_nulls: o.DropNulls = False,
    json: o.Json = False,
    quiet: o.Quiet = False,
    threads: o.Threads = None,
    memory_limit: o.MemoryLimit = None,
    force_large: o.ForceLarge = False,
    explain: o.Explain = False,
) -> int:
    """k-anonymity: name the sets of nodes that fewer than k transactions have, and no others.

    A node is a level and a label. Transactions that hold nothing are a class of their own.
    """
    clock = running.Clock()
    refuse_idle(original, hierarchy, fanout, key)
    how = running.Reading(
        source, tid, item, database, drop_nulls, threads, memory_limit, quiet, explain, engine,
        force_large=force_large,
        key=key,
    )  # fmt: skip
    with running.reading(how, by_level=True) as baskets:
        verdict = k_anonymity(baskets, k=k, level=level)
        if explain:
            running.explained(baskets)
            return 0
        covers = None
        if original is not None:
            with read_original(baskets, original, tid=tid, item=item) as before:
                covers = cover(baskets, before, hierarchy=hierarchy, fanout=fanout, level=level)
        holds = verdict.holds and (covers is None or covers.holds)
        if json:
            guarantee = {"model": "k-anonymity", "holds": holds}
            content = running.report(
                "verify k-anonymity", baskets, {"k": k}, guarantee, verdict, clock, cover=covers
            )
            output.print_json(content)
        else:
            show(verdict, covers, show_k_anonymity)
    return 0 if holds else 1


def refuse_idle(
    original: str | None, hierarchy: str | None, fanout: int | None, key: Path | None
) -> None:
    """A hierarchy that nothing is compared by would look as if it had been."""
    if original is None and (hierarchy is not None or fanout is not None):
        raise InputError("a hierarchy tells whether nodes stand for what was there: add --original")
    if original is None and key is not None:
        raise InputError("--key matches transactions with those of the original: add --original")


def show(verdict: V, covers: Cover | None, show_alone: Callable[[V], None]) -> None:
    """The verdict on the release alone, and on the release beside its original."""
    if verdict.holds and covers is not None and not covers.holds:
        output.say(
            "does not hold: what is published does not stand for the original; is this the "
            "hierarchy that it was made with?"
        )
    else:
        show_alone(verdict)
    show_cover(covers)


def show_k_anonymity(verdict: KAnonymityVerdict) -> None:
    """The verdict, and the worst of what was found."""
    if verdict.holds:
        output.say(
            f"holds: {counted(verdict.transactions, 'transaction')} in "
            f"{counted(verdict.checked, 'class', 'classes')}, the "
            f"smallest of {verdict.smallest:,}"
        )
        return
    shown = verdict.violations[:SHOWN]
    output.say(
        f"does not hold: {counted(verdict.found, 'class is', 'classes are')} too small; the first "
        f"{len(shown)} of them, by transactions and nodes"
    )
    rows = []
    for one in shown:
        labels = [output.printable(f"{label} (level {level})") for level, label in one.nodes]
        more = ["…"] if one.size > len(labels) else []
        rows.append((", ".join(labels + more) or "(nothing)", f"of {one.transactions:,}"))
    output.table(rows)


def verify_km(
    source: o.Source,
    k: o.K,
    m: M,
    level: Level = None,
    original: Original = None,
    key: o.IdsOf = None,
    hierarchy: o.Hierarchy = None,
    fanout: o.Fanout = None,
    tid: o.Tid = None,
    item: o.Item = "item",
    database: o.Database = None,
    engine: o.Engine = "in-place",
    drop_nulls: o.DropNulls = False,
    json: o.Json = False,
    quiet: o.Quiet = False,
    threads: o.Threads = None,
    memory_limit: o.MemoryLimit = None,
    force_large: o.ForceLarge = False,
    explain: o.Explain = False,
) -> int:
    """k^m-anonymity: name the sets of up to m nodes that fewer than k transactions hold."""
    clock = running.Clock()
    refuse_idle(original, hierarchy, fanout, key)
    how = running.Reading(
        source, tid, item, database, drop_nulls, threads, memory_limit, quiet, explain, engine,
        force_large=force_large,
        key=key,
    )  # fmt: skip
    with running.reading(how, by_level=True) as baskets:
        verdict = km(baskets, k=k, m=m, level=level)
        if explain:
            running.explained(baskets)
            return 0
        covers = None
        if original is not None:
            with read_original(baskets, original, tid=tid, item=item) as before:
                covers = cover(
                    baskets, before, hierarchy=hierarchy, fanout=fanout, level=level
                )  # fmt: skip
        holds = verdict.holds and (covers is None or covers.holds)
        if json:
            guarantee = {"model": "km", "holds": holds}
            parameters: dict[str, object] = {"k": k, "m": m}
            output.print_json(
                running.report(
                    "verify km", baskets, parameters, guarantee, verdict, clock, cover=covers
                )
            )
        else:
            show(verdict, covers, show_km)
    return 0 if holds else 1


def show_km(verdict: KmVerdict) -> None:
    """The verdict, and the worst of what was found."""
    if verdict.holds:
        output.say(
            f"holds: {counted(verdict.transactions, 'transaction')}, "
            f"{counted(verdict.checked, 'set')}"
        )
        return
    shown = verdict.violations[:SHOWN]
    output.say(
        f"does not hold: at least {counted(verdict.found, 'set is', 'sets are')} in too few "
        "transactions" + output.first(len(shown), verdict.found)
    )
    rows = []
    for one in shown:
        labels = (f"{node.label} (level {node.level})" for node in one.nodes)
        rows.append((", ".join(map(output.printable, labels)), f"in {one.support:,}"))
    output.table(rows)


def show_cover(covers: Cover | None) -> None:
    """Whether what is published stands for what was there."""
    if covers is None:
        return
    if covers.holds:
        output.say("every node stands for what was there, and something for every item")
    if covers.uncovered:
        names = ", ".join(map(output.printable, covers.uncovered_items))
        output.say(f"left out: {counted(covers.uncovered, 'occurrence')}, most often of {names}")
    if covers.unfounded:
        names = ", ".join(map(output.printable, covers.unfounded_nodes))
        output.say(f"made up: {counted(covers.unfounded, 'node')}, most often {names}")
