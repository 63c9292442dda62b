"""Plots as SVG that stands inside a page, or as pictures: no script, no font, nothing to fetch.

For a page each is drawn twice, wide and for a phone. Colours are those of `COLOURS`, by which a
style finds them and turns them into those of a dark page (`TURNED`). Altair and vl-convert come
with the extra `report`, and are imported when a plot is drawn.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from importlib.util import find_spec
from typing import Any

from setveil.errors import InputError, install

Rows = Sequence[dict[str, Any]]

WIDTHS = {"wide": 620, "narrow": 270}
HEIGHT = 240
INK, QUIET, GRID = "#1f2328", "#656d76", "#e4e7eb"
COLOURS = ("#2f6690", "#c2613f", "#5b8c5a", "#8661a3", "#b38a2e", "#4f8f96", "#a64d79", "#6b7280")
DARK = ("#7fb2d9", "#e59a7c", "#94c592", "#bda0d6", "#dcb96a", "#86c3ca", "#dc8fb4", "#a8afba")
PAPER, MARGIN = "#ffffff", 16
TURNED = "".join(
    f'svg [fill="{light}"]{{fill:{dark}}}svg [stroke="{light}"]{{stroke:{dark}}}'
    for light, dark in [
        *zip(COLOURS, DARK, strict=True),
        (INK, "#e6e8eb"),
        (QUIET, "#9aa3ad"),
        (GRID, "#2b3138"),
        (PAPER, "#14171b"),
    ]
)
SHARE, COUNT = ".2~%", "~s"
TICKS = 8  # more values than these have round ticks instead


@dataclass(frozen=True, slots=True)
class Axis:
    """A column of the rows, its title, and the format of its numbers."""

    column: str
    title: str
    form: str | None = None  # None: a name, in the order of the rows


@dataclass(frozen=True, slots=True)
class Plot:
    """A plot that is drawn when a page needs it, in two widths; `alt` says it in words."""

    mark: str
    rows: Rows
    x: Axis
    y: Axis
    series: str
    alt: str

    @property
    def drawn(self) -> dict[str, str]:
        """The SVG of each width."""
        shown = self.rows, self.x, self.y, self.series, self.mark
        return {kind: _svg(*shown, width) for kind, width in WIDTHS.items()}


def lines(rows: Rows, x: Axis, y: Axis, series: str, alt: str) -> Plot:
    """A line per series, a point per row."""
    return Plot("line", rows, x, y, series, alt)


def bars(rows: Rows, x: Axis, y: Axis, series: str, alt: str) -> Plot:
    """Bars side by side, a colour per series."""
    return Plot("bar", rows, x, y, series, alt)


def points(rows: Rows, x: Axis, y: Axis, series: str, alt: str) -> Plot:
    """A point per row, a colour per series."""
    return Plot("point", rows, x, y, series, alt)


def of_risk(sides: Iterable[tuple[str, Sequence[float]]]) -> Plot:
    """The share of transactions that attackers of power 1, 2, … single out, a line per side."""
    rows = [
        {"power": str(n), "share": one, "name": name}
        for name, shares in sides
        for n, one in enumerate(shares, 1)
    ]
    x, y = Axis("power", "items that the attacker knows"), Axis("share", "singled out", SHARE)
    said = "Share of transactions that attackers single out, by how many items they know"
    return lines(rows, x, y, "name", said)


def svg(rows: Rows, x: Axis, y: Axis, series: str, title: str) -> bytes:
    """Lines as a picture of its own: on paper of its own, so that it can be read on any page."""
    text = _svg(rows, x, y, series, "line", WIDTHS["wide"], background=PAPER, padding=MARGIN)
    head, _, body = text.partition(">")
    told = (
        f"<title>{escape(title)}</title><desc>{escape(json.dumps(list(rows)))}</desc>"
        f"<style>@media (prefers-color-scheme:dark){{{TURNED}}}</style>"
    )
    return f"{head}>{told}{body}\n".encode()


def png(rows: Rows, x: Axis, y: Axis, series: str, title: str) -> bytes:
    """Lines as a picture in dots, two for each of the screen's; it has no title."""
    chart = _chart(rows, x, y, series, "line", WIDTHS["wide"], background=PAPER, padding=MARGIN)
    made: bytes = _tools()[1].vegalite_to_png(chart, scale=2)
    return made


def visible(text: str) -> str:
    """A text with what cannot be seen written out."""
    return "".join(one if one.isprintable() else f"\\u{ord(one):04x}" for one in text)


def _svg(
    rows: Rows, x: Axis, y: Axis, series: str, mark: str, width: int, **look: str | int
) -> str:
    chart = _chart(rows, x, y, series, mark, width, **look)
    text = _tools()[1].vegalite_to_svg(chart)
    return re.sub(r' (class|role|aria-\w+)="[^"]*"', "", text)


def _chart(
    rows: Rows, x: Axis, y: Axis, series: str, mark: str, width: int, **look: str | int
) -> dict[str, Any]:
    """The plot in Vega-Lite's words."""
    alt, _ = _tools()
    data = alt.Data(values=list(rows))
    names = list(dict.fromkeys(str(row[series]) for row in rows))
    legend = alt.Legend(orient="top", title=None, columns=1 if width < 400 else 4, labelLimit=width)
    shades = [COLOURS[n % len(COLOURS)] for n in range(len(names))]
    hue = {"field": series, "type": "nominal", "scale": alt.Scale(domain=names, range=shades)}
    colour = alt.Color(**hue, legend=legend)
    across = alt.X(
        field=x.column,
        type="quantitative" if x.form else "ordinal",
        title=x.title,
        sort=None,
        axis=_axis(alt, x, [row[x.column] for row in rows]),
    )
    up = alt.Y(
        field=y.column,
        type="quantitative",
        title=y.title,
        axis=_axis(alt, y),
        scale=alt.Scale(zero=True),
    )
    chart = alt.Chart(data, width=width, height=HEIGHT)
    if mark == "bar":
        offset = alt.XOffset(field=series, type="nominal", sort=names)
        chart = chart.mark_bar().encode(x=across, y=up, color=colour)
        chart = chart.encode(xOffset=offset)
    elif mark == "line":
        placed = chart.encode(x=across, y=up, color=alt.Color(**hue, legend=None))
        wide = alt.StrokeWidth(**_falling(alt, series, names, 2, 1.5))
        large = alt.Size(**_falling(alt, series, names, 30, 45))
        # The legend is of marks without a size: else it would show sizes as if they were data.
        chart = alt.layer(
            placed.mark_line().encode(strokeWidth=wide),
            placed.mark_circle(opacity=1).encode(size=large),
            chart.mark_circle(size=0, opacity=1).encode(x=across, y=up, color=colour),
        ).resolve_legend(color="independent")
    else:
        chart = chart.mark_circle(size=110, opacity=1).encode(x=across, y=up, color=colour)
    made: dict[str, Any] = chart.configure(**(_look(alt) | look)).to_dict()
    return made


def _falling(
    alt: Any, series: str, names: Sequence[str], least: float, step: float
) -> dict[str, Any]:
    """A size per series, the first largest: where lines meet, those below still show."""
    most = least + step * min(3, len(names) - 1)
    scale = alt.Scale(domain=list(names), range=[most, least])
    return {"field": series, "type": "nominal", "legend": None, "scale": scale}


def _axis(alt: Any, axis: Axis, values: Sequence[Any] = ()) -> Any:
    """The axis, with a tick at each of these values if they are few."""
    if axis.form is None:
        return alt.Axis(labelAngle=0, grid=False)
    few = sorted({*values})
    if 1 < len(few) <= TICKS:
        return alt.Axis(format=axis.form, values=few, labelOverlap="greedy")
    return alt.Axis(format=axis.form, tickCount=5)


def _look(alt: Any) -> dict[str, Any]:
    """Quiet axes, and room for the data."""
    return {
        "background": "transparent",
        "font": "system-ui, sans-serif",
        "view": alt.ViewConfig(stroke=None),
        "axis": alt.AxisConfig(
            labelColor=QUIET,
            titleColor=QUIET,
            gridColor=GRID,
            domain=False,
            ticks=False,
            labelFontSize=12,
            titleFontSize=12,
            titleFontWeight="normal",
            labelPadding=6,
            titlePadding=10,
        ),
        "legend": alt.LegendConfig(
            labelColor=INK, labelFontSize=12, symbolSize=80, padding=4, columnPadding=18
        ),
    }


def refuse_lacking() -> None:
    """Refuse plots, before any work is done, where nothing can draw them."""
    for name in ("altair", "vl_convert"):
        if find_spec(name) is None:
            raise InputError(f"plots are drawn with {name}, which is not here: {install('report')}")


def _tools() -> tuple[Any, Any]:
    refuse_lacking()
    import altair
    import vl_convert

    return altair, vl_convert
