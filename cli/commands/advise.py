"""`setveil advise`: the command of `setveil.advise`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import typer

from setveil.advising.advise import KNOWN, LEAST, Advice, Tried, advise
from setveil.advising.offers import ROLES
from setveil.cli import nexts, output, running
from setveil.cli import options as o
from setveil.cli.command import show
from setveil.cli.groups import Explaining, Persons, Reading, Showing
from setveil.hierarchy.learned import NAMES
from setveil.models import REGISTRY
from setveil.run.words import Blocks, names, percent, printable

NAME = "advise"
GROUPS = "groups.parquet"  # the file of a learned hierarchy
RUIN = 0.9  # a loss that leaves no use
MUCH = 0.25  # a loss that groups of items would lessen
MANY_EMPTY = 0.01  # a share of transactions of which nothing is left


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Options about the items of the data. The fields are parameters of `setveil.advise`."""

    private: o.Private = None
    public: o.Public = None
    h: o.H = None
    sensitive: Annotated[
        str | None,
        typer.Option(
            "--sensitive",
            metavar="LIST",
            help="Items that nobody may infer of anyone, in the forms of --private.",
        ),
    ] = None
    rho: Annotated[
        str | None,
        typer.Option(
            "--rho",
            metavar="SHARE",
            help="The greatest share of a cohort with a sensitive item. Default: 0.5, then 0.3.",
        ),
    ] = None
    patterns: Annotated[
        Path | None,
        typer.Option(
            "--patterns", metavar="FILE", help="Itemsets that nobody may mine, one per line."
        ),
    ] = None
    psi: Annotated[
        str | None,
        typer.Option(
            "--psi",
            metavar="SHARE",
            help="The share of its support that a pattern may keep. Default: 0.3, then 0.",
        ),
    ] = None
    hierarchy: o.Hierarchy = None
    fanout: o.Fanout = None


def command(
    reading: Reading,
    persons: Persons,
    asked: Asked,
    showing: Showing,
    *,
    source: o.Source,
    ignore_unknown: o.IgnoreUnknown = False,
) -> None:
    """Say whom the data singles out, which promises fit it, and what each of them costs.

    Every promise that fits what you say is tried as its command would, and nothing is written. Name
    --private, --sensitive, --patterns, --hierarchy and --person where you have them. On a terminal,
    without any of them, the command asks.
    """
    clock = running.Clock()
    if not showing.json and persons.person is None and asked == Asked() and _can_ask():
        persons, asked = _answers(_columns_of(source, reading))
    given = {name: value for name, value in asdict(asked).items() if value is not None}
    with running.reading(
        source, reading, quiet=showing.quiet, persons=persons, once=False
    ) as baskets:
        found = advise(baskets, **given, ignore_unknown=ignore_unknown)
    commands = [command_of(one, source, reading, persons) for one in found.promises]
    if showing.json:
        promises = [
            {
                **asdict(one),
                "largest_risk": one.largest_risk,
                "meets_bound": one.meets_bound,
                "command": line,
            }
            for one, line in zip(found.promises, commands, strict=True)
        ]
        metrics = {
            "whom": found.whom,
            "columns": [asdict(one) | {"dangerous": one.dangerous} for one in found.columns],
            "parts": found.parts,
            "promises": promises,
        }
        output.print_json(
            {
                "command": NAME,
                "source": source,
                "parameters": {name: str(value) for name, value in given.items()},
                "metrics": metrics,
                "seconds": clock.seconds,
            }
        )
    else:
        read = [source, *nexts.reading_words(reading, persons)]
        show(_told(found, commands, asked, read))


# The questions on a terminal

QUESTIONS = (
    ("person", "Which column says whose transaction it is{columns}? (empty: there is none)"),
    ("private", "Which items must nobody infer? A file, or where:SQL on name (empty: none)"),
    ("sensitive", "Which items may follow from nothing, however much is known? (empty: none)"),
    ("hierarchy", "Which file has groups of items, such as bakery above bread? (empty: none)"),
)


def _can_ask() -> bool:
    return sys.stdin.isatty() and sys.stderr.isatty()


def _columns_of(source: str, reading: Reading) -> str:
    """The columns beside the items; a source that cannot be read is refused before questions."""
    with running.reading(source, reading, Explaining(explain=True), quiet=True) as seen:
        return names(seen.shape.beside)


def _answers(columns: str) -> tuple[Persons, Asked]:
    """Ask what options would say."""
    among = f", of {columns}" if columns else ""
    asked = {name: text.format(columns=among) for name, text in QUESTIONS}
    said = {
        name: typer.prompt(text, default="", show_default=False, err=True).strip() or None
        for name, text in asked.items()
    }
    person = said.pop("person")
    return Persons(person=person), Asked(**said, h="0.5" if said["private"] else None)


# The result


def command_of(tried: Tried, source: str, reading: Reading, persons: Persons) -> str:
    """The whole command that makes this release."""
    params = {one.name: one.option for one in REGISTRY[tried.model].params}
    options = {params[name]: value for name, value in tried.parameters.items()}
    words = ["setveil", tried.model, source, *nexts.reading_words(reading, persons)]
    words += nexts.worded(options)
    return output.command_line([*words, *nexts.place_words(reading, trail=True)])


def _told(found: Advice, commands: list[str], asked: Asked, read: list[str]) -> Blocks:
    yield from _whom(found)
    yield _may_be_shared(found)
    if found.columns:
        yield from _columns(found)
    yield from _promises(found, commands, asked, read)
    yield from _further(asked, found, read)


def _whom(found: Advice) -> Blocks:
    whom, unit = found.whom, "transactions" if found.whom.persons is None else "persons"
    yield f"The data: {whom.transactions:,} transactions with {whom.items:,} items" + (
        f", of {whom.persons:,} persons" if whom.persons is not None else ""
    )
    yield (
        f"Somebody who knows a few items of a transaction finds it among fewer than {LEAST} {unit}:"
    )
    rows: list[list[object]] = [["items known", "transactions"]]
    rows[0] += ["persons"] if whom.singled_out_persons else []
    for n in range(KNOWN):
        row: list[object] = [n + 1, percent(whom.singled_out[n])]
        row += [percent(whom.singled_out_persons[n])] if whom.singled_out_persons else []
        rows.append(row)
    yield rows


def _may_be_shared(found: Advice) -> str:
    """The answer to the first question of an owner."""
    whom, of_persons = found.whom, found.whom.singled_out_persons
    share = (of_persons or whom.singled_out)[-1]
    if not share:
        return (
            "May it be shared as it is? Only by a promise that it keeps: somebody who knows more "
            "may still find people. Have it verified, or release it by a promise below."
        )
    found_ones = "persons" if of_persons else "transactions"
    return (
        f"May it be shared as it is? No: {KNOWN} known items find {percent(share)} of the "
        f"{found_ones} among fewer than {LEAST}. Release it by a promise below."
    )


def _columns(found: Advice) -> Blocks:
    yield (
        "Other columns: a release leaves them out. No promise covers a column that --carry "
        "publishes."
    )
    yield [
        ["column", "values", "transactions singled out", ""],
        *(
            [
                printable(one.name),
                f"{one.distinct_values:,}",
                percent(one.singled_out),
                "names persons: never published"
                if one.persons
                else f"dangerous to carry: {', '.join(one.dangers)}"
                if one.dangerous
                else "",
            ]
            for one in found.columns
        ),
    ]


def _promises(found: Advice, commands: list[str], asked: Asked, read: list[str]) -> Blocks:
    if found.parts > 1:
        yield (
            f"The promises that fit, tried on a part of the data (1 of {found.parts}): the whole "
            "loses between the two numbers."
        )
        if any(one.between is not None and one.between.is_vague for one in found.promises):
            yield "Where it says vague, a sample cannot tell the cost: run the command to know it."
    else:
        yield "The promises that fit, each tried on the whole data:"
    with_persons = found.whom.persons is not None
    head = ["promise", "information lost", "largest risk", "still singled out"]
    head += ["persons"] if with_persons else []
    rows: list[list[object]] = [[*head, "seconds"]]
    for number, one in enumerate(found.promises, 1):
        row: list[object] = [f"{number} {_name(one)}", _cost(one), _risk(one)]
        row += [_after(one.singled_out)]
        row += [_after(one.singled_out_persons)] if with_persons else []
        rows.append([*row, f"{one.seconds:.1f}"])
    yield rows
    yield (
        "Information lost is a share of all bits of the data: an item left out loses all its bits, "
        "an item replaced by its group loses some."
    )
    yield from _bounds(found)
    yield from _emptied(found)
    yield from _remedy(found, asked, read)
    guarantees = dict.fromkeys((one.model, one.guarantee) for one in found.promises)
    for model, guarantee in guarantees:
        yield f"{model}: {guarantee}"
    yield from _readable(found)
    if with_persons:
        yield "With --person, k transactions are of k persons, and shares hold of persons too."
    for number, (one, line) in enumerate(zip(found.promises, commands, strict=True), 1):
        yield f"{number}: {line}" if one.refused is None else f"{number}: {one.refused}"
    yield (
        "--renumber replaces transaction ids by random numbers. Keep key.parquet: compare "
        "matches the release with its source by --key key.parquet, as verify does with "
        "--persons-of."
    )


def _readable(found: Advice) -> Iterator[str]:
    """The limits of promises that leave listed items readable."""
    for model in dict.fromkeys(one.model for one in found.promises if one.lists_items):
        if (readable := REGISTRY[model].readable) is not None:
            yield f"{model}: {readable}"


def _bounds(found: Advice) -> Iterator[str]:
    """The promises that keep every risk below the bound that the page of evidence asks for."""
    unit = "transactions" if found.whom.persons is None else "persons"
    yield (
        f"Largest risk: 1 / the {unit} that match, for an attacker as the promise states it; empty "
        "if the promise does not bound it."
    )
    met = [
        str(number)
        for number, one in enumerate(found.promises, 1)
        if one.meets_bound and not _is_ruin(one)
    ]
    if met:
        yield (
            "Rows with a risk of at most 0.09, the threshold of EMA Policy 0070 that the page of "
            f"evidence counts: {', '.join(met)}"
        )


def _emptied(found: Advice) -> Iterator[str]:
    """The promises that leave nothing of many transactions."""
    for number, one in enumerate(found.promises, 1):
        if one.emptied is not None and one.emptied > MANY_EMPTY:
            yield f"{number} leaves nothing of {percent(one.emptied)} of the transactions"
    ruin = [str(number) for number, one in enumerate(found.promises, 1) if _is_ruin(one)]
    if ruin:
        yield f"Next to nothing is left by: {', '.join(ruin)}"


def _is_ruin(one: Tried) -> bool:
    least = _least(one)
    return least is not None and least > RUIN


def _remedy(found: Advice, asked: Asked, read: list[str]) -> Iterator[str]:
    """Groups of items, where every promise loses much without them."""
    if not _needs_groups(found, asked):
        return
    yield (
        f"All of them lose more than {percent(MUCH)}. Items that are replaced by their groups lose "
        "less; make groups, then ask for advice with them:"
    )
    yield _learning(found, read)
    yield output.command_line(["setveil", "advise", *read, "--hierarchy", GROUPS])


def _has_groups(asked: Asked) -> bool:
    return asked.hierarchy is not None or asked.fanout is not None


def _needs_groups(found: Advice, asked: Asked) -> bool:
    costs = [_least(one) for one in found.promises]
    known = [one for one in costs if one is not None]
    return not _has_groups(asked) and min(known, default=1) >= MUCH


def _least(one: Tried) -> float | None:
    return one.information_lost if one.between is None else one.between.least


def _learning(found: Advice, read: list[str]) -> str:
    words = ["setveil", "hierarchy", *read, "--learn", found.learn, "--k", str(LEAST)]
    return output.command_line([*words, "--out", GROUPS])


def _risk(one: Tried) -> str:
    return "" if one.largest_risk is None else f"{one.largest_risk:.3f}"


def _name(one: Tried) -> str:
    lists = {p.name for p in REGISTRY[one.model].params if p.kind in ROLES}
    ours = [f"{name} {value}" for name, value in one.parameters.items() if name not in lists]
    return f"{one.model}: {', '.join(ours)}"


def _cost(one: Tried) -> str:
    if one.between is not None:
        said = f"{percent(one.between.least)} to {percent(one.between.greatest)}"
        return f"{said}: vague" if one.between.is_vague else said
    return "out of reach" if one.information_lost is None else percent(one.information_lost)


def _after(shares: tuple[float, ...] | None) -> str:
    return "" if shares is None else percent(shares[-1])


def _further(asked: Asked, found: Advice, read: list[str]) -> Iterator[str]:
    """The promises that were not tried, and the option that each needs."""
    lacking = {
        "--hierarchy FILE": "items can be replaced by their groups, which loses less",
        "--private LIST": "coherence also bounds how surely these items are inferred",
        "--sensitive LIST": "uncertainty bounds inference from any number of items",
        "--patterns FILE": "hiding makes chosen itemsets rare",
    }
    if found.whom.persons is None:
        yield "with --person COL: all promises count persons instead of transactions"
    for option, gain in lacking.items():
        name = option.split()[0].removeprefix("--")
        if getattr(asked, name, None) is None:
            yield f"with {option}: {gain}"
    if not _has_groups(asked) and not _needs_groups(found, asked):
        source = (
            "words that names share" if found.learn == NAMES else "items that are bought together"
        )
        yield f"a hierarchy from {source}: {_learning(found, read)}"
