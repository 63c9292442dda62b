"""Generate synthetic baskets: repeated patterns, a long tail of rare items, some prescriptions.

The generator of Agrawal and Srikant (VLDB 1994) over products of a supermarket with a pharmacy.
Runs with equal parameters and seed give the same bytes, for any number of threads. One product in
twenty is a prescription, and its name starts with `Rx `. About one transaction in twenty-five holds
a prescription.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

from setveil.backends.local import Local
from setveil.errors import InputError
from setveil.generator import vocabulary
from setveil.generator.dice import MODULUS, offset
from setveil.run.files import places, publishing
from setveil.run.files.source import format_of
from setveil.run.inputs import refuse_twice
from setveil.run.session import Session, Trace
from setveil.sql.generator import buying, products
from setveil.sql.generator import generate as sql
from setveil.sql.step import Step

LUCK = 32_768
VISITS = LUCK * 2 // 100  # share of transactions with a random prescription
REMEDIED = LUCK * 20 // 100  # share of a rare pattern's transactions with its prescription
MOST_ITEMS = 90_000
MOST_PATTERNS = 20_000
LONGEST_PATTERN = 60
CHUNK = 2_500_000  # occurrences per statement: windows over more of them need more memory


@dataclass(frozen=True, slots=True)
class Recipe:
    """The parameters of the generator, with the shares and defaults of the paper."""

    transactions: int = 10_000
    items: int = 500
    length: float = 10.0
    patterns: int = 250
    pattern_length: float = 4.0
    correlation: float = 0.5
    corruption: float = 0.5
    persons: int | None = None
    seed: int = 1

    def __post_init__(self) -> None:
        self._check("transactions", whole=True, least=1, most=1_000_000_000)
        self._check("items", whole=True, least=10, most=MOST_ITEMS)
        self._check("length", whole=False, least=1, most=self.items / 2)
        self._check("patterns", whole=True, least=1, most=MOST_PATTERNS)
        self._check("pattern_length", whole=False, least=1, most=20)
        self._check("correlation", whole=False, least=0, most=1)
        self._check("corruption", whole=False, least=0, most=1)
        if self.persons is not None:
            self._check("persons", whole=True, least=1, most=1_000_000_000)
        self._check("seed", whole=True, least=0, most=MODULUS - 1)

    def _check(self, name: str, *, whole: bool, least: float, most: float) -> None:
        value = getattr(self, name)
        kinds = int if whole else (int, float)
        if isinstance(value, kinds) and not isinstance(value, bool) and least <= value <= most:
            return
        kind = "a whole number" if whole else "a number"
        half = ", half of the items" if name == "length" else ""
        shown = name.replace("_", " ")
        raise InputError(f"{shown} is {value!r}: give {kind} from {least:,} to {most:,}{half}")

    @property
    def public(self) -> int:
        """The number of products that are no prescriptions."""
        return self.items - (self.items + 10) // 20


@dataclass(frozen=True, slots=True)
class GenerateMetrics:
    """The sizes of the generated data. `items` counts products that occur."""

    transactions: int
    items: int
    occurrences: int
    mean_length: float
    longest: int


def generate(
    out: str | Path,
    *,
    transactions: int = 10_000,
    items: int = 500,
    length: float = 10.0,
    patterns: int = 250,
    pattern_length: float = 4.0,
    correlation: float = 0.5,
    corruption: float = 0.5,
    persons: int | None = None,
    seed: int = 1,
    hierarchy: str | Path | None = None,
    threads: int | None = None,
    memory_limit: str | None = None,
    force: bool = False,
    trace: Trace | None = None,
) -> GenerateMetrics:
    """Write transactions (tid, item) to `out`, and the products' hierarchy to `hierarchy`.

    With a number of `persons`, a column `person` says whose transaction it is. Some have many.
    """
    recipe = Recipe(
        transactions,
        items,
        length,
        patterns,
        pattern_length,
        correlation,
        corruption,
        persons,
        seed,
    )
    targets = [Path(path) for path in (out, hierarchy) if path is not None]
    _check_targets(targets, force)
    backend = Local(threads=threads, memory_limit=memory_limit)
    session = Session(backend, trace=trace)
    try:
        backend.execute("run", f"USE {backend.run}")
        metrics = make(session, recipe)
        rows = sql.ordered(persons=persons is not None)
        for target, step in zip(targets, (rows, sql.ordered_hierarchy()), strict=False):
            _write(session, step, target, force=force)
    finally:
        session.close()
    return metrics


def make(session: Session, recipe: Recipe) -> GenerateMetrics:
    """Make generated(tid, item[, person]) and generated_hierarchy(item, level1, level2, level3)."""
    _make_products(session, recipe)
    _make_patterns(session, recipe)
    size = max(1, int(CHUNK / recipe.length))
    for first in range(1, recipe.transactions + 1, size):
        _make_transactions(session, recipe, first, min(first + size, recipe.transactions + 1))
    transactions, items, occurrences, longest = session.one(sql.sizes())
    return GenerateMetrics(transactions, items, occurrences, occurrences / transactions, longest)


def _make_products(session: Session, recipe: Recipe) -> None:
    session.create(products.assortment(_assortment()))
    session.create(products.occasions(_occasions()))
    session.create(products.places(recipe.items))
    session.create(products.words())
    session.create(products.products())
    session.create(products.hierarchy())
    session.create(products.product_urn(prescription=False))
    session.create(products.product_urn(prescription=True))


def _make_patterns(session: Session, recipe: Recipe) -> None:
    seed = recipe.seed
    longest = min(LONGEST_PATTERN, recipe.public)
    session.create(sql.size_urn("size_urn", recipe.length, recipe.public))
    session.create(sql.size_urn("pattern_size_urn", recipe.pattern_length, longest))
    session.create(sql.pattern_rolls(recipe.patterns, offset(seed, "pattern")))
    session.create(sql.patterns(correlation=recipe.correlation, corruption=recipe.corruption))
    session.create(sql.slots(offset(seed, "slot")))
    session.create(sql.shelves())
    session.create(sql.pattern_items(offset(seed, "pattern item")))
    session.create(sql.keeps())
    session.create(sql.pattern_urn())
    session.create(sql.remedies(offset(seed, "remedy")))


def _make_transactions(session: Session, recipe: Recipe, first: int, beyond: int) -> None:
    """Make the transactions from `first` to `beyond` - 1."""
    seed, public = recipe.seed, recipe.public
    per_pick = max(1.0, recipe.pattern_length * (1 - recipe.corruption / 2))
    session.create(buying.baskets(first, beyond, offset(seed, "basket")))
    persons = recipe.persons is not None
    if recipe.persons is not None:
        session.create(buying.owners(recipe.persons, offset(seed, "person")))
    session.create(buying.picks(per_pick, offset(seed, "pick"), persons=persons))
    session.create(
        buying.chosen(
            offset(seed, "single"),
            offset(seed, "prescription"),
            visits=VISITS,
            remedied=REMEDIED,
        )
    )
    session.append(buying.missing(public, _stride(public), offset(seed, "missing")))
    keep = session.create if first == 1 else session.append
    keep(sql.generated(persons=persons))
    for name in ("chosen", "pick", "basket", *(["owner"] if persons else [])):
        session.drop(name)


def _assortment() -> list[products.Group]:
    return [
        (group, aisle, department, popularity, department == "Pharmacy", brands, varieties, sizes)
        for department, aisles in vocabulary.ASSORTMENT.items()
        for brands in (vocabulary.BRANDS[department],)
        for aisle, groups in aisles.items()
        for group, (popularity, sizes, varieties) in groups.items()
    ]


def _occasions() -> list[tuple[int, int, str]]:
    return [
        (occasion, place, group)
        for occasion, groups in enumerate(vocabulary.OCCASIONS)
        for place, group in enumerate(groups)
    ]


def _stride(public: int) -> int:
    """A stride near the golden section that visits all products before it repeats."""
    stride = round(public * 0.618)
    while math.gcd(stride, public) > 1:
        stride += 1
    return stride


def _check_targets(targets: list[Path], force: bool) -> None:
    refuse_twice(dict(zip(("FILE", "--hierarchy"), targets, strict=False)))
    for target in targets:
        if format_of(str(target)) == "basket":
            raise InputError(f"{target}: name a file that ends in .parquet or .csv")
        places.check_place(str(target), force=force)


def _write(session: Session, step: Step, target: Path, *, force: bool) -> None:
    rows = publishing.put_in_order(session, step.query, step.name)
    with places.whole_file(str(target), session.inputs, force=force) as place:
        publishing.set_target(session, place)
        publishing.publish(session, publishing.copy_statement(rows, str(target)), "written")
