"""k^m-anonymity: at least k transactions fit any m known items.

A release is k^m-anonymous if every set of at most m published nodes that some transaction holds is
held by at least k transactions. Items are generalized in all transactions, and all leaves below a
published node are replaced together.

Terrovitis, Mamoulis, Kalnis: Privacy-preserving anonymization of set-valued data, VLDB 2008. Their
*Apriori anonymization* repairs one violating itemset at a time, so its result depends on the order.
Here all known violations are repaired together, by the cut of least NCP. Sets of one node are
checked before sets of two, coarse levels of the hierarchy before fine ones. Each conflict holds for
every k^m-anonymous cut. So a cut without violations loses no more than any other such cut.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from pathlib import Path

from setveil.arguments.strict import strict
from setveil.errors import InputError, UnreachableError, option
from setveil.hierarchy.recode import LevelLoss, generalized, loss_of, refuse_carried
from setveil.hierarchy.trees import Hierarchy, read_hierarchy
from setveil.models.km_anonymity import cuts
from setveil.models.km_anonymity.check import MAX, check_km, known_items
from setveil.models.km_anonymity.cuts import Conflict, Tree
from setveil.run import cost
from setveil.run.persons import note_persons, refuse_persons
from setveil.run.reading import Baskets
from setveil.run.release import Release, make_release
from setveil.run.roles.promise import Promise
from setveil.run.session import Session
from setveil.sql.models.km_anonymity import cuts as sql

NODES = 100  # nodes of the branch-and-bound tree, per choice of a cut
LIMIT = 20_000  # violations that one query returns


@dataclass(frozen=True, slots=True)
class KmAnonymityMetrics:
    """The published nodes and the loss.

    `ncp` is the normalized certainty penalty, from 0 to 1; `information_lost` the share of all bits
    that is left untold. No cut has a penalty below `bound`, and
    `gap` is (ncp - bound) / ncp.
    """

    transactions: int
    items: int
    occurrences: int
    duplicates: int
    labels: tuple[int, ...]  # labels on each level of the hierarchy, from the leaves to the root
    published: int  # nodes
    generalized_items: int
    levels: tuple[LevelLoss, ...]
    ncp: float
    information_lost: float
    bound: float
    gap: float
    rounds: int


SHOWN = 4  # sizes of sets that are asked for where no data was read


@dataclass(frozen=True, slots=True)
class _Cut:
    split: set[int]
    bound: int  # on the gain
    rounds: int


@strict
def km_anonymity(
    baskets: Baskets,
    *,
    k: int,
    m: int | str,
    hierarchy: str | Path | None = None,
    fanout: int | None = None,
    nodes: int = NODES,
) -> Release[KmAnonymityMetrics]:
    """Generalize items until every set of up to m nodes is held by k transactions, or by none.

    `m` is a number or "max": then it holds for every m. `hierarchy` is a file, or a relation of the
    data's database; `fanout` builds an even one. UnreachableError: there are fewer than k.
    """
    known = known_items(k, m)
    if nodes < 0:
        raise InputError(f"nodes is a whole number of at least 0, not {nodes}")
    session = baskets.session
    refuse_carried(baskets.shape)
    session.begin()
    note_persons(session, baskets.shape)
    refuse_persons(baskets.shape, "the promise does not count persons yet")
    tall = read_hierarchy(baskets, hierarchy, fanout)
    columns = session.arrays(sql.tree(baskets.transactions))
    tree = cuts.tree_of(columns) if columns and len(columns["node"]) else None
    if not columns:  # no data was read
        found = _one_round(session, known)
    elif tree is None:
        found = _Cut(set(), 0, 0)
    else:
        _refuse_unreachable(baskets, tree, k)
        found = _find_cut(session, tree, k, known, nodes)
    session.decide(
        "split", "each row is a node whose children are published instead", sorted(found.split)
    )
    session.create(sql.recoded("recoded_item", "split"))
    loss = loss_of(baskets, tall, everywhere=True)
    step, shape = generalized(baskets, everywhere=True)
    verdict = make_release(
        baskets, step, lambda cells: check_km(session, cells, k=k, m=known), shape=shape
    )
    least = _least(tree, found, loss.ncp, tall, baskets)
    return Release(
        baskets,
        promise=Promise("km-anonymity", {"k": k, "m": m if m == MAX else int(m)}),
        model="km-anonymity",
        parameters=_parameters(k, m, hierarchy, fanout),
        verdict=verdict,
        metrics=KmAnonymityMetrics(
            transactions=baskets.transactions,
            items=baskets.items,
            occurrences=baskets.occurrences,
            duplicates=baskets.duplicates,
            labels=tall.labels,
            published=sum(level.nodes for level in loss.levels),
            generalized_items=sum(1 for one in loss.items if one > 0),
            levels=loss.levels,
            ncp=loss.ncp,
            information_lost=loss.information,
            bound=least,
            gap=(loss.ncp - least) / loss.ncp if loss.ncp else 0.0,
            rounds=found.rounds,
        ),
        run=session.runs,
        released=shape,
    )


def _parameters(
    k: int, m: int | str, hierarchy: str | Path | None, fanout: int | None
) -> dict[str, object]:
    tree = {"fanout": fanout} if hierarchy is None else {"hierarchy": str(hierarchy)}
    return {"k": k, "m": m if m == MAX else int(m), **tree}


def _refuse_unreachable(baskets: Baskets, tree: Tree, k: int) -> None:
    if 0 < tree.support[tree.root] < k:
        raise UnreachableError(
            f"the data has {tree.support[tree.root]:,} transactions with items, fewer than "
            f"k = {k}: no release of it can keep the promise; lower k"
        )


def _find_cut(session: Session, tree: Tree, k: int, m: int | None, nodes: int) -> _Cut:
    """Repair violations, level by level from the top, until there are none."""
    conflicts = {
        frozenset({tree.parent[node]})
        for node, support in enumerate(tree.support)
        if 0 < support < k and node != tree.root
    }
    split: set[int] = set()
    bound, rounds, fine = 0, 0, True
    for level in reversed(range(tree.level[tree.root])):
        while True:
            found, bound = cuts.best_split(tree, level, conflicts, nodes)
            if found == split and fine:
                break
            split, rounds = found, rounds + 1
            new = set() if m == 1 else _conflicts(session, tree, split, k, m, rounds)
            fine = new <= conflicts  # the cut avoids all known conflicts, so new ones are unknown
            conflicts |= new
    return _Cut(split, bound, rounds)


def _conflicts(
    session: Session, tree: Tree, split: set[int], k: int, m: int | None, number: int
) -> set[Conflict]:
    """The conflicts that follow from the smallest violations of a cut."""
    published = len(cuts.cut_of(tree, split))
    _lay_out(session, sorted(split), published, number)
    lengths = cost.Lengths(session.ask(sql.lengths(number)))
    found: set[Conflict] = set()
    for size in range(2, 1 + min(m or lengths.longest, lengths.longest)):
        sets, what = comb(published, size), f"sets of {size} nodes"
        fewer = f"lower {option('m')} to {size - 1}"
        cost.allow(session, cost.Outlook(what, sets, lengths.sets(size), fewer))
        rows = session.ask(sql.violations(number, size, k, LIMIT))
        found = {cuts.conflict(tree, map(int, row)) for row in rows}
        if found:
            break
    for made in (f"general_{number}", f"recoded_{number}", f"split_{number}"):
        session.drop(made)
    return found


def _lay_out(session: Session, split: list[int], published: int, number: int) -> None:
    session.decide(
        f"split_{number}", "each row is a node whose children are published instead", split
    )
    session.create(sql.recoded(f"recoded_{number}", f"split_{number}"))
    session.create(sql.general(number, published))


def _one_round(session: Session, m: int | None) -> _Cut:
    """Run the queries of one round on the cut at the root."""
    _lay_out(session, [], 1, 1)
    session.ask(sql.lengths(1))
    for size in range(2, 1 + min(m or SHOWN, SHOWN)):
        session.ask(sql.violations(1, size, 2, LIMIT))
    return _Cut(set(), 0, 0)


def _least(
    tree: Tree | None, found: _Cut, ncp: float, hierarchy: Hierarchy, baskets: Baskets
) -> float:
    """The least NCP of any cut: the cost at the root less the bound on the gain."""
    if tree is None:
        return ncp
    lost = tree.cost[tree.root] - found.bound
    return min(ncp, max(0, lost) / max(1, hierarchy.leaves * baskets.occurrences))
