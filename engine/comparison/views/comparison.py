"""The sections of a comparison, which its page and the terminal show.

A page for the public names no item and has no figure of a single item or itemset. Its figures of
the original are of the original as a whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from setveil.comparison import risk
from setveil.comparison.findings import Compared, Comparison
from setveil.comparison.judging import read_by
from setveil.comparison.measures import taken_of
from setveil.comparison.views.history import verdict_on_all, what_releases_add
from setveil.comparison.views.pages import (
    ORIGINAL,
    plot_of_supports,
    ranges,
    section_of_limits,
    section_of_parameters,
)
from setveil.comparison.views.view import View, view_of
from setveil.run.words import counted
from setveil.show import plots
from setveil.show.markdown import markdown_of
from setveil.show.page import Fact, Page, Section
from setveil.show.plots import COUNT, SHARE, Axis
from setveil.show.tables import MISSING, Cell, Table, number, share

CHANGES = ("before", "kept", "lost", "new")
PATTERNS = ("restrictive", "disclosed", "legitimate", "found")
HIDDEN = ("hiding_failure", "misses_cost", "artifactual_patterns")


def comparison_page(found: Comparison, *, public: bool = False) -> Page:
    """Use and risk of each release, beside the original's."""
    view = view_of(found, public=public)
    one = len(view.names) == 1
    p, k = found.parameters["p"], found.parameters["k"]
    source = "the original" if public else Path(found.source).name or found.source
    return Page(
        f"{view.names[0]} beside its original"
        if one
        else f"{len(view.names)} releases side by side",
        f"How much use is left, and how much risk: what is lost of {source}, and whom attackers "
        f"who know up to {p} items of somebody still single out (k = {k}).",
        not public,
        tuple(_headline(view)) if one else (),
        (*_sections(view), section_of_limits(), section_of_parameters(found.parameters)),
    )


def comparison_sections(found: Comparison, *, public: bool = False) -> list[Section]:
    """All that there is to say of the releases; for the owner's eyes, or `public`."""
    return list(_sections(view_of(found, public=public)))


def comparison_markdown(found: Comparison) -> str:
    """The sections as Markdown. They name no item, as others can read a pull request."""
    page = comparison_page(found, public=True)
    judged = [(one.name, one.guarantee) for one in found.releases if one.guarantee]
    lines = [
        f"{name}: {guarantee.model} {'holds' if guarantee.holds else 'does not hold'}, "
        f"{guarantee.checked:,} checked"
        for name, guarantee in judged
    ]
    return markdown_of(page.title, [*lines, page.lede], comparison_sections(found, public=True))


def _sections(view: View) -> Iterator[Section]:
    for part in (
        _measures,
        _risk,
        _supports,
        _inference,
        penalties,
        _itemsets,
        _rules,
        _patterns,
        lost_most,
        _guarantees,
        what_releases_add,
        verdict_on_all,
    ):
        yield from part(view)


def _headline(view: View) -> Iterator[Fact]:
    [(_, release, at)] = view.releases
    for one in taken_of(view.found.releases):
        if one.name in ("information_loss", "information_lost", "itemsets_kept"):
            value = view.cell(f"{at}.measures.{one.name}", share)
            yield Fact(one.name.replace("_", " "), value, one.label)
    singled_out = view.found.original.singled_out
    yield Fact(
        "singled out",
        view.cell(f"{at}.side.risk.singled_out.{len(singled_out) - 1}", share),
        f"of the transactions; {singled_out[-1]:.2%} of the original",
    )
    if release.guarantee:
        kept = "holds" if release.guarantee.holds else "does not hold"
        yield Fact(release.guarantee.model, kept, "says the checker")


# Use and risk, a column per side


def _measures(view: View) -> Iterator[Section]:
    """Sizes and all measures; and the trade-off, where there is a choice."""
    persons = ("persons",) if view.found.original.persons is not None else ()
    sizes = ("transactions", *persons, "items", "occurrences")
    rows = [view.row(name, name) for name in sizes]
    for one in taken_of(view.found.releases):
        form = share if one.is_share else number
        values = [
            view.cell(f"{at}.measures.{one.name}", form)
            if one.name in release.measures
            else MISSING
            for _, release, at in view.releases
        ]
        rows.append((one.label, "", *values))
    table = Table(("", ORIGINAL, *view.names), tuple(rows))
    yield Section(
        "What was lost", table=table, sql=view.sql("loss"), points=explained(view.found.releases)
    )
    releases = view.found.releases
    if len(releases) > 1 and all("information_loss" in one.measures for one in releases):
        yield _trade_off(view)


def explained(releases: Sequence[Compared]) -> tuple[str, ...]:
    """The terms of the measures that were taken, in plain words."""
    return tuple(one.said for one in taken_of(releases) if one.said)


def _trade_off(view: View) -> Section:
    losses = [0.0, *(one.measures["information_loss"] for one in view.found.releases)]
    rows = [
        {"name": name, "loss": loss, "risk": side.singled_out[-1]}
        for (name, side, _), loss in zip(view.sides, losses, strict=True)
    ]
    plot = plots.points(
        rows,
        Axis("loss", "information loss", SHARE),
        Axis("risk", "singled out", SHARE),
        "name",
        "Risk against loss, a point for the original and one for each release",
    )
    text = "Towards the left, more use; towards the bottom, less risk."
    return Section("Risk against loss", text, plot)


def _risk(view: View) -> Iterator[Section]:
    k = view.found.parameters["k"]
    held = "transactions" if view.found.original.persons is None else "persons"
    rows = []
    for one in risk.MEASURES.values():
        values = [side.risk[one.name] for _, side, _ in view.sides]
        if one.repeated_at == k or values[0] is None:
            continue
        form = share if one.is_share else number
        if not isinstance(values[0], tuple):
            rows.append(view.row(one.title.format(k=k), f"risk.{one.name}", form))
            continue
        for n in range(len(values[0])):
            said = one.title.format(k=k, items=counted(n + 1, "item"))
            rows.append(view.row(said, f"risk.{one.name}.{n}", form))
    if any(side.confidence is not None for _, side, _ in view.sides):
        said = "highest confidence of a rule that tells a sensitive item"
        rows.append(view.row(said, "confidence", share))
    breach = (
        " Breach probability: the largest share of one private item in the transactions that hold "
        "some known items."
    )
    told = breach if view.found.original.risk["breach"] is not None else ""
    yield Section(
        "Whom attackers find",
        f"Transactions that some set of up to n of their items singles out: fewer than {k} {held} "
        f"hold it. Unique: no other holds it.{told}",
        plots.of_risk([(name, side.singled_out) for name, side, _ in view.sides]),
        Table(("", ORIGINAL, *view.names), tuple(rows)),
        sql=view.sql("risk"),
    )


def _supports(view: View) -> Iterator[Section]:
    bands = [(name, side.supports) for name, side, _ in view.sides]
    places = [{band.range: n for n, band in enumerate(given)} for _, given in bands]
    rows = tuple(
        (
            said,
            *(
                view.cell(f"{at}.supports.{known[said]}.items") if said in known else MISSING
                for known, (_, _, at) in zip(places, view.sides, strict=True)
            ),
        )
        for said in ranges(given for _, given in bands)
    )
    yield Section(
        "Supports of items",
        "Items by how many transactions hold them.",
        plot_of_supports(bands),
        Table(("support", ORIGINAL, *view.names), rows),
        sql=view.sql("supports"),
        page_only=True,
    )


def _inference(view: View) -> Iterator[Section]:
    """The surest rule of each side: by name, or to the public by its confidence alone."""
    rows = []
    counted = any(side.surest_rule and side.surest_rule.persons for _, side, _ in view.sides)
    of_persons = ("persons", "of_persons") if counted else ()
    head = ("", "confidence", "rule", "in", "of", *(one.replace("_", " ") for one in of_persons))
    head = head[:2] if view.public else head
    for name, side, at in view.sides:
        if side.confidence is None:
            continue
        cells = [name, view.cell(f"{at}.confidence", share)]
        if rule := side.surest_rule:
            told = f"{', '.join(rule.known)} → {rule.secret}"
            cells += [told, *view.cells(f"{at}.surest_rule", ("support", "of", *of_persons))]
        rows.append((*cells, *[MISSING] * (len(head) - len(cells)))[: len(head)])
    if rows:
        text = "The rule that tells most surely, from any items of somebody, a sensitive one."
        table = Table(head, tuple(rows))
        yield Section("The surest inference", text, table=table, sql=view.sql("inference"))


# Tables of one release


def penalties(view: View) -> Iterator[Section]:
    """Nodes by level, and what was suppressed: the lines add up to the last.

    How often nodes were published is not public: a level may have one node.
    """
    for name, one, at in view.releases:
        if not one.ncp_by_level or one.ncp_of_suppressed is None:
            continue
        rows: list[tuple[Cell, ...]] = []
        for n, level in enumerate(one.ncp_by_level):
            said = f"nodes of level {level.level}" if level.level else "items as they are"
            rows.append((said, *_penalty(view, f"{at}.ncp_by_level.{n}", f"{at}.ncp_by_level.{n}")))
        if one.ncp_of_suppressed.occurrences:
            path = f"{at}.ncp_of_suppressed"
            rows.append(("suppressed", *_penalty(view, None, path)))
        whole = [view.cell(f"{at}.side.items")]
        whole += [] if view.public else [view.cell("metrics.original.occurrences")]
        rows.append(("in all", *whole, view.cell(f"{at}.ncp", share)))
        kinds = ("published",) if view.public else ("published", "occurrences of the original")
        yield Section(
            view.title("Penalty by level", name),
            "Nodes that were published on each level of the hierarchy, and their part of the "
            "penalty of generalization (NCP). An occurrence costs 0 as it is, and 1 if it was "
            "suppressed; below a node, it costs the share of all items that the node stands for. "
            "The file of hierarchy --of RELEASE says what labels stand for.",
            table=Table(("", *kinds, "NCP"), tuple(rows)),
            sql=view.sql_of(at, "loss"),
        )


def _penalty(view: View, nodes: str | None, lost: str) -> Iterator[Cell]:
    """The cells of a level, by the paths of its nodes and of its loss."""
    yield MISSING if nodes is None else view.cell(f"{nodes}.nodes")
    if not view.public:
        yield view.cell(f"{lost}.occurrences")
    yield view.cell(f"{lost}.ncp", share)


def _itemsets(view: View) -> Iterator[Section]:
    least = view.found.parameters["min_support"]
    for name, one, at in view.releases:
        if not one.itemsets:
            continue
        drawn = [
            {"size": str(sized.size), "itemsets": getattr(sized, kind), "kind": kind}
            for sized in one.itemsets
            for kind in CHANGES[1:]
        ]
        rows = tuple(
            (f"of {sized.size}", *view.cells(f"{at}.itemsets.{n}", CHANGES))
            for n, sized in enumerate(one.itemsets)
        )
        yield Section(
            view.title("Frequent itemsets", name),
            f"Itemsets that {least:,} transactions or more hold, in the original and in {name}.",
            plots.bars(
                drawn,
                Axis("size", "items of the itemset"),
                Axis("itemsets", "itemsets", COUNT),
                "kind",
                "Frequent itemsets that were kept, lost, and are new, by size",
            ),
            Table(("itemsets", *CHANGES), rows),
            sql=view.sql_of(at, "itemsets"),
            page_only=True,
        )


def lost_most(view: View) -> Iterator[Section]:
    for name, one, at in view.releases if not view.public else ():
        for kind, title, text, figure, names in (
            (
                "items_lost_most",
                "Items that lost most",
                "",
                "loss",
                [lost.item for lost in one.items_lost_most],
            ),
            (
                "itemsets_lost_most",
                "Itemsets that lost most",
                "A dash: it is frequent no more.",
                "itemsets",
                [", ".join(lost.items) for lost in one.itemsets_lost_most],
            ),
        ):
            rows = tuple(
                (said, *view.cells(f"{at}.{kind}.{n}", ("before", "after")))
                for n, said in enumerate(names)
            )
            if rows:
                table = Table(("", "support before", "after"), rows)
                sql = view.sql_of(at, figure, original=False)
                yield Section(view.title(title, name), text, table=table, sql=sql)


# Tables of all releases, a row for each


def _rules(view: View) -> Iterator[Section]:
    rows = tuple(
        (
            name,
            *view.cells(f"{at}.rules", CHANGES),
            view.cell(f"{at}.measures.rules_jaccard", share),
        )
        for name, one, at in view.releases
        if one.rules is not None
    )
    if rows:
        least, sure = (view.found.parameters[one] for one in ("min_support", "min_confidence"))
        yield Section(
            "Association rules",
            f"Rules with a confidence of {sure:g} or more that {least:,} transactions or more "
            "hold. Similar: rules of both, of the rules of either (Jaccard).",
            table=Table(("release", *CHANGES, "similar"), rows),
            sql=view.sql("rules"),
        )


def _patterns(view: View) -> Iterator[Section]:
    rows = tuple(
        (
            name,
            *view.cells(f"{at}.patterns", PATTERNS),
            *view.cells(f"{at}.patterns", HIDDEN, share),
        )
        for name, one, at in view.releases
        if one.patterns is not None
    )
    if rows:
        head = ("release", "restrictive", "disclosed", "others", "found")
        yield Section(
            "Restrictive patterns",
            "Frequent itemsets that hold a restrictive pattern, and those that hold none: how many "
            "there were, and how many are found in the release.",
            table=Table((*head, *(name.replace("_", " ") for name in HIDDEN)), rows),
            sql=view.sql("patterns"),
            page_only=True,
        )


def _guarantees(view: View) -> Iterator[Section]:
    rows = []
    for name, one, at in view.releases:
        if one.guarantee is not None:
            said = ", ".join(f"{key} = {value}" for key, value in one.guarantee.parameters.items())
            kept = "holds" if one.guarantee.holds else "does not hold"
            verdict = f"{one.guarantee.model} ({said}) {kept}"
            rows.append((name, verdict, view.cell(f"{at}.guarantee.checked")))
    if rows:
        persons = view.found.original.persons is not None
        read = read_by(str(view.found.parameters["verify"]), persons=persons)
        text = f"The checker reads {read}. It shares no query with the program that made it."
        table = Table(("release", "verdict", "judged"), tuple(rows))
        yield Section("Verdict of the checker", text, table=table, sql=view.sql("guarantee"))
