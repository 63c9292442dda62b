"""Parts of `setveil verify MODEL` for several releases, and for one with slices."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from setveil.arguments.shares import share
from setveil.cli import nexts, output, running
from setveil.cli.command import declared, given_of, show
from setveil.cli.groups import NO_PERSONS, Explaining, Persons, Reading, Showing
from setveil.errors import InputError
from setveil.history.texts import slices
from setveil.history.texts import verdict as blocks
from setveil.history.told import HistoryVerdict
from setveil.models.model import Model
from setveil.run.files.parts import parts_of
from setveil.run.reading import Baskets
from setveil.run.shape import SLICE
from setveil.run.words import counted
from setveil.verify import PersonsOf, history

OTHERS = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[RELEASE]...",
        help="With --history: further releases, files or relations of --database.",
        show_default=False,
    ),
]
HISTORY = Annotated[
    bool,
    typer.Option(
        "--history",
        help="Judge all named releases together. For every set of them, transactions in exactly "
        "the same releases must keep the promise by all that the set shows of them. "
        "Transactions are matched by id; up to six releases may overlap.",
    ),
]
KEYS = Annotated[
    list[str] | None,
    typer.Option(
        "--key",
        metavar="FILE",
        help="The key of the ids, written with --renumber, to match the release with its source; "
        "of slices, their ledger. With --history, repeat it for each release in order; `none` for "
        "one that kept its ids.",
    ),
]
HIERARCHY = Annotated[
    str | None,
    typer.Option(
        "--hierarchy",
        metavar="FILE",
        help="A Parquet or CSV file with columns item, level1, level2, …, as for k-anonymity. For "
        "--original; with --history, for generalized releases that share transactions.",
    ),
]


PERSONS_OF = Annotated[
    str | None,
    typer.Option(
        "--persons-of",
        metavar="SOURCE",
        help="The source of a release that does not publish persons: a file; with --database, a "
        "table, view or query. --person is its column; transactions are matched by id.",
    ),
]


def persons_of(persons: Persons, source: str | None) -> tuple[Persons, PersonsOf | None]:
    """The persons that the release itself has, and those that its source has."""
    if source is None:
        return persons, None
    if persons.person is None:
        raise InputError("--persons-of needs --person: the column of persons in that source")
    return NO_PERSONS, PersonsOf(source, persons.person, persons.guests)


def with_history(
    model: Model, alone: Callable[..., int]
) -> tuple[Callable[..., int], list[inspect.Parameter]]:
    """The run of `verify MODEL` for one release or several, and the options of several."""

    def run(
        source: str,
        persons: Persons,
        reading: Reading,
        explaining: Explaining,
        showing: Showing,
        *,
        others: list[str] | None,
        history: bool,
        key: list[str] | None,
        **given: Any,
    ) -> int:
        if history:
            releases = [source, *(others or ())]
            asked = Asked(model, releases, key or (), given)
            return verify_history(asked, persons, reading, explaining, showing)
        if others:
            raise InputError("several releases are judged together: add --history, or name one")
        if key and len(key) > 1:
            raise InputError("one release has one --key; name several with --history")
        ids = Path(key[0]) if key else None
        if not model.in_parts:
            source = release_of(source, reading.database)
        return alone(source, persons, reading, explaining, showing, key=ids, **given)

    return run, [
        *declared(others=OTHERS, persons_of=PERSONS_OF, key=KEYS),
        inspect.Parameter(
            "history", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=HISTORY
        ),
    ]


@dataclass(frozen=True, slots=True)
class Asked:
    """The command line of `verify MODEL --history`."""

    model: Model
    releases: Sequence[str]
    keys: Sequence[str]
    given: dict[str, Any]

    @property
    def promise(self) -> dict[str, Any]:
        """The parameters of the promise."""
        return given_of(self.model.promise, self.given)

    def check(self) -> None:
        """Refuse options of a single release."""
        beside = () if self.model.beside_original else ("original", "original_database")
        for name in (*beside, "counts", "fanout"):
            if self.given.get(name) is not None:
                option = "--" + name.replace("_", "-")
                raise InputError(f"{option} is for a single release: leave it out with --history")
        if self.keys and len(self.keys) != len(self.releases):
            raise InputError(
                f"{counted(len(self.keys), 'key')} for {counted(len(self.releases), 'release')}: "
                "name one for each, in their order, and none for a release that kept its ids"
            )


def promised_json(model: Model, promise: dict[str, Any]) -> dict[str, Any]:
    """The numbers of a promise, as JSON has them."""
    return {
        one.name: float(share(promise[one.name], one.name))
        if one.kind == "share"
        else _number(promise[one.name])
        for one in model.promise
        if one.kind in ("share", "count") and promise.get(one.name) is not None
    }


def _number(value: object) -> object:
    """A count, also if it is text; a word beside it, such as max, stays."""
    return int(value) if isinstance(value, str) and value.isdecimal() else value


def verify_history(
    asked: Asked, persons: Persons, reading: Reading, explaining: Explaining, showing: Showing
) -> int:
    """Judge all releases together, and print the verdict."""
    asked.check()
    clock, model, given = running.Clock(), asked.model, asked.given
    own, of_source = persons_of(persons, given["persons_of"])
    keys = [None if one == "none" else Path(one) for one in asked.keys]
    releases = [_place_of(model, one, reading.database) for one in asked.releases]
    running.note_promise(given)
    with running.reading(
        releases[0],
        reading,
        explaining,
        quiet=showing.quiet,
        persons=own,
        key=keys[0] if keys else None,
        by_level=model.judges_nodes,
        stages=running.CHECKING,
    ) as baskets:
        found = history(
            model.name,
            baskets,
            *releases[1:],
            level=given.get("level"),
            hierarchy=given.get("hierarchy"),
            keys=keys[1:],
            drop_nulls=reading.drop_nulls,
            ignore_unknown=given.get("ignore_unknown", False),
            persons=of_source,
            original=given.get("original"),
            original_database=given.get("original_database"),
            **asked.promise,
        )
        if explaining.explain:
            running.explained(baskets)
            for statement in found.sql:
                output.say(str(statement))
            return 0
        if showing.json:
            guarantee = {"model": model.name, "holds": found.holds}
            numbers = promised_json(model, asked.promise)
            command = f"verify {model.name}"
            content = running.report(command, baskets, numbers, guarantee, found, clock)
            output.print_json(content | {"metrics": told(found)})
        else:
            show(blocks(found))
            nexts.tell(nexts.after_history(releases, holds=found.holds))
    return 0 if found.holds else 1


def by_slice(
    model: Model,
    baskets: Baskets,
    given: dict[str, Any],
    of_source: PersonsOf | None,
) -> HistoryVerdict | None:
    """The verdict on each slice of a release by itself; None if it has no slices."""
    if SLICE not in baskets.shape.given or model.joined is None:
        return None
    return history(
        model.name,
        baskets,
        whole=False,
        level=given.get("level"),
        ignore_unknown=given.get("ignore_unknown", False),
        persons=of_source,
        **given_of(model.promise, given),
    )


def of_slices(found: HistoryVerdict | None) -> dict[str, Any]:
    """The verdict on slices as JSON has it; nothing for a release without slices."""
    return {} if found is None else {"slices": told(found)}


def show_slices(found: HistoryVerdict | None) -> None:
    """Print the verdict on slices."""
    if found is not None:
        show(slices(found))


def release_of(name: str, database: str | None) -> str:
    """The files of a release: those in it, if it is a folder of Parquet files."""
    return f"{name}/*.parquet" if database is None and Path(name).is_dir() else name


def _place_of(model: Model, name: str, database: str | None) -> str:
    """The files or the table of a release; of one in two parts, those of the first."""
    if model.in_parts:
        return parts_of(name, is_file=database is None)[0]
    return release_of(name, database)


def told(found: HistoryVerdict) -> dict[str, Any]:
    """The verdict as JSON has it, without its statements."""
    return {name: value for name, value in asdict(found).items() if name != "sql"}
