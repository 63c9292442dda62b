"""`setveil itemsets`: the command of `setveil.itemsets`."""

from __future__ import annotations

from typing import Annotated

import typer

from setveil.cli import nexts, output, running
from setveil.cli import options as o
from setveil.cli.groups import Explaining, Reading, Results, Showing
from setveil.mine.itemsets import Mined, check_targets, itemsets
from setveil.mine.search import LIMIT
from setveil.run.words import counted

NAME = "itemsets"
SHOWN = 10


def command(
    reading: Reading,
    showing: Showing,
    explaining: Explaining,
    writing: Results,
    *,
    source: o.Source,
    min_support: Annotated[
        str,
        typer.Option(
            "--min-support",
            metavar="N|SHARE",
            help="An itemset is frequent if this many transactions hold it: a whole number, or a "
            "share such as 0.01 or 1%.",
            show_default=False,
        ),
    ],
    max_size: Annotated[
        int | None,
        typer.Option("--max-size", metavar="N", min=1, help="Itemsets of up to N items only."),
    ] = None,
    rules: Annotated[
        bool, typer.Option("--rules", help="Write association rules in place of itemsets.")
    ] = False,
    min_confidence: Annotated[
        str | None,
        typer.Option(
            "--min-confidence",
            metavar="SHARE",
            help="Keep rules that hold in at least this share of the transactions with their "
            "antecedent: 0.6 or 60%.",
        ),
    ] = None,
    max_consequent: Annotated[
        int,
        typer.Option(
            "--max-consequent", metavar="N", min=1, help="Rules with up to N items as consequent."
        ),
    ] = 1,
    limit: Annotated[
        int,
        typer.Option("--limit", metavar="N", min=1, help="Refuse results of more than N rows."),
    ] = LIMIT,
    plan: o.Plan = "auto",
) -> None:
    """Mine frequent itemsets, or with --rules association rules.

    A row per itemset has items (a sorted list), support (transactions that hold all of them) and
    frequency (their share). A row per rule has antecedent and consequent (lists), support,
    confidence and lift. Nothing is anonymized: the result is as confidential as the data, and is
    written with mode 0600.
    """
    clock = running.Clock()
    if not explaining.explain:
        running.check_outputs(
            writing.out,
            writing.into,
            writing.trail,
            reading.database,
            force=writing.force,
            check=check_targets,
        )
    with running.reading(
        source,
        reading,
        explaining,
        quiet=showing.quiet,
        into=running.tables_of(writing.into),
        force=writing.force,
    ) as baskets:
        mined = itemsets(
            baskets,
            min_support=min_support,
            max_size=max_size,
            rules=rules,
            min_confidence=min_confidence,
            max_consequent=max_consequent,
            plan=plan,
            limit=limit,
        )
        if explaining.explain:
            return running.explained(baskets)
        written = running.publish(
            mined, writing.out, writing.into, writing.trail, force=writing.force
        )
        if showing.json:
            output.print_json(
                running.report(
                    NAME, baskets, mined.parameters, None, mined.metrics, clock, out=written
                )
            )
        else:
            _print(mined, written, clock, quiet=showing.quiet)


def _print(mined: Mined, written: str | None, clock: running.Clock, *, quiet: bool) -> None:
    metrics = mined.metrics
    share = metrics.least / max(1, metrics.transactions)
    output.say(
        f"frequent: in {metrics.least:,} of {counted(metrics.transactions, 'transaction')} or more "
        f"({output.percent(share)})"
    )
    rows: list[tuple[str, object]] = [("itemsets", sum(metrics.itemsets))]
    rows += [(f"  of {size}", n) for size, n in enumerate(metrics.itemsets, 1)]
    if metrics.rules is not None:
        rows.append(("rules", metrics.rules))
    output.table(rows)
    if written is not None:
        output.say(f"written: {output.printable(written)} ({clock.seconds} s)")
        nexts.tell(nexts.after_rows(written))
        return
    shown = [_line(row) for row in mined.head(SHOWN)]
    if shown:
        output.say("the first of them")
        output.table(shown)
    if not quiet:
        output.chat("nothing was written: name a file with --out, or a table with --into")


def _line(row: tuple[object, ...]) -> tuple[object, ...]:
    """A row of names and numbers, as words."""
    *sides, support, one, two = row if len(row) == 5 else (*row, None)
    names = " -> ".join(_named(side) for side in sides)
    if two is None:
        return names, f"in {support:,}", f"{one:.4g}"
    return names, f"in {support:,}", f"confidence {one:.4g}", f"lift {two:.4g}"


def _named(items: object) -> str:
    assert isinstance(items, list)
    return ", ".join(output.printable(str(item)) for item in items)
