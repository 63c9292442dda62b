"""The page of evidence, which a data protection officer files or an expert signs.

Its form without names has no item and no count below k: neither of transactions nor of persons. It
says "fewer than k" in place of such a count, or of a share of so few.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from setveil.comparison import risk
from setveil.comparison.evidence.facts import Evidence, Identity
from setveil.comparison.evidence.gather import promise_of
from setveil.comparison.evidence.repeating import DATABASE, HIERARCHY, KEY, LIST
from setveil.comparison.evidence.repeating import ORIGINAL as ORIGINAL_FILE
from setveil.comparison.findings import Comparison
from setveil.comparison.judging import read_by
from setveil.comparison.measures import taken_of
from setveil.comparison.views.comparison import explained, lost_most, penalties
from setveil.comparison.views.history import verdict_on_all, what_releases_add
from setveil.comparison.views.pages import ORIGINAL, section_of_limits, section_of_parameters
from setveil.comparison.views.view import View, view_of
from setveil.models import REGISTRY
from setveil.run.files.source import bare_name
from setveil.run.words import counted, names
from setveil.show import plots
from setveil.show.page import Fact, Page, Section
from setveil.show.plots import SHARE, Axis
from setveil.show.tables import MISSING, Cell, Form, Number, Table, number, share

SUMMARY = ("singled_out", "above_bound", "intruder_risk")
OF_PERSONS = "_persons"


@dataclass(frozen=True, slots=True)
class Guarded(View):
    """A comparison whose page has no count below k, if it is `public`."""

    @property
    def facts(self) -> Evidence:
        """The evidence beside the figures."""
        assert self.found.evidence is not None
        return self.found.evidence

    @property
    def least(self) -> int:
        """The k of the comparison."""
        return int(str(self.found.parameters["k"]))

    def cell(self, path: str, form: Form = number) -> Cell:
        shown = View.cell(self, path, form)
        if not self.public or not isinstance(shown, Number):
            return shown
        if path.endswith("largest_risk"):
            return f"above 1 in {self.least}" if shown.value * self.least > 1 else shown
        base = self._base(path)
        count = shown.value if isinstance(shown.value, int) else shown.value * base
        return f"fewer than {self.least}" if 0 < round(count, 6) < self.least else shown

    def _base(self, path: str) -> float:
        """The number that a share is a part of; 0 for figures that are no share of a count."""
        side, _, measured = path.partition(".risk.")
        name = measured.partition(".")[0]
        sizes = self._at(side)
        if name.endswith("risk") or name in (
            "largest_share",
            "breach",
            f"intruder_risk{OF_PERSONS}",
        ):
            return 0
        if name.startswith("intruder"):
            return float(min(self.facts.draws, sizes["transactions"]))
        if name:
            return float(sizes["persons" if name.endswith(OF_PERSONS) else "transactions"])
        of = self._at("metrics.original")
        return float(of["transactions" if path.endswith("transactions_lost") else "occurrences"])

    def _at(self, path: str) -> Any:
        value: Any = self.content
        for part in path.split("."):
            value = value[int(part)] if isinstance(value, list | tuple) else value[part]
        return value


def evidence_page(found: Comparison, *, public: bool = False) -> Page:
    """The verdict first, then the risks of WP216, limits, use, and blanks to fill in."""
    plain = view_of(found, public=public)
    view = Guarded(plain.found, plain.public, plain.names, plain.content)
    several = len(view.names) > 1
    verdicts = [
        f"{name} {one.verdict}" for name, one in zip(view.names, view.facts.releases, strict=True)
    ]
    if view.found.history is not None and view.found.history.verdict is not None:
        kept = "keep" if view.found.history.verdict.holds else "do not keep"
        verdicts.append(f"Together the releases {kept} it.")
    title = f"Evidence on {len(view.names)} releases" if several else f"Evidence on {view.names[0]}"
    return Page(
        title,
        " ".join(verdicts),
        not public,
        () if several else tuple(_headline(view)),
        tuple(_sections(view)),
    )


def _sections(view: Guarded) -> Iterator[Section]:
    yield from _summary(view)
    yield _judged(view)
    yield Section(
        "Not covered", "The verdict is silent on the following.", points=view.facts.not_covered
    )
    yield _attacker(view)
    yield _singling_out(view)
    yield _intruder(view)
    yield _linkability(view)
    yield from what_releases_add(view)
    yield from verdict_on_all(view)
    yield _inference(view)
    yield section_of_limits()
    yield _use(view)
    yield from _done(view)
    yield _repeat(view)
    yield Section(
        "To be filled in",
        "The tool cannot know this. A page without it is no assessment.",
        table=Table(("", ""), tuple((one, "") for one in view.facts.blanks), words=True),
    )
    yield Section(
        "Crosswalk",
        "Sections of this page beside parts of documents, in our words; it claims no conformity.",
        table=Table(
            ("document", "part", "question", "section here"),
            tuple((one.document, one.part, one.asks, one.answer) for one in view.facts.crosswalk),
            words=True,
        ),
    )
    yield section_of_parameters(view.found.parameters)


# Verdict and summary


def _headline(view: Guarded) -> Iterator[Fact]:
    [(_, one, at)] = view.releases
    assert one.guarantee is not None
    kept = "holds" if one.guarantee.holds else "does not hold"
    yield Fact(one.guarantee.model, kept, promise_of(one.guarantee, view.facts.person))
    if "information_lost" in one.measures:
        lost = view.cell(f"{at}.measures.information_lost", share)
        yield Fact("information lost", lost, "of the bits of the original")
    last = int(str(view.found.parameters["p"])) - 1
    risks = f"{at}.side.risk"
    singled = view.cell(f"{risks}.singled_out.{last}", share)
    yield Fact("singled out", singled, f"among fewer than {view.least}, at worst")
    mean = view.cell(f"{risks}.{_unit(view, 'intruder_risk')}.{last}", share)
    yield Fact("mean risk", mean, "of a motivated intruder")


def _unit(view: Guarded, name: str) -> str:
    """The measure in persons, where they are counted."""
    return name if view.found.original.persons is None else f"{name}{OF_PERSONS}"


def _summary(view: Guarded) -> Iterator[Section]:
    """Several releases side by side: a row for each."""
    if len(view.names) == 1:
        return
    last = int(str(view.found.parameters["p"])) - 1
    rows: list[tuple[Cell, ...]] = []
    for name, side, at in view.sides:
        release = next(
            (one for said, one, _ in view.releases if said == name and side is one.side), None
        )
        kept: Cell = MISSING
        lost: Cell = MISSING
        if release is not None and release.guarantee is not None:
            kept = "holds" if release.guarantee.holds else "does not hold"
            measures = at.removesuffix(".side") + ".measures"
            if "information_lost" in release.measures:
                lost = view.cell(f"{measures}.information_lost", share)
        risks = [view.cell(f"{at}.risk.{_unit(view, one)}.{last}", share) for one in SUMMARY]
        rows.append((name, kept, lost, *risks))
    head = ("", "promise", "information lost", "singled out", "risk above 0.09", "mean risk")
    yield Section(
        "Summary",
        f"Attackers know {counted(last + 1, 'item')}. Mean risk is that of a motivated intruder.",
        table=Table(head, tuple(rows)),
    )


def _judged(view: Guarded) -> Section:
    facts = view.facts
    rows: list[tuple[Cell, ...]] = [("date", facts.at.replace("T", " ").replace("+00:00", " UTC"))]
    rows += [(name, said) for name, said in facts.versions.items()]
    source = ORIGINAL if view.public else bare_name(facts.original.name)
    rows += [*_identified(source, facts.original), *_sizes(view)]
    for (name, one, at), judged in zip(view.releases, facts.releases, strict=True):
        assert one.guarantee is not None
        rows += [*_identified(name, judged.identity)]
        kept = "holds" if one.guarantee.holds else "does not hold"
        rows.append((f"{name}: promise", f"{promise_of(one.guarantee, facts.person)} {kept}"))
        rows.append((f"{name}: sets or rules judged", view.cell(f"{at}.guarantee.checked")))
    read = read_by(str(view.found.parameters["verify"]), persons=facts.person is not None)
    return Section(
        "What was judged",
        f"The promise: {facts.promise}. The checker reads {read}. It shares no query with the "
        "program that made it.",
        table=Table(("", ""), tuple(rows), words=True),
        sql=view.sql("guarantee"),
    )


def _sizes(view: Guarded) -> Iterator[tuple[Cell, ...]]:
    """The transactions of the source, where some were left out before judging.

    The public page has no sum of which one part is below k, or is shown as a range.
    """
    if not view.facts.left_out:
        return
    left_out = view.cell("evidence.left_out")
    _, judged, *others = view.row("", "transactions")
    plain = isinstance(left_out, Number) and isinstance(judged, Number)
    if plain and _apart(view, judged, others) is judged:
        yield "transactions in the source", view.cell("evidence.in_source")
    yield "left out before judging: transactions without a person (--drop-nulls)", left_out


def _identified(name: str, one: Identity) -> Iterator[tuple[Cell, ...]]:
    if one.sha256 is not None:
        files = "" if one.files is None else f" of {counted(one.files, 'file')}"
        yield f"{name}: SHA-256{files}", one.sha256
    else:
        yield f"{name}: digest of the rows", f"{one.digest} ({counted(one.rows or 0, 'row')})"


def _attacker(view: Guarded) -> Section:
    p = int(str(view.found.parameters["p"]))
    return Section(
        "The attacker that is assumed",
        "Against this attacker the promise is proven, and the figures below are counted.",
        points=(
            f"The attacker {view.facts.attacker}.",
            f"Figures of risk: the attacker knows up to {counted(p, 'public item')} of somebody "
            "who is in the data, and has the whole release.",
            f"The attacker has no {'further' if view.found.history else 'other'} release of the "
            "data, and no ids or columns of other tables.",
        ),
    )


# The risks of WP216


def _risks(view: Guarded, *, drawn: bool) -> Table:
    rows = []
    for one in risk.MEASURES.values():
        values = [side.risk[one.name] for _, side, _ in view.sides]
        known = next((value for value in values if value is not None), None)
        told = one.name in ("breach", "largest_share")
        if one.drawn != drawn or known is None or one.repeated_at == view.least or told:
            continue
        places = range(len(known)) if isinstance(known, tuple) else [None]
        for n in places:
            items = "" if n is None else counted(n + 1, "item")
            path = f"risk.{one.name}" + ("" if n is None else f".{n}")
            rows.append(view.row(one.title.format(k=view.least, items=items), path, share))
    return Table(("", ORIGINAL, *view.names), tuple(rows))


def _singling_out(view: Guarded) -> Section:
    held = "transactions" if view.found.original.persons is None else "persons"
    return Section(
        "Singling out",
        "The attacker knows the items that say most. Risk is 1 / the number of "
        f"{held} that hold them. Many authorities accept up to 0.09, which needs k of "
        f"{risk.HIGH} or more.",
        table=_risks(view, drawn=False),
        sql=view.sql("risk"),
    )


def _intruder(view: Guarded) -> Section:
    facts = view.facts
    name = _unit(view, "intruder_risk")
    rows = []
    for said, side, _ in view.sides:
        means = side.risk[name]
        assert isinstance(means, tuple)
        rows += [{"n": str(n), "risk": one, "name": said} for n, one in enumerate(means, 1)]
    return Section(
        "A motivated intruder",
        f"An intruder looks for {facts.draws:,} random transactions (seed {facts.seed}). Random "
        "items of each are revealed. Candidates are the transactions that hold them all.",
        plots.bars(
            rows,
            Axis("n", "items revealed"),
            Axis("risk", "mean risk", SHARE),
            "name",
            "Mean risk of a motivated intruder, by how many items are revealed, on each side",
        ),
        _risks(view, drawn=True),
    )


def _linkability(view: Guarded) -> Section:
    rows: list[tuple[Cell, ...]] = []
    for name, one in zip(view.names, view.facts.releases, strict=True):
        ids = "random numbers" if one.renumbered else "kept from the original"
        rows.append((f"{name}: ids of transactions", ids))
        rows.append((f"{name}: other columns", ", ".join(one.uncovered) or "none"))
    if view.found.original.persons is not None:
        title = risk.MEASURES["largest_share"].title.format(k=view.least)
        for name, _, at in view.sides:
            rows.append((f"{name}: {title}", view.cell(f"{at}.risk.largest_share", share)))
    together = "were joined by id: see below" if view.found.history else "were not joined"
    return Section(
        "Linkability",
        "Can two records be of one person? Ids and other columns join tables; several releases "
        f"of the data join each other, and here {together}.",
        table=Table(("", ""), tuple(rows), words=True),
    )


def _inference(view: Guarded) -> Section:
    rows = []
    if view.found.original.risk["breach"] is not None:
        rows.append(view.row("surest inference of a private item", "risk.breach", share))
    if any(side.confidence is not None for _, side, _ in view.sides):
        rows.append(view.row("surest rule that tells a sensitive item", "confidence", share))
    if not rows:
        return Section("Inference", "No item was named as private or sensitive: none was judged.")
    text = "How sure an attacker can be of an item that is private or sensitive."
    if any(MISSING in row[2:] for row in rows):
        text += " A dash: it is not counted over nodes; the verdict bounds it if its promise does."
    return Section("Inference", text, table=Table(("", ORIGINAL, *view.names), tuple(rows)))


# Use, deeds and commands


def _use(view: Guarded) -> Section:
    persons = ("persons",) if view.found.original.persons is not None else ()
    rows: list[tuple[Cell, ...]] = []
    for name in ("transactions", *persons, "items", "occurrences"):
        label, first, *others = view.row(name, name)
        rows.append((label, _apart(view, first, others), *others))
    for one in taken_of(view.found.releases):
        form = share if one.is_share else number
        values = [
            view.cell(f"{at}.measures.{one.name}", form)
            if one.name in release.measures
            else MISSING
            for _, release, at in view.releases
        ]
        rows.append((one.label, "", *values))
    return Section(
        "Use that is left",
        points=explained(view.found.releases),
        table=Table(("", ORIGINAL, *view.names), tuple(rows)),
        sql=view.sql("loss"),
    )


def _apart(view: Guarded, first: Cell, others: list[Cell]) -> Cell:
    """The size of the original, unless the public page would tell a difference below k by it."""
    known = [one.value for one in others if isinstance(one, Number)]
    if view.public and isinstance(first, Number):
        if any(0 < abs(first.value - one) < view.least for one in known):
            return f"fewer than {view.least} apart"
    return first


def _done(view: Guarded) -> Iterator[Section]:
    rows: list[tuple[Cell, ...]] = []
    for name, one, at in view.releases:
        if one.generalized:
            rows.append((f"{name}: labels stand for several items", "generalized"))
        if "information_loss" in one.measures:
            lost = view.cell(f"{at}.measures.information_loss", share)
            rows.append((f"{name}: occurrences suppressed", lost))
        if one.items_gone is not None:
            gone = view.cell(f"{at}.items_gone")
            rows.append((f"{name}: items suppressed everywhere", gone))
        if "transactions_lost" in one.measures:
            rows.append(
                (f"{name}: transactions lost", view.cell(f"{at}.measures.transactions_lost", share))
            )
    text = "Read off the release beside its original. The trail has each step."
    if any(one.generalized for one in view.found.releases):
        text += (
            " A label alone can say little, such as red 3. The file of hierarchy --of RELEASE "
            "tells readers what labels stand for, and goes with the release."
        )
    yield Section("What was done", text, table=Table(("", ""), tuple(rows)))
    yield from penalties(view)
    yield from lost_most(view)


def _repeat(view: Guarded) -> Section:
    facts = view.facts
    code = facts.repeat_without_names if view.public else facts.repeat
    words = {word for line in code for word in line.split()}
    said = ["The trail is the owner's: it makes the release again and holds what was suppressed."]
    if blanks := [one for one in (ORIGINAL_FILE, KEY, HIERARCHY, LIST) if one in words]:
        said.append(f"Fill in the owner's confidential files: {names(blanks)}.")
    if DATABASE in words:
        said.append("DATABASE is the address of the tables, which this page does not tell.")
    if "--of" in words:
        said.append("The last command lists what labels stand for, as far as k hold the items.")
    if "--query" in words:
        said.append("With --query the checker is one SELECT over TABLE.")
        model = REGISTRY[str(view.found.parameters["verify"])]
        renumbered = any(one.renumbered for one in facts.releases)
        if facts.person is not None and model.of_persons and renumbered:
            said.append("It has no key: over a renumbered release it counts transactions only.")
            said.append("That promise is weaker than the one in persons.")
            said.append("It counts persons by a table of numbers and persons: setveil guide dbt.")
    return Section("How to repeat it", " ".join(said), code=code)
