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
from setveil.generator.ordering import InOrder
from setveil.run.files import places, publishing
from setveil.run.files.source import format_of
from setveil.run.inputs import refuse_twice
from setveil.run.session import Session, Trace
from setveil.sql.generator import buying, products, shapes
from setveil.sql.generator import generate as sql
from setveil.sql.step import Step

LUCK = 32_768
VISITS = LUCK * 2 // 100  # share of transactions with a random prescription
REMEDIED = LUCK * 20 // 100  # share of a rare pattern's transactions with its prescription
BASKETS, UNIFORM, QUERIES = "baskets", "uniform", "queries"
SHAPES = (BASKETS, UNIFORM, QUERIES)
QUERIES_OF_A_SESSION = 2.5  # on average
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
    shape: str = BASKETS
    min_length: int = 1
    max_length: int = 1_000

    def __post_init__(self) -> None:
        if self.shape not in SHAPES:
            raise InputError(f"there is no shape {self.shape!r}; there is {', '.join(SHAPES)}")
        if self.shape != BASKETS and self.persons is not None:
            raise InputError(f"{self.shape} data has no column of persons: leave persons out")
        self._check("transactions", whole=True, least=1, most=1_000_000_000)
        self._check("items", whole=True, least=10, most=MOST_ITEMS)
        self._check("length", whole=False, least=1, most=self.items / 2)
        self._check("min_length", whole=True, least=1, most=int(self.length))
        self._check("max_length", whole=True, least=self.min_length, most=MODULUS)
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
    shape: str = BASKETS,
    min_length: int = 1,
    max_length: int = 1_000,
    hierarchy: str | Path | None = None,
    threads: int | None = None,
    memory_limit: str | None = None,
    force: bool = False,
    trace: Trace | None = None,
) -> GenerateMetrics:
    """Write transactions (tid, item) to `out`, and the products' hierarchy to `hierarchy`.

    With a number of `persons`, a column `person` says whose transaction it is. Some have many.
    The shape `uniform` has items that are all as likely, and lengths whose number falls
    exponentially. In `queries` a transaction has the queries of a person, a column `session` says
    of which session, and `items` is the number of words.
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
        shape,
        min_length,
        max_length,
    )
    if hierarchy is not None and shape != BASKETS:
        raise InputError(f"{shape} data has no hierarchy: one of fan-out N is made where needed")
    targets = [Path(path) for path in (out, hierarchy) if path is not None]
    _check_targets(targets, force)
    backend = Local(threads=threads, memory_limit=memory_limit)
    session = Session(backend, trace=trace)
    try:
        backend.execute("run", f"USE {backend.run}")
        rows = shapes.sessions_in_order()
        if shape != QUERIES:
            rows = sql.ordered(persons=persons is not None)
        metrics = make(session, recipe, rows)
        for target, step in zip(targets, (rows, sql.ordered_hierarchy()), strict=False):
            write_rows(session, step, target, force=force)
    finally:
        session.close()
    return metrics


def make(session: Session, recipe: Recipe, rows: Step) -> GenerateMetrics:
    """Make the rows of a step over generated(tid, item[, …]), and generated_hierarchy.

    Transactions are made in parts, one after the other in the order of the file.
    """
    make_part = _make_transactions
    if recipe.shape == BASKETS:
        _make_products(session, recipe)
        _make_patterns(session, recipe)
    elif recipe.shape == UNIFORM:
        make_part = _make_uniform
    else:
        session.create(shapes.words(recipe.items))
        session.create(shapes.word_urn())
        make_part = _make_queries
    size, in_order = max(1, int(CHUNK / recipe.length)), InOrder(session, rows)
    for first in range(1, recipe.transactions + 1, size):
        beyond = min(first + size, recipe.transactions + 1)
        make_part(session, recipe, first, beyond)
        in_order.put(last=beyond > recipe.transactions)
        session.drop("generated")
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
    most = min(recipe.public, recipe.max_length)
    session.create(sql.size_urn("size_urn", recipe.length, most, recipe.min_length))
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
    session.create(sql.generated(persons=persons), compact=False)
    for name in ("chosen", "pick", "basket", *(["owner"] if persons else [])):
        session.drop(name)


def _make_uniform(session: Session, recipe: Recipe, first: int, beyond: int) -> None:
    """Make transactions of items that are all as likely, from `first` to `beyond` - 1."""
    longest = min(recipe.items, recipe.max_length)
    session.create(
        shapes.lengths(
            first, beyond, recipe.length, recipe.min_length, longest, offset(recipe.seed, "length")
        )
    )
    session.create(shapes.uniform(recipe.items, offset(recipe.seed, "uniform")), compact=False)
    session.drop("length")


def _make_queries(session: Session, recipe: Recipe, first: int, beyond: int) -> None:
    """Make the queries of the persons from `first` to `beyond` - 1."""
    per_session = min(QUERIES_OF_A_SESSION, recipe.length)
    per_person = recipe.length / per_session
    step = shapes.sessions(first, beyond, per_person, per_session, offset(recipe.seed, "session"))
    session.create(step)
    session.create(shapes.queries(offset(recipe.seed, "query")), compact=False)
    session.drop("session")


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


def write_rows(session: Session, step: Step, target: Path, *, force: bool) -> None:
    """Write the rows of a step, in its order: whole or not at all."""
    rows = publishing.put_in_order(session, step.query, step.name)
    with places.whole_file(str(target), session.inputs, force=force) as place:
        publishing.set_target(session, place)
        publishing.publish(session, publishing.copy_statement(rows, str(target)), "written")
