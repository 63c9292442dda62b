"""The guide: Markdown pages that ship with the tool, and a small site made of them."""

from __future__ import annotations

import html
import os
import re
from dataclasses import dataclass
from pathlib import Path

from setveil.errors import InputError
from setveil.run.files.folders import whole_folder
from setveil.run.files.places import check_place
from setveil.run.inputs import Inputs

FOLDER = Path(__file__).resolve().parent.parent / "guide"
ORDER = (
    "which-promise",
    "first-release",
    "choosing",
    "nightly",
    "auditing",
    "evidence",
    "warehouse",
    "dbt",
    "python",
    "attackers",
    "reproducing",
    "how-it-works",
    "glossary",
)
STYLE = """
nav{margin:0 0 2rem;font-size:.9rem;line-height:2}
nav a{display:inline-block;margin-right:1.1rem}
nav a[aria-current]{font-weight:600;text-decoration:none}
a{color:inherit}
h2{margin:2.25rem 0 .5rem}
p,li{color:var(--ink)}
p{margin:.75rem 0}
th,td,th:first-child,td:first-child{text-align:left}
code{overflow-wrap:anywhere}
:not(pre)>code{display:inline-block;max-width:100%}
pre{background:var(--soft);border-radius:.6rem;padding:.75rem .9rem;margin:.75rem 0;max-height:none}
"""


@dataclass(frozen=True, slots=True)
class Topic:
    """A page of the guide."""

    name: str
    text: str

    @property
    def title(self) -> str:
        """The first heading of the page."""
        return self.text.partition("\n")[0].removeprefix("# ")


def topics() -> tuple[Topic, ...]:
    """All pages, in the order of reading."""
    return tuple(
        Topic(name, (FOLDER / f"{name}.md").read_text(encoding="utf-8"))
        for name in ORDER
        if (FOLDER / f"{name}.md").is_file()
    )


def topic(name: str) -> Topic:
    """The page of this name."""
    found = {one.name: one for one in topics()}
    if name not in found:
        raise InputError(f"the guide has no page {name!r}; its pages: {', '.join(found)}")
    return found[name]


def page_of(one: Topic) -> str:
    """The page as HTML, with links to all others; it needs no network."""
    from markdown_it import MarkdownIt

    body = MarkdownIt("commonmark", {"html": False}).enable("table").render(one.text)
    body = re.sub(r'href="([\w-]+)\.md"', r'href="\1.html"', body)
    body = re.sub(r'<a href="notebook.ipynb">(.*?)</a>', r"\1", body)
    style = (FOLDER.parent / "show" / "page.css").read_text(encoding="utf-8").rstrip()
    style += "}" + STYLE  # the block of dark colours is open, for pages that add to it
    links = "".join(
        f'<a href="{other.name}.html"{" aria-current=page" if other == one else ""}>'
        f"{html.escape(other.title)}</a>"
        for other in topics()
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{html.escape(one.title)} – setveil</title>\n<style>{style}</style>\n</head>\n"
        f"<body>\n<main>\n<nav>{links}</nav>\n{body}</main>\n</body>\n</html>\n"
    )


def write_site(folder: str | Path) -> tuple[str, ...]:
    """Write all pages into a new folder, whole or not at all; return their names."""
    if os.path.lexists(folder):
        raise InputError(f"{folder} exists: name a new folder")
    check_place(str(folder), force=None)
    names = tuple(f"{one.name}.html" for one in topics())
    with whole_folder(str(folder), names, Inputs(), force=False) as place:
        for one in topics():
            Path(place, f"{one.name}.html").write_text(page_of(one), encoding="utf-8")
    return names
