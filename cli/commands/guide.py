"""`setveil guide`: the pages that ship with the tool."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from setveil.cli import output
from setveil.show.guide import topic, topics, write_site

NAME = "guide"


def command(
    name: Annotated[
        str | None,
        typer.Argument(metavar="[TOPIC]", help="The page to read.", show_default=False),
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option(
            "--html",
            metavar="DIR",
            help="Write all pages into this new folder, as a site that needs no network.",
        ),
    ] = None,
) -> None:
    """Read the guide: which promise to choose, a first release, audits, attackers and limits.

    Without a topic, the pages are listed. On a terminal they are laid out; into a file or a pipe
    they are written as Markdown.
    """
    if html is not None:
        found = write_site(html)
        output.say(f"written: {len(found)} pages; begin with {html / found[0]}")
    elif name is None:
        width = max(len(one.name) for one in topics())
        for one in topics():
            output.say(f"  {one.name.ljust(width)}  {one.title}")
        output.say("read one: setveil guide first-release")
    elif sys.stdout.isatty():
        _lay_out(topic(name).text)
    else:
        output.say(topic(name).text.rstrip())


def _lay_out(text: str) -> None:
    """Print Markdown as a terminal can show it, page by page where it is long."""
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console()
    shown = Markdown(text, hyperlinks=False)
    if text.count("\n") < console.height:
        console.print(shown)
        return
    with console.pager(styles=True):
        console.print(shown)
