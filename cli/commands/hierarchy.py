"""`setveil hierarchy`: show, check, build and write a hierarchy."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from setveil.cli import nexts, output, running
from setveil.cli import options as o
from setveil.cli.groups import Persons, Reading, Showing
from setveil.errors import InputError
from setveil.hierarchy.learned import learned_hierarchy
from setveil.hierarchy.published import write_published
from setveil.hierarchy.trees import Hierarchy, read_hierarchy, write_hierarchy
from setveil.hierarchy.wordnet import wordnet_hierarchy
from setveil.run.release import check_targets
from setveil.run.words import counted

NAME = "hierarchy"


def command(
    reading: Reading,
    persons: Persons,
    showing: Showing,
    *,
    source: o.Source,
    hierarchy: o.Hierarchy = None,
    alphabetical: Annotated[
        bool,
        typer.Option("--alphabetical", help="Build an even hierarchy over the sorted items."),
    ] = False,
    fanout: o.Fanout = None,
    fill: Annotated[
        bool,
        typer.Option(
            "--fill", help="With --fanout: fill each node, and leave the last one with the rest."
        ),
    ] = False,
    wordnet: Annotated[
        bool,
        typer.Option(
            "--wordnet", help="Build a hierarchy of WordNet's hypernyms; the items are nouns."
        ),
    ] = False,
    wordnet_path: Annotated[
        Path,
        typer.Option("--wordnet-path", metavar="FOLDER", help="The folder of WordNet's files."),
    ] = Path("/usr/share/wordnet"),
    unknown: Annotated[
        str | None,
        typer.Option(
            "--unknown", metavar="LABEL", help="Put items that WordNet lacks below this node."
        ),
    ] = None,
    learn: Annotated[
        str | None,
        typer.Option(
            "--learn",
            metavar="WORD",
            help="Learn a hierarchy from the data: names, by the words that names share, or "
            "baskets, by the items that are bought together. Needs --k.",
        ),
    ] = None,
    k: Annotated[
        int | None,
        typer.Option(
            "--k",
            metavar="N",
            help="Labels of --learn, and nodes of --of, name only items that at least N "
            "transactions hold; with --person, N persons.",
        ),
    ] = None,
    of: Annotated[
        str | None,
        typer.Option(
            "--of",
            metavar="RELEASE",
            help="Write only what recipients of this generalized release may know: the paths above "
            "its nodes, the items that it names, and with --k the members of its nodes.",
        ),
    ] = None,
    private: o.Private = None,
    ignore_unknown: o.IgnoreUnknown = False,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="Write the tree to this Parquet or CSV file."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file of --out.")] = False,
) -> None:
    """Show a hierarchy, check that it has every item of SOURCE, or build one.

    Give a hierarchy with --hierarchy, or build one. --fanout N puts N neighbours of the sorted
    items below a node, up to the root: useful for a trial only, since such nodes mean nothing to a
    reader. --wordnet uses the hypernyms of nouns. --learn names gathers items whose names share
    words, and labels nodes by these words. --learn baskets gathers items that are bought together,
    and labels nodes by frequent ones. --private items have no part in it.

    With --of, the file can go with a generalized release: SOURCE is its original.
    """
    clock = running.Clock()
    if alphabetical and fanout is None:
        raise InputError("--alphabetical needs --fanout, the number of nodes below each node")
    ways = sum((hierarchy is not None, fanout is not None, wordnet, learn is not None))
    if not ways:
        raise InputError(
            "name a hierarchy with --hierarchy, or build one: --fanout, --wordnet or --learn"
        )
    if ways > 1:
        raise InputError(
            "--hierarchy, --fanout, --wordnet and --learn exclude each other: name one"
        )
    if fill and fanout is None:
        raise InputError("--fill needs --fanout, the number of nodes below each node")
    _check_naming(learn, k, of, out)
    check_targets(None, out=out, force=force)
    with running.reading(
        source, reading, quiet=showing.quiet, persons=persons, outputs={"--out": out}
    ) as baskets:
        baskets.session.begin()
        if learn is not None and k is not None:
            found = learned_hierarchy(
                baskets, learn, k=k, private=private or (), ignore_unknown=ignore_unknown
            )
        elif wordnet:
            found = wordnet_hierarchy(baskets, wordnet_path, unknown)
        else:
            found = read_hierarchy(baskets, hierarchy, fanout, filled=fill)
        if out is not None and of is not None:
            write_published(
                baskets,
                found,
                of,
                out,
                k=k,
                force=force,
                private=private or (),
                ignore_unknown=ignore_unknown,
            )
        elif out is not None:
            write_hierarchy(baskets, found, out, force=force)
        if showing.json:
            parameters: dict[str, object] = {
                "hierarchy": hierarchy,
                "fanout": fanout,
                "fill": fill,
                "wordnet": wordnet,
                "learn": learn,
                "k": k,
                "of": of,
            }
            written = str(out) if out is not None else None
            output.print_json(
                running.report(NAME, baskets, parameters, None, found, clock, out=written)
            )
        else:
            _print(found, baskets.items, out)
            if out is not None:
                lines = nexts.after_hierarchy(source, out, reading, persons, of)
                nexts.tell(lines, everywhere=not showing.quiet)


def _check_naming(learn: str | None, k: int | None, of: str | None, out: Path | None) -> None:
    """Refuse options that name members of nodes without what they need."""
    if of is None and (learn is None) != (k is None):
        raise InputError("--learn and --k go together: labels name only items that k hold")
    if of is not None and learn is not None:
        raise InputError(
            "--of takes the hierarchy of the release: name its file with --hierarchy, or --fanout"
        )
    if of is not None and out is None:
        raise InputError("--of needs --out, the file for recipients")


def _print(found: Hierarchy, items: int, out: Path | None) -> None:
    output.say(f"the hierarchy has all of {counted(items, 'item')}")
    rows = [(f"level {level}", count) for level, count in enumerate(found.labels)]
    rows[0] = ("level 0: leaves", found.leaves)
    rows[-1] = (f"level {found.top}: the root", found.labels[-1])
    output.table(reversed(rows))
    if out is not None:
        output.say(f"written: {output.printable(str(out))}")
