"""The attack on renamed data: find the names of codes from published frequent itemsets.

The attacker has the renamed transactions, and published itemsets with their names and frequencies.
They mine the renamed data, and search the naming under which both agree best. Frequencies may be
perturbed by up to a tolerance. Itemsets may be missing or false, at a cost. Only items of frequent
itemsets get a name.
Mielikäinen: On inverse frequent set mining and the anonymization of transactions, 2004.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from sqlglot import exp

from setveil.arguments.strict import strict
from setveil.attack import program as matching
from setveil.attack.attempt import Attack, attack, uniform
from setveil.attack.candidates import Candidates, find_candidates, mine, published_support
from setveil.attack.published import find_costs, read_costs, read_key, read_published
from setveil.attack.symmetry import Ambiguity, find_ambiguity
from setveil.backends import Row
from setveil.backends.local import Relation
from setveil.errors import InputError, UnreachableError
from setveil.mine.itemsets import Support, check_targets
from setveil.run import writing
from setveil.run.files import publishing, results
from setveil.run.reading import Baskets
from setveil.run.results.tabled import Framed
from setveil.run.session import Session
from setveil.run.words import counted, names, printable
from setveil.sql.attack import candidates as sql
from setveil.sql.step import Step
from setveil.trail.render import Told

METHODS = (*matching.METHODS, "uniform")
NODES = 1000  # default limit of the branch-and-bound tree
COLUMNS = ("code", "name", "weight")


@dataclass(frozen=True, slots=True)
class ReidentifyMetrics:
    """The names that an attacker finds, and how sure they are.

    Codes that nobody can distinguish have equal chances with all of their names. `sure` codes have
    weight 1; their names are proven if nothing was perturbed, missing or false. `expected` is the
    mean number of right names over these chances; `uniform` is that number for an attacker who uses
    only frequencies of single items. `correct`, `expected` and `uniform` need the key.
    """

    codes: int  # items that are frequent in the data
    names: int  # items in the published itemsets
    named: int
    sure: int
    correct: int | None
    expected: float | None
    uniform: float | None
    ambiguous_items: int  # items that some automorphism exchanges with another
    ambiguity_classes: int
    undecided_items: int  # items without a proof either way within the limit of work
    refinement_cells: int  # cells of colour refinement, which the linear program distinguishes
    published_itemsets: int
    mined_itemsets: int
    pairs_before: int
    pairs_after: int
    item_pairs_before: int
    item_pairs_after: int
    rounds: int
    columns: int
    rows: int
    status: str
    cost: float | None
    gap: float | None
    nodes: int


@dataclass(frozen=True, slots=True, weakref_slot=True, repr=False)
class Reidentification(Framed):
    """The names of the codes, in their run. They undo the renaming, so they are confidential.

    They live as long as the baskets.
    """

    baskets: Baskets
    parameters: dict[str, object]
    metrics: ReidentifyMetrics
    columns: tuple[str, ...]
    run: int

    def __post_init__(self) -> None:
        self.baskets.session.hold(self.run, self)

    def relation(self) -> Relation:
        """One row per named code: `code, name, weight`, and `correct` if there was a key."""
        return publishing.as_relation(self.baskets.session, self._query())

    def taken(self) -> Relation:
        return publishing.taken(self.baskets.session, self._query())

    def rows(self) -> list[Row]:
        """The rows in their order, from any database."""
        return publishing.fetched(self.baskets.session, self._query())

    def head(self, rows: int) -> list[Row]:
        """The first rows."""
        first = self._query().limit(rows)
        return self.baskets.session.look_up(Step("head", "the first rows", first))

    def lines(self) -> Iterator[str]:
        yield f"names of codes in {printable(self.baskets.source.name)}"
        yield (
            f"{counted(self.metrics.named, 'code')} named of {self.metrics.codes:,}, "
            f"{self.metrics.sure:,} of them surely"
        )
        yield f"columns: {names(self.columns)}"

    def head_of_table(self, most: int) -> tuple[Sequence[str], Sequence[Row]]:
        if not self.baskets.session.has_rows:
            return (), ()
        return self.columns, self.head(most)

    def write(
        self, path: str | Path, *, trail: str | Path | None = None, force: bool = False
    ) -> None:
        """Write the names to a file that only its owner can read, and the trail."""
        session, target = self.baskets.session, str(path)
        check_targets(out=target, trail=trail, force=force)
        self.baskets.session.inputs.check({"--out": target, "--trail": trail})
        statement = results.copy_statement(session, self._query(), target, ())
        writing.write_file(self._origin, statement, target, trail=trail, force=force)

    def write_table(
        self, table: str, *, trail: str | Path | None = None, force: bool = False
    ) -> None:
        """Write the names to a table in the database of the source."""
        check_targets(trail=trail, force=force)
        self.baskets.session.inputs.check({"--trail": trail})
        writing.write_table(self._origin, self._query(), table, trail=trail, force=force)

    @property
    def _origin(self) -> writing.Origin:
        return writing.Origin(
            self.baskets,
            Told("reidentify", self.parameters, self.baskets.shape),
            mode=0o600,
        )

    def _query(self) -> exp.Select:
        self.baskets.session.resume(self.run)
        shown = [exp.column(name, table="n") for name in self.columns]
        query = exp.Select().select(*shown).from_(exp.to_table("named").as_("n"))
        return query.order_by(exp.column("code", table="n"))


@strict
def reidentify(
    baskets: Baskets,
    itemsets: str | Path,
    *,
    method: str = "integer",
    tolerance: float | str = 0,
    min_support: Support | None = None,
    unmatched: float | None = None,
    costs: str | Path | None = None,
    key: str | Path | None = None,
    faithful: bool = False,
    reach: float | None = None,
    seed: int = 0,
    nodes: int = NODES,
    time_limit: float | None = None,
) -> Reidentification:
    """Find the names of codes in renamed data, from published itemsets.

    `itemsets` is a Parquet file with the columns items and frequency. Frequencies may be off by
    `tolerance`. The data is mined at `min_support`, by default the least published frequency. With
    `unmatched`, itemsets may be missing or false at this cost; a match at the tolerance costs 1.
    `costs` is a Parquet file (items, cost, codes) with costs of single itemsets. Frequencies more
    than `reach` tolerances apart do not match; the default is 1. `faithful` uses the paper's
    constraints, has no cut-off, and rounds the relaxation by draws of the `seed`.
    UnreachableError: no naming fits.
    """
    nano = check_attack(method, tolerance, unmatched, nodes)
    furthest = reach_of(nano, reach, 1, faithful=faithful)
    if costs is not None and unmatched is None:
        raise InputError("--costs are of itemsets without a match: add --unmatched for the others")
    session = baskets.session
    session.begin()
    read_published(session, itemsets)
    if costs is not None:
        read_costs(session, costs)
    if key is not None:
        read_key(session, key)
        session.create(sql.truth())
    support = published_support(session, baskets.transactions, "known_set", nano, min_support)
    mine(baskets, support, "known_set")
    if costs is not None:
        find_costs(session, costs)
    candidates = find_candidates(
        session, "known_set", nano, unmatched=unmatched, faithful=faithful, reach=furthest
    )
    ambiguity = find_ambiguity(candidates.problem.mined.by_items())
    found = attack(candidates, ambiguity, method, nodes=nodes, seconds=time_limit, seed=seed)
    _refuse_unnamed(session, found, method)
    rows = [(*one, round(found.weights[one] * sql.MILLION)) for one in found.chosen]
    session.create(sql.assigned(rows))
    session.create(sql.named(judged=key is not None))
    return Reidentification(
        baskets,
        {
            "method": method,
            "tolerance": nano / sql.BILLION,
            "support": support,
            "unmatched": unmatched,
            "costs": None if costs is None else str(costs),
            "faithful": faithful,
            "reach": None if furthest >= sql.BILLION else furthest / max(1, nano),
            "seed": seed,
        },
        _metrics(candidates, ambiguity, found, true_names(session) if key is not None else None),
        (*COLUMNS, "correct") if key is not None else COLUMNS,
        session.runs,
    )


def check_attack(method: str, tolerance: float | str, unmatched: float | None, nodes: int) -> int:
    """Check the options; return the tolerance in billionths."""
    if method not in METHODS:
        raise InputError(f"there is no method {method!r}; choose one of {', '.join(METHODS)}")
    if nodes < 0:
        raise InputError(f"nodes is a whole number of at least 0, not {nodes}")
    if unmatched is not None and not 0 < unmatched < float("inf"):
        raise InputError(f"--unmatched is a cost above 0, not {unmatched}")
    try:
        share = Fraction(str(tolerance))
    except ValueError:
        raise InputError(f"the tolerance {tolerance!r} is not a number") from None
    if not 0 <= share <= 1:
        raise InputError(f"a tolerance is a difference of frequencies from 0 to 1, not {tolerance}")
    return math.ceil(share * sql.BILLION)


def reach_of(tolerance: int, reach: float | None, usual: float, *, faithful: bool) -> int:
    """The largest difference of frequencies that may match, in billionths.

    The paper has no cut-off. Without a tolerance, frequencies are equal.
    """
    if reach is not None and not 0 < reach < float("inf"):
        raise InputError(f"--reach is a number above 0, not {reach}")
    if not tolerance:
        return 0
    if reach is None and faithful:
        return sql.BILLION
    return min(sql.BILLION, math.ceil((usual if reach is None else reach) * tolerance))


def _refuse_unnamed(session: Session, found: Attack, method: str) -> None:
    """Refuse an attack without a naming: it would look as if the renaming had held."""
    if found.answer.status == "infeasible":
        session.refuse(
            UnreachableError(
                "no naming matches all itemsets: raise --tolerance, set --min-support to the "
                "support of the published itemsets, or let itemsets be missing with --unmatched"
            )
        )
    if found.answer.weights is None:
        session.refuse(
            UnreachableError(
                f"no naming was found ({found.answer.status}), which proves nothing: raise "
                f"--nodes, or try --method {'linear' if method != 'linear' else 'integer'}"
            )
        )


def true_names(session: Session) -> dict[int, int]:
    """The number of the true name of each code, if it was published."""
    return {int(mined): int(known) for mined, known in session.ask(sql.true_pairs())}


def _metrics(
    candidates: Candidates, ambiguity: Ambiguity, found: Attack, truth: dict[int, int] | None
) -> ReidentifyMetrics:
    problem, answer = candidates.problem, found.answer
    return ReidentifyMetrics(
        codes=len(problem.mined.items),
        names=len(problem.known.items),
        named=len(found.chosen),
        sure=found.sure,
        correct=None if truth is None else sum(truth.get(a) == b for a, b in found.chosen),
        expected=None if truth is None else found.expected(truth),
        uniform=None if truth is None else uniform(candidates, truth),
        ambiguous_items=ambiguity.items,
        ambiguity_classes=ambiguity.classes,
        undecided_items=ambiguity.undecided,
        refinement_cells=ambiguity.cells,
        published_itemsets=len(problem.known.ids),
        mined_itemsets=len(problem.mined.ids),
        pairs_before=candidates.itemset_pairs,
        pairs_after=len(problem.items) + len(problem.sets),
        item_pairs_before=len(candidates.unpruned),
        item_pairs_after=len(problem.items),
        rounds=candidates.rounds,
        columns=answer.columns,
        rows=answer.rows,
        status=answer.status,
        cost=answer.cost,
        gap=answer.gap,
        nodes=answer.nodes,
    )
