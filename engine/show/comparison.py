"""What stands on the page of a comparison.

Paths are those of the command's JSON. A page for the public names no item, and has no figure of a
single item or itemset; what it says of the original, it says of the original as a whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from setveil.backends.duckdb.files import bare_name
from setveil.comparison.findings import Comparison, Side
from setveil.comparison.measures import Measure, taken_of
from setveil.run.session import Statement
from setveil.show import plots
from setveil.show.page import Cell, Fact, Number, Page, Section, Table, count, share
from setveil.show.pages import (
    ORIGINAL,
    plot_of_supports,
    ranges,
    section_of_limits,
    section_of_parameters,
)
from setveil.show.plots import COUNT, SHARE, Axis

CHANGES = ("before", "kept", "lost", "new")
SUREST = "highest confidence of a rule that tells a sensitive item"


def comparison_page(found: Comparison, *, public: bool = False) -> Page:
    """Use and risk of each release, beside the original's."""
    names = names_of(found)
    one = len(found.releases) == 1
    title = f"{names[0]} beside its original" if one else f"{len(names)} releases side by side"
    p, k = found.parameters["p"], found.parameters["k"]
    lede = (
        f"How much use is left, and how much risk: what is lost of {_file(found.source, public)}, "
        f"and whom attackers who know up to {p} items of somebody still single out (k = {k})."
    )
    sections = [
        *_side_by_side(found, names),
        _risk(found, names),
        _supports(found, names),
        *_inference(found, names, public=public),
        *_penalties(found, names, public=public),
        *_itemsets(found, names),
        *_rules(found, names),
        *_patterns(found, names),
        *([] if public else _lost_most(found, names)),
        *_guarantees(found, names),
        section_of_limits(),
        section_of_parameters(found.parameters),
    ]
    facts = _headline(found) if one else ()
    return Page(title, lede, not public, facts, tuple(sections))


def names_of(found: Comparison) -> list[str]:
    """What each release is called: its file's or table's name, numbered if two are the same."""
    names = [bare_name(one.name) for one in found.releases]
    taken = len(set(names)) < len(names) or ORIGINAL in names
    return [f"{n} {name}" for n, name in enumerate(names, 1)] if taken else names


def _file(source: str, public: bool) -> str:
    return "the original" if public else Path(source).name or source


def _headline(found: Comparison) -> tuple[Fact, ...]:
    release, said = found.releases[0], {one.name: one.label for one in taken_of(found.releases)}
    facts = [
        Fact(
            name.replace("_", " "), share(value, f"metrics.releases.0.measures.{name}"), said[name]
        )
        for name, value in release.measures.items()
        if name in ("information_loss", "itemsets_kept")
    ]
    last = len(release.side.risk.singled_out) - 1
    facts.append(
        Fact(
            "singled out",
            share(
                release.side.risk.singled_out[last],
                f"metrics.releases.0.side.risk.singled_out.{last}",
            ),
            f"of the transactions; {found.original.risk.singled_out[last]:.2%} of the original",
        )
    )
    if release.guarantee:
        kept = "holds" if release.guarantee.holds else "does not hold"
        facts.append(Fact(release.guarantee.model, kept, "says the checker"))
    return tuple(facts)


def _side_by_side(found: Comparison, names: list[str]) -> Iterator[Section]:
    """All measures, a column per release; and the trade-off, where there is a choice."""
    rows: list[tuple[Cell, ...]] = [
        _row("transactions", "transactions", found, count),
        _row("items", "items", found, count),
        _row("occurrences", "occurrences", found, count),
    ]
    for one in taken_of(found.releases):
        values = [
            _measured(
                one, release.measures.get(one.name), f"metrics.releases.{n}.measures.{one.name}"
            )
            for n, release in enumerate(found.releases)
        ]
        rows.append((one.label, "", *values))
    sql = _sql(found, "loss")
    yield Section("What was lost", table=Table(("", ORIGINAL, *names), tuple(rows)), sql=sql)
    if len(found.releases) > 1 and all("information_loss" in o.measures for o in found.releases):
        yield _trade_off(found, names)


def _measured(measure: Measure, value: float | None, path: str) -> Cell:
    if measure.is_share or value is None:
        return share(value, path)
    return Number(value, f"{value:,.0f}" if value >= 10_000 else f"{value:.4g}", path)


def _row(label: str, name: str, found: Comparison, form: Any) -> tuple[Cell, ...]:
    sides = [(found.original, "metrics.original")]
    sides += [(one.side, f"metrics.releases.{n}.side") for n, one in enumerate(found.releases)]
    return (label, *(form(getattr(side, name), f"{path}.{name}") for side, path in sides))


def _trade_off(found: Comparison, names: list[str]) -> Section:
    last = len(found.original.risk.singled_out) - 1
    rows = [{"name": ORIGINAL, "loss": 0.0, "risk": found.original.risk.singled_out[last]}]
    rows += [
        {
            "name": name,
            "loss": one.measures["information_loss"],
            "risk": one.side.risk.singled_out[last],
        }
        for name, one in zip(names, found.releases, strict=True)
    ]
    plot = plots.points(
        rows, Axis("loss", "information loss", SHARE), Axis("risk", "singled out", SHARE), "name",
        "Risk against loss, a point for the original and one for each release",
    )  # fmt: skip
    text = "Towards the left, more use; towards the bottom, less risk."
    return Section("Risk against loss", text, plot)


def _risk(found: Comparison, names: list[str]) -> Section:
    k = found.parameters["k"]
    sides = _sides(found, names)
    rows = [
        {"power": str(n), "share": value, "name": name}
        for name, side, _ in sides
        for n, value in enumerate(side.risk.singled_out, 1)
    ]
    plot = plots.lines(
        rows, Axis("power", "items that the attacker knows"), Axis("share", "singled out", SHARE),
        "name", "Share of transactions that attackers single out, by how many items they know",
    )  # fmt: skip
    table: list[tuple[Cell, ...]] = []
    for n in range(len(found.original.risk.singled_out)):
        for kind, said in (("unique", "alone"), ("singled_out", f"among fewer than {k}")):
            if kind == "singled_out" and k == 2:
                continue
            cells = [share(getattr(s.risk, kind)[n], f"{at}.risk.{kind}.{n}") for _, s, at in sides]
            table.append((f"{said}, to who knows {n + 1}", *cells))
    if found.original.risk.breach is not None:
        cells = [share(side.risk.breach, f"{at}.risk.breach") for _, side, at in sides]
        table.append(("highest breach probability", *cells))
    if any(side.confidence is not None for _, side, _ in sides):
        cells = [share(side.confidence, f"{at}.confidence") for _, side, at in sides]
        table.append((SUREST, *cells))
    text = (
        f"Transactions that some set of up to n of their items singles out: fewer than {k} "
        "transactions hold it. Alone: no other does."
    )
    head = ("", *(name for name, _, _ in sides))
    return Section(
        "Whom attackers find", text, plot, Table(head, tuple(table)), sql=_sql(found, "risk")
    )


def _sides(found: Comparison, names: list[str]) -> list[tuple[str, Side, str]]:
    """Each side, what it is called, and where the JSON has it."""
    return [
        (ORIGINAL, found.original, "metrics.original"),
        *(
            (name, one.side, f"metrics.releases.{n}.side")
            for n, (name, one) in enumerate(zip(names, found.releases, strict=True))
        ),
    ]


def _supports(found: Comparison, names: list[str]) -> Section:
    sides = _sides(found, names)
    plot = plot_of_supports([(name, side.supports) for name, side, _ in sides])
    rows = []
    for said in ranges(side.supports for _, side, _ in sides):
        cells: list[Cell] = []
        for _, side, at in sides:
            places = [n for n, band in enumerate(side.supports) if band.range == said]
            value = side.supports[places[0]].items if places else None
            cells.append(count(value, f"{at}.supports.{places[0] if places else 0}.items"))
        rows.append((said, *cells))
    head = ("support", *(name for name, _, _ in sides))
    text = "Items by how many transactions hold them."
    return Section(
        "Supports of items", text, plot, Table(head, tuple(rows)), sql=_sql(found, "supports")
    )


def _itemsets(found: Comparison, names: list[str]) -> Iterator[Section]:
    least = found.parameters["min_support"]
    for number, (name, one) in enumerate(zip(names, found.releases, strict=True)):
        if not one.itemsets:
            continue
        at = f"metrics.releases.{number}.itemsets"
        rows = [
            {"size": str(sized.size), "itemsets": value, "kind": kind}
            for sized in one.itemsets
            for kind, value in (("kept", sized.kept), ("lost", sized.lost), ("new", sized.new))
        ]
        plot = plots.bars(
            rows, Axis("size", "items of the itemset"), Axis("itemsets", "itemsets", COUNT), "kind",
            "Frequent itemsets that were kept, lost, and are new, by size",
        )  # fmt: skip
        table = tuple(
            (
                f"of {sized.size}",
                count(sized.before, f"{at}.{n}.before"),
                count(sized.kept, f"{at}.{n}.kept"),
                count(sized.before - sized.kept, f"{at}.{n}.lost"),
                count(sized.after - sized.kept, f"{at}.{n}.new"),
            )
            for n, sized in enumerate(one.itemsets)
        )
        text = f"Itemsets that {least:,} transactions or more hold, in the original and in {name}."
        head = ("itemsets", "before", "kept", "lost", "new")
        sql = (*found.sql.get("original.itemsets", ()), *_of(found, number, "itemsets"))
        yield Section(_of_name("Frequent itemsets", found, name), text, plot, Table(head, table),
                      sql=sql)  # fmt: skip


def _inference(found: Comparison, names: list[str], *, public: bool) -> Iterator[Section]:
    """The surest rule of each side: by name, or to the public by its confidence alone."""
    sides = [one for one in _sides(found, names) if one[1].confidence is not None]
    rows: list[tuple[Cell, ...]] = []
    for name, side, at in sides:
        cells: list[Cell] = [share(side.confidence, f"{at}.confidence")]
        if not public:
            rule = side.surest_rule
            cells += [
                f"{', '.join(rule.known)} → {rule.secret}" if rule else "–",
                count(rule.support if rule else None, f"{at}.surest_rule.support"),
                count(rule.of if rule else None, f"{at}.surest_rule.of"),
            ]
        rows.append((name, *cells))
    if rows:
        head = ("", "confidence") if public else ("", "confidence", "rule", "in", "of")
        text = "How surely who knows any items of somebody can infer a sensitive one, at most."
        yield Section("The surest inference", text, table=Table(head, tuple(rows)),
                      sql=_sql(found, "inference"))  # fmt: skip


def _penalties(found: Comparison, names: list[str], *, public: bool) -> Iterator[Section]:
    """By level; how often one was published is no one else's business: it may have one node."""
    for number, (name, one) in enumerate(zip(names, found.releases, strict=True)):
        at = f"metrics.releases.{number}.ncp_by_level"
        rows = tuple(
            (
                "as it was" if level.level == 0 else f"level {level.level}",
                count(level.nodes, f"{at}.{n}.nodes"),
                *(() if public else (count(level.occurrences, f"{at}.{n}.occurrences"),)),
                share(level.ncp, f"{at}.{n}.ncp"),
            )
            for n, level in enumerate(one.ncp_by_level)
        )
        if rows:
            text = "What was published on each level of the hierarchy, and its part of the NCP."
            head = ("", "nodes", "NCP") if public else ("", "nodes", "of occurrences", "NCP")
            yield Section(
                _of_name("Penalty by level", found, name), text, table=Table(head, rows),
                sql=(*found.sql.get(f"{ORIGINAL}.loss", ()), *_of(found, number, "loss")),
            )  # fmt: skip


def _rules(found: Comparison, names: list[str]) -> Iterator[Section]:
    rows = []
    for number, (name, one) in enumerate(zip(names, found.releases, strict=True)):
        if one.rules is not None:
            at = f"metrics.releases.{number}"
            counts = (count(getattr(one.rules, kind), f"{at}.rules.{kind}") for kind in CHANGES)
            similar = share(one.measures["rules_jaccard"], f"{at}.measures.rules_jaccard")
            rows.append((name, *counts, similar))
    if rows:
        least, sure = found.parameters["min_support"], found.parameters["min_confidence"]
        text = (
            f"Items that a share of {sure:g} or more of those who hold some others hold, too, in "
            f"{least:,} transactions or more. Similar: rules of both, of those of either (Jaccard)."
        )
        table = Table(("release", "before", "kept", "lost", "new", "similar"), tuple(rows))
        yield Section("Association rules", text, table=table, sql=_sql(found, "rules"))


def _patterns(found: Comparison, names: list[str]) -> Iterator[Section]:
    rows = []
    for number, (name, one) in enumerate(zip(names, found.releases, strict=True)):
        if one.patterns is not None:
            at, seen = f"metrics.releases.{number}.patterns", one.patterns
            counts = ("restrictive", "disclosed", "legitimate", "found")
            kinds = ("hiding_failure", "misses_cost", "artifactual_patterns")
            rows.append((
                name,
                *(count(getattr(seen, kind), f"{at}.{kind}") for kind in counts),
                *(share(getattr(seen, kind), f"{at}.{kind}") for kind in kinds),
            ))  # fmt: skip
    if rows:
        text = (
            "Frequent itemsets that hold a restrictive pattern, and those that hold none: how many "
            "there were, and how many are found in the release."
        )
        head = ("release", "restrictive", "disclosed", "others", "found", "hiding failure",
                "misses cost", "artifactual")  # fmt: skip
        yield Section("Restrictive patterns", text, table=Table(head, tuple(rows)),
                      sql=_sql(found, "patterns"))  # fmt: skip


def _of_name(title: str, found: Comparison, name: str) -> str:
    return title if len(found.releases) == 1 else f"{title}: {name}"


def _lost_most(found: Comparison, names: list[str]) -> Iterator[Section]:
    for number, (name, one) in enumerate(zip(names, found.releases, strict=True)):
        at = f"metrics.releases.{number}"
        rows = [
            (
                lost.item,
                count(lost.before, f"{at}.items_lost_most.{n}.before"),
                count(lost.after, f"{at}.items_lost_most.{n}.after"),
            )
            for n, lost in enumerate(one.items_lost_most)
        ]
        if rows:
            title = _of_name("Items that lost most", found, name)
            table = Table(("item", "support before", "after"), tuple(rows))
            yield Section(title, table=table, sql=_of(found, number, "loss"))
        sets = [
            (
                ", ".join(lost.items),
                count(lost.before, f"{at}.itemsets_lost_most.{n}.before"),
                count(lost.after, f"{at}.itemsets_lost_most.{n}.after"),
            )
            for n, lost in enumerate(one.itemsets_lost_most)
        ]
        if sets:
            title = _of_name("Itemsets that lost most", found, name)
            table = Table(("itemset", "support before", "after"), tuple(sets))
            text = "A dash: it is frequent no more."
            yield Section(title, text, table=table, sql=_of(found, number, "itemsets"))


def _guarantees(found: Comparison, names: list[str]) -> Iterator[Section]:
    rows = []
    for number, (name, one) in enumerate(zip(names, found.releases, strict=True)):
        if one.guarantee is None:
            continue
        said = ", ".join(f"{key} = {value}" for key, value in one.guarantee.parameters.items())
        kept = "holds" if one.guarantee.holds else "does not hold"
        checked = count(one.guarantee.checked, f"metrics.releases.{number}.guarantee.checked")
        rows.append((name, f"{one.guarantee.model}: {said}", kept, checked))
    if rows:
        text = "From the release alone, by a checker that shares no query with what made it."
        table = Table(("release", "guarantee", "verdict", "judged"), tuple(rows))
        yield Section("What the checker says", text, table=table, sql=_sql(found, "guarantee"))


def _of(found: Comparison, number: int, figure: str) -> tuple[Statement, ...]:
    return found.sql.get(f"release_{number + 1}.{figure}", ())


def _sql(found: Comparison, figure: str) -> tuple[Statement, ...]:
    """Of the original and of all releases, in that order."""
    kept = found.sql.get(f"{ORIGINAL}.{figure}", ())
    for number in range(len(found.releases)):
        kept = (*kept, *_of(found, number, figure))
    return kept
