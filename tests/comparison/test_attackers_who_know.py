"""A promise bounds what the release shows; somebody who knows the method can know more.

Of every database of 3 and 4 transactions over the items a, b and s the real method makes its
release. The tests hold two things: an intruder who takes a release at face value stays within the
bound; and golden/intruders.*.txt say how often, and how far, one who knows the method gets
beyond it. `-m slow -s --update-golden` writes them anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import intruders
import setveil
from intruders import HALF, HEAD, SECRET, Found, Knows, S, World, Worlds, infer, own_items
from setveil.comparison.views.pages import LIMITS

BOUNDS = ("1/3", "1/2", "2/3")
ROOT = Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "tests" / "golden"
SEEDS = range(8)
EVERY = intruders.unordered(3, 4)


def uncertain(connection: Any, worlds: Worlds, **options: Any) -> list[World]:
    """What `uncertainty` releases of each."""
    with intruders.together(connection, worlds) as given:
        release = setveil.uncertainty(given, sensitive=SECRET, **options)
        return intruders.apart(worlds, release.rows())


def coherent(connection: Any, *, h: str, **options: Any) -> list[World]:
    """What `coherence` releases of each, but of those that have no coherent release."""
    bound = Fraction(h)
    worlds = [
        world for world in EVERY if sum(S in row for row in world.held) <= bound * len(world.held)
    ]
    with intruders.together(connection, worlds) as given:
        release = setveil.coherence(given, private=SECRET, h=h, **options)
        return intruders.apart(worlds, release.rows())


def one_by_one(connection: Any, worlds: Worlds, method: Any) -> list[World]:
    """Each database in a run of its own; those without a release are left out."""
    made = []
    for world in worlds:
        with intruders.given(connection, [sorted(row) for row in world.held]) as given:
            try:
                rows = method(given).rows()
            except setveil.UnreachableError:
                continue
        shown = tuple(map(items_of, rows))
        made.append(World(world.held, world.likely, shown))
    return made


def items_of(row: tuple[Any, ...]) -> frozenset[Any]:
    """Of a row (tid, items); or (tid, labels, levels), where items were generalized."""
    return frozenset(row[1]) if len(row) == 2 else frozenset(zip(*row[1:], strict=True))


def test_who_takes_a_release_of_uncertainty_at_face_value(connection):
    for keep in ("rules", "distribution"):
        worlds = uncertain(connection, EVERY, rho="1/2", keep=keep)
        share, _ = intruders.at_face_value(worlds, intruders.released_items)
        assert share == HALF
        share, _ = intruders.at_face_value(worlds, own_items(2))
        assert share == HALF
    raw = [World(one.held, one.likely, one.held) for one in EVERY]
    assert intruders.at_face_value(raw, intruders.released_items) == (1, 1)


def test_who_takes_a_coherent_release_at_face_value(connection):
    for p in (1, 2):
        worlds = coherent(connection, h="1/2", k=2, p=p)
        assert intruders.at_face_value(worlds, own_items(p)) == (HALF, 2)


def test_who_knows_the_algorithm_of_coherence(connection):
    worlds = coherent(connection, h="1/2", k=2, p=2)
    found = infer(worlds, own_items(2), HALF)
    assert (found.cases, found.above, found.worst) == (299, 15, Fraction(4, 5))


def test_who_knows_the_algorithm_of_uncertainty(connection):
    worlds = uncertain(connection, EVERY, rho="1/2")
    row = infer(worlds, intruders.row_alone, HALF)
    assert (row.cases, row.above, row.worst) == (388, 4, Fraction(3, 5))
    items = infer(worlds, intruders.released_items, HALF)
    assert (items.cases, items.above, items.worst) == (477, 129, Fraction(4, 5))


def test_a_release_of_nothing_tells_what_was_known_before():
    worlds = [World(one.held, one.likely, (frozenset(),) * len(one.held)) for one in EVERY]
    found = infer(worlds, own_items(2), HALF)
    assert (found.above, found.worst) == (0, HALF)


def test_the_data_itself_tells_all():
    worlds = [World(one.held, one.likely, one.held) for one in EVERY]
    assert infer(worlds, own_items(2), HALF).worst == 1
    assert infer(worlds, intruders.row_alone, HALF).above == 0  # the row shows that there is none


@pytest.mark.parametrize(
    ("part", "case"),
    [
        ("coherence", "h 1/2, k 2, p 2, mm-il: secret"),
        ("uncertainty_alone", "each in a run of its own: its row"),
        ("uncertainty_alone", "each in a run of its own: items of it"),
        ("uncertainty_alone", "each in a run of its own: own items"),
    ],
)
def test_the_figures_that_users_read_are_those_measured(part, case):
    [found] = [
        line.removeprefix(case).split()
        for line in (GOLDEN / f"intruders.{part}.txt").read_text().splitlines()
        if line.startswith(f"{case} ")
    ]
    cases, above, most = found[:3]
    for text in (ROOT / "README.md").read_text(), LIMITS:
        said = " ".join(text.split())
        assert f"in {above} of {cases} " in said and f"{float(most):.2f}" in said


# The whole table

KNOWN: dict[str, Knows] = {
    "its row": intruders.row_alone,
    "items of it": intruders.released_items,
    "own items": own_items(2),
}


def within(worlds: Worlds, knows: Knows, bound: Fraction) -> None:
    """The promise itself: at face value, a release tells no more than the bound."""
    assert intruders.at_face_value(worlds, knows)[0] <= bound


def line(what: str, found: Found) -> str:
    return f"{what:50}{found}"


def uncertainty_lines(connection: Any) -> Iterator[str]:
    """The model's own choices, by what is known, and by how usual the secret is."""
    ways: dict[str, dict[str, Any]] = {
        "rules": {}, "distribution": {"keep": "distribution"}, "refine": {"refine": True},
        "global": {"method": "global"},
    }  # fmt: skip
    for rho in BOUNDS:
        for way, options in ways.items():
            worlds = uncertain(connection, EVERY, rho=rho, **options)
            for name, knows in KNOWN.items():
                within(worlds, knows, Fraction(rho))
                yield line(f"rho {rho}, {way}: {name}", infer(worlds, knows, Fraction(rho)))
                if rho != "1/2":
                    found = infer(intruders.rare(worlds, Fraction(rho)), knows, Fraction(rho))
                    yield line(f"rho {rho}, {way}: {name}, s in {rho}", found)


def lessened_uncertainty(connection: Any) -> Iterator[str]:
    """Ways to tell less at rho = 1/2, each against the method as it is."""
    made = uncertain(connection, EVERY, rho="1/2")
    orders = intruders.ordered(3, 4)
    in_order = uncertain(connection, orders, rho="1/2")
    tried = {
        "nothing suppressed": [World(one.held, one.likely, one.held) for one in EVERY],
        "as it is": made,
        "as it is, seed unknown": intruders.either(
            *(uncertain(connection, EVERY, rho="1/2", seed=seed) for seed in SEEDS)
        ),
        "distribution, seed unknown": intruders.either(
            *(
                uncertain(connection, EVERY, rho="1/2", seed=seed, keep="distribution")
                for seed in SEEDS
            )
        ),
        "as it is, every order": in_order,
        "1 in 4 more secrets go": intruders.thinned(made, Fraction(1, 4)),
        "1 in 2 more secrets go": intruders.thinned(made, HALF),
        "all secrets go": intruders.thinned(made, Fraction(1)),
    }
    for rho in ("2/5", "1/3", "1/4", "1/5"):
        tried[f"made with rho {rho}"] = uncertain(connection, EVERY, rho=rho)
    tried["global, made with rho 1/3"] = uncertain(connection, EVERY, rho="1/3", method="global")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("setveil.models.uncertainty.anonymize.PASSES", 0)
        tried["nothing returns"] = uncertain(connection, EVERY, rho="1/2")
    for what, worlds in tried.items():
        for name, knows in KNOWN.items():
            if what != "nothing suppressed":
                within(worlds, knows, HALF)
            yield line(f"{what}: {name}", infer(worlds, knows, HALF))
    for name, knows in KNOWN.items():
        found = infer(in_order, knows, HALF, in_order=True)
        yield line(f"as it is, the order is known: {name}", found)


def coherence_lines(connection: Any) -> Iterator[str]:
    """Each method: how surely the secret is inferred, and whose row is whose."""
    for method in ("mm-il", "mm", "1-il", "optimal", "rm-all", "faithful"):
        options = {"faithful": True} if method == "faithful" else {"method": method}
        for k, h, p in ((k, h, p) for k in (1, 2) for h in BOUNDS for p in (1, 2)):
            worlds = coherent(connection, h=h, k=k, p=p, **options)
            within(worlds, own_items(p), Fraction(h))
            said = f"h {h}, k {k}, p {p}, {method}"
            yield line(f"{said}: secret", infer(worlds, own_items(p), Fraction(h)))
            if h != "1/2":
                usual = intruders.rare(worlds, Fraction(h))
                yield line(f"{said}: secret, s in {h}", infer(usual, own_items(p), Fraction(h)))
            if k > 1:
                yield line(f"{said}: row", intruders.identify(worlds, own_items(p), k))


def lessened_coherence(connection: Any) -> Iterator[str]:
    """Ways to tell less at h = 1/2, k = 2, p = 2."""
    made = coherent(connection, h="1/2", k=2, p=2)
    tried = {
        "as it is": made,
        "ties at random": intruders.either(made, intruders.swapped(made)),
        "1 in 4 more items go": intruders.fewer_items(made, Fraction(1, 4)),
        "1 in 2 more items go": intruders.fewer_items(made, HALF),
        "nothing returns": coherent(connection, h="1/2", k=2, p=2, faithful=True),
        "made with h 1/3": coherent(connection, h="1/3", k=2, p=2),
        "made with h 1/4": coherent(connection, h="1/4", k=2, p=2),
        "made with k 3": coherent(connection, h="1/2", k=3, p=2),
        "all public items go": coherent(connection, h="1/2", k=2, p=2, method="rm-all"),
    }
    for what, worlds in tried.items():
        within(worlds, own_items(2), HALF)
        yield line(f"{what}: secret", infer(worlds, own_items(2), HALF))
        yield line(f"{what}: row", intruders.identify(worlds, own_items(2), 2))


def generalized_lines(connection: Any) -> Iterator[str]:
    """Whose row is whose, where items are generalized; k = 2."""

    def twins(baskets: setveil.Baskets) -> Any:
        return setveil.k_anonymity(baskets, k=2, fanout=2)

    def refined(baskets: setveil.Baskets) -> Any:
        return setveil.k_anonymity(baskets, k=2, fanout=2, refine=True)

    def nodes(baskets: setveil.Baskets) -> Any:
        return setveil.km_anonymity(baskets, k=2, m=2, fanout=2)

    for name, method, most, worlds in (
        ("k-anonymity", twins, 3, EVERY),
        ("k-anonymity --refine, of 3", refined, 3, intruders.unordered(3)),
        ("km-anonymity, m 2", nodes, 2, EVERY),
    ):
        found = one_by_one(connection, worlds, method)
        yield line(f"{name}: row", intruders.identify(found, intruders.anything(most), 2))
    worlds = one_by_one(connection, intruders.ordered(3), twins)
    found = intruders.identify(worlds, intruders.anything(3), 2, in_order=True)
    yield line("k-anonymity, 3 in a known order: row", found)


def alone_lines(connection: Any) -> Iterator[str]:
    """`uncertainty` at rho = 1/2, run on each database by itself."""
    made = one_by_one(
        connection,
        EVERY,
        lambda given: setveil.uncertainty(given, sensitive=[S], rho="1/2", ignore_unknown=True),
    )
    for name, knows in KNOWN.items():
        yield line(f"each in a run of its own: {name}", infer(made, knows, HALF))


PARTS = {
    "coherence": coherence_lines,
    "coherence_lessened": lessened_coherence,
    "generalized": generalized_lines,
    "uncertainty": uncertainty_lines,
    "uncertainty_alone": alone_lines,
    "uncertainty_lessened": lessened_uncertainty,
}


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("part", PARTS)
def test_all_that_was_measured(part, connection, request):
    lines = (f"{'':50}{HEAD}", *PARTS[part](connection))
    said = "".join(f"{one.rstrip()}\n" for one in lines)
    print(f"\n{said}")  # noqa: T201
    golden = GOLDEN / f"intruders.{part}.txt"
    if request.config.getoption("--update-golden"):
        golden.write_text(said)
    assert said == golden.read_text()


@pytest.mark.slow
@pytest.mark.long
def test_a_run_on_all_is_a_run_on_each(connection):
    """Of coherence; uncertainty differs where there is a tie, and loses as much."""
    worlds = {world.held: world for world in coherent(connection, h="1/2", k=2, p=2)}

    def method(baskets: setveil.Baskets) -> Any:
        return setveil.coherence(baskets, private=[S], h="1/2", k=2, p=2, ignore_unknown=True)

    made = one_by_one(connection, EVERY, method)
    assert {world.held: world for world in made} == worlds
