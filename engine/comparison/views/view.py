"""A comparison for its sections: sides and releases by name, figures by their path in JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from setveil.comparison.findings import Compared, Comparison, Side
from setveil.comparison.views.pages import ORIGINAL
from setveil.run.files.source import bare_name
from setveil.run.session import Statement
from setveil.show.tables import Cell, Form, cell, number


@dataclass(frozen=True, slots=True)
class View:
    """A comparison with its JSON, and the names of its releases."""

    found: Comparison
    public: bool
    names: list[str]
    content: dict[str, Any]

    @property
    def sides(self) -> list[tuple[str, Side, str]]:
        """Each side with its name and its path in the JSON."""
        releases = [(name, one.side, f"{at}.side") for name, one, at in self.releases]
        return [(ORIGINAL, self.found.original, "metrics.original"), *releases]

    @property
    def releases(self) -> list[tuple[str, Compared, str]]:
        """Each release with its name and its path in the JSON."""
        each = zip(self.names, self.found.releases, strict=True)
        return [(name, one, f"metrics.releases.{n}") for n, (name, one) in enumerate(each)]

    def cell(self, path: str, form: Form = number) -> Cell:
        """One figure."""
        return cell(self.content, path, form)

    def cells(self, path: str, names: Sequence[str], form: Form = number) -> list[Cell]:
        """Figures that stand beside each other."""
        return [self.cell(f"{path}.{name}", form) for name in names]

    def row(self, label: str, name: str, form: Form = number) -> tuple[Cell, ...]:
        """One figure of every side."""
        return (label, *(self.cell(f"{at}.{name}", form) for _, _, at in self.sides))

    def title(self, title: str, name: str) -> str:
        """The title of a section on one release."""
        return title if len(self.names) == 1 else f"{title}: {name}"

    def sql(self, figure: str) -> tuple[Statement, ...]:
        """The statements behind a figure, of the original and of all releases in that order."""
        sides = [ORIGINAL, *(f"release_{n + 1}" for n in range(len(self.names)))]
        return tuple(one for side in sides for one in self.found.sql.get(f"{side}.{figure}", ()))

    def sql_of(self, path: str, figure: str, *, original: bool = True) -> tuple[Statement, ...]:
        """The statements behind a figure of one release, after those of the original."""
        release = f"release_{int(path.rpartition('.')[2]) + 1}.{figure}"
        first = self.found.sql.get(f"{ORIGINAL}.{figure}", ()) if original else ()
        return (*first, *self.found.sql.get(release, ()))


def view_of(found: Comparison, *, public: bool) -> View:
    """The comparison with its JSON."""
    return View(found, public, names_of(found), found.content())


def names_of(found: Comparison) -> list[str]:
    """The name of each release: its file's or table's, numbered if two have the same."""
    names = [bare_name(one.name) for one in found.releases]
    taken = len(set(names)) < len(names) or ORIGINAL in names
    return [f"{n} {name}" for n, name in enumerate(names, 1)] if taken else names
