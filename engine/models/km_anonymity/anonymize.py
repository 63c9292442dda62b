"""k^m-anonymity: at least k transactions fit any m known items.

A release is k^m-anonymous if every set of at most m published nodes that some transaction holds is
held by at least k transactions. Items are generalized in all transactions, and all leaves below a
published node are replaced together.

Terrovitis, Mamoulis, Kalnis: Privacy-preserving anonymization of set-valued data, VLDB 2008. Their
*Apriori anonymization* (`apriori.py`) repairs one violating itemset at a time, so its result
depends on the order. The method optimal repairs all known violations together, by the cut of least
NCP. Sets of one node are checked before sets of two, coarse levels of the hierarchy before fine
ones. Each conflict holds for every k^m-anonymous cut. So a cut without violations loses no more
than any other such cut.

If the transactions were read with persons, every set is held by k persons: a person holds a set if
one of their transactions does.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from math import comb
from pathlib import Path

from setveil.arguments.strict import strict
from setveil.backends import Row
from setveil.errors import InputError, UnreachableError, option
from setveil.hierarchy.recode import LevelLoss, generalized, loss_of, refuse_carried
from setveil.hierarchy.trees import Hierarchy, read_hierarchy
from setveil.models.km_anonymity import apriori, cuts
from setveil.models.km_anonymity.check import MAX, check_km, known_items
from setveil.models.km_anonymity.cuts import Conflict, Tree
from setveil.models.km_anonymity.suppress import choose_nodes
from setveil.run import cost
from setveil.run.persons import note_persons
from setveil.run.reading import Baskets
from setveil.run.release import Release, make_release
from setveil.run.roles.promise import Promise
from setveil.run.session import FEW, Session
from setveil.run.slices.frozen import frozen_nodes, note_frozen
from setveil.run.words import counted
from setveil.sql.models.km_anonymity import cuts as sql
from setveil.sql.models.km_anonymity import persons as of_persons
from setveil.sql.step import Step

APRIORI = "apriori"
METHODS = ("optimal", APRIORI)
NODES = 100  # nodes of the branch-and-bound tree, per choice of a cut
LIMIT = 20_000  # violations that one query returns


@dataclass(frozen=True, slots=True)
class KmAnonymityMetrics:
    """The published nodes and the loss.

    `ncp` is the normalized certainty penalty, from 0 to 1, with a suppressed occurrence at 1;
    `information_lost` the share of all bits that is left untold. No choice has a penalty below
    `bound`, and `gap` is (ncp - bound) / ncp; the method apriori proves none.
    """

    transactions: int
    items: int
    occurrences: int
    duplicates: int
    persons: int | None  # None: transactions are counted
    labels: tuple[int, ...]  # labels on each level of the hierarchy, from the leaves to the root
    published: int  # nodes
    generalized_items: int
    levels: tuple[LevelLoss, ...]
    ncp: float
    information_lost: float
    bound: float | None
    gap: float | None
    rounds: int
    suppressed_items: int
    suppressed_occurrences: int
    emptied_transactions: int


WORD = 8  # bytes of a word of bits
BLOCK = 32  # bytes of a block of bits, besides its bits
SEEN = 24  # bytes of a set that is kept until its persons are counted
SHOWN = 4  # sizes of sets that are asked for where no data was read


@dataclass(frozen=True, slots=True)
class _Cut:
    split: set[int]
    bound: int | None  # on the gain; None if the method proves none
    rounds: int


@strict
def km_anonymity(
    baskets: Baskets,
    *,
    k: int,
    m: int | str,
    method: str = "optimal",
    hierarchy: str | Path | None = None,
    fanout: int | None = None,
    suppress: bool = False,
    nodes: int = NODES,
) -> Release[KmAnonymityMetrics]:
    """Generalize items until every set of up to m nodes is held by k transactions, or by none.

    `m` is a number or "max": then it holds for every m. `hierarchy` is a file, or a relation of the
    data's database; `fanout` builds an even one. With `suppress`, items are suppressed where that
    loses less. UnreachableError: there are fewer than k. The
    method apriori repairs one rare set after the other; optimal finds the cut of least loss.
    """
    known = known_items(k, m)
    if method not in METHODS:
        raise InputError(f"there is no method {method!r}; choose one of {', '.join(METHODS)}")
    if suppress and method == APRIORI:
        raise InputError(f"{option('suppress')} is for the method optimal: {APRIORI} generalizes")
    if nodes < 0:
        raise InputError(f"nodes is a whole number of at least 0, not {nodes}")
    session = baskets.session
    refuse_carried(baskets.shape)
    session.begin()
    note_persons(session, baskets.shape, baskets.persons)
    tall = read_hierarchy(baskets, hierarchy, fanout)
    persons = baskets.persons is not None
    columns = session.arrays(_tree(baskets))
    tree = cuts.tree_of(columns) if columns and len(columns["node"]) else None
    search = partial(_find_cut, session, k=k, m=known, nodes=nodes, method=method, persons=persons)
    if not columns:  # no data was read
        found = _one_round(session, known, method, persons=persons)
    elif tree is None:
        found = _Cut(set(), 0, 0)
    else:
        _refuse_unreachable(baskets, tree, k)
        found = search(tree)
        if frozen := frozen_nodes(baskets):
            free = _ncp(tree, found, tall, baskets)
            found = search(tree, frozen=frozen)
            note_frozen(baskets, "NCP", _ncp(tree, found, tall, baskets), free)
    suppressed = None
    if suppress:
        cut = [] if tree is None else cuts.cut_of(tree, found.split)
        suppressed = choose_nodes(baskets, tall, cut, k=k, m=known, nodes=nodes)
    else:
        session.decide(
            "split",
            "each row is a node whose children are published instead",
            sorted(found.split),
            brief=True,
        )
        session.within(sql.recoded("recoded_item", "split"))
    loss = loss_of(baskets, tall, everywhere=True)
    step, shape = generalized(baskets, everywhere=True)
    verdict = make_release(
        baskets,
        step,
        lambda cells: check_km(session, cells, owners=baskets.owners, k=k, m=known),
        shape=shape,
    )
    if suppressed is None:
        least = _least(tree, found, loss.ncp, tall, baskets)
    else:
        least = min(loss.ncp, suppressed.bound)
    return Release(
        baskets,
        promise=Promise("km-anonymity", {"k": k, "m": m if m == MAX else int(m)}),
        model="km-anonymity",
        parameters=_parameters(k, m, method, hierarchy, fanout)
        | ({"suppress": True} if suppress else {}),
        verdict=verdict,
        metrics=KmAnonymityMetrics(
            transactions=baskets.transactions,
            items=baskets.items,
            occurrences=baskets.occurrences,
            duplicates=baskets.duplicates,
            persons=baskets.persons,
            labels=tall.labels,
            published=sum(level.nodes for level in loss.levels),
            generalized_items=sum(1 for one in loss.items if one > 0),
            levels=loss.levels,
            ncp=loss.ncp,
            information_lost=loss.information,
            bound=least,
            gap=None if least is None else (loss.ncp - least) / (loss.ncp or 1),
            rounds=found.rounds + (suppressed.rounds if suppressed else 0),
            suppressed_items=baskets.items - len(loss.items),
            suppressed_occurrences=baskets.occurrences
            - sum(one.occurrences for one in loss.levels),
            emptied_transactions=suppressed.transactions if suppressed else 0,
        ),
        run=session.runs,
        released=shape,
    )


def _parameters(
    k: int, m: int | str, method: str, hierarchy: str | Path | None, fanout: int | None
) -> dict[str, object]:
    tree = {"fanout": fanout} if hierarchy is None else {"hierarchy": str(hierarchy)}
    return {"k": k, "m": m if m == MAX else int(m), "method": method, **tree}


def _tree(baskets: Baskets) -> Step:
    if baskets.persons is None:
        return sql.tree(_width(baskets))
    return of_persons.tree(baskets.transactions, baskets.persons)


def _width(baskets: Baskets) -> int:
    """The number of transactions per block with which the blocks of all items take the least."""

    def taken(width: int) -> float:
        blocks = min(baskets.occurrences, baskets.items * (1 + baskets.transactions // width))
        return blocks * (BLOCK + width / 8)

    return min(baskets.session.backend.can.posting_widths, key=taken)


def _refuse_unreachable(baskets: Baskets, tree: Tree, k: int) -> None:
    known = tree.support[tree.root]
    held = f"{known:,} transactions with items"
    if baskets.persons is not None:
        held = f"{counted(known, 'person')} of transactions with items"
    if 0 < known < k:
        raise UnreachableError(
            f"the data has {held}, fewer than k = {k}: no release of it can keep the promise; "
            "lower k"
        )


def _find_cut(
    session: Session,
    tree: Tree,
    *,
    k: int,
    m: int | None,
    nodes: int,
    method: str,
    persons: bool,
    frozen: Iterable[int] = (),
) -> _Cut:
    """The cut of this method. The nodes that are `frozen` are not split."""
    if method == APRIORI:
        split, sizes = apriori.find_cut(session, tree, k, m, persons=persons, frozen=frozen)
        return _Cut(split, None, sizes)
    return _best_cut(session, tree, k, m, nodes, persons=persons, frozen=frozen)


def _best_cut(
    session: Session,
    tree: Tree,
    k: int,
    m: int | None,
    nodes: int,
    *,
    persons: bool,
    frozen: Iterable[int],
) -> _Cut:
    """Repair violations, level by level from the top, until there are none."""
    conflicts = {frozenset({node}) for node in frozen} | {
        frozenset({tree.parent[node]})
        for node, support in enumerate(tree.support)
        if 0 < support < k and node != tree.root
    }
    split: set[int] = set()
    bound, rounds, fine = 0, 0, True
    known = _Known()
    lengths = cost.Lengths(() if m == 1 else session.ask(sql.item_lengths()))
    for level in reversed(range(tree.level[tree.root])):
        while True:
            found, bound = cuts.best_split(tree, level, conflicts, nodes)
            if found == split and fine:
                break
            split, rounds = found, rounds + 1
            new = (
                set()
                if m == 1
                else _conflicts(session, tree, split, k, m, rounds, lengths, known, persons=persons)
            )
            fine = new <= conflicts  # the cut avoids all known conflicts, so new ones are unknown
            conflicts |= new
    return _Cut(split, bound, rounds)


class _Known:
    """The cuts whose sets were counted, by their size: what violates there is a known conflict.

    A cut avoids known conflicts. So no set of nodes that one such cut published violates again.
    """

    def __init__(self) -> None:
        self._cuts: dict[int, list[set[int]]] = {}

    def counted(self, size: int, cut: set[int]) -> None:
        """All sets of so many nodes of the cut were counted."""
        self._cuts.setdefault(size, []).append(cut)

    def fresh(self, size: int, cut: set[int]) -> set[int]:
        """The nodes of which a set of this size needs one, if its support is not known."""
        before = self._cuts.get(size, ())
        return min((cut - one for one in before), key=len, default=cut)


def _conflicts(
    session: Session,
    tree: Tree,
    split: set[int],
    k: int,
    m: int | None,
    number: int,
    lengths: cost.Lengths,
    known: _Known,
    *,
    persons: bool,
) -> set[Conflict]:
    """The conflicts that follow from the smallest violations of a cut.

    `lengths` are in items. In nodes, transactions are no longer.
    """
    cut = set(cuts.cut_of(tree, split))
    if m is not None and not any(known.fresh(size, cut) for size in range(2, 1 + m)):
        return set()
    published = len(cut)
    words = of_persons.words(k) if persons else 0
    _lay_out(session, sorted(split), published, number, k, persons=persons)
    rough = [_outlook(size, published, lengths, words) for size in range(2, 1 + (m or 1))]
    if m is None or not all(cost.fits(session, one) for one in rough):
        lengths = cost.Lengths(session.ask(sql.lengths(number)))
    found: set[Conflict] = set()
    for size in range(2, 1 + min(m or lengths.longest, lengths.longest)):
        outlook = _outlook(size, published, lengths, words)
        cost.allow(session, outlook)
        if not (fresh := known.fresh(size, cut)):
            continue
        some = None if persons or len(fresh) > FEW or fresh == cut else sorted(fresh)
        violating = _rare(session, number, size, k, outlook.smaller, some, persons=persons)
        if len(violating) < LIMIT:
            known.counted(size, cut)
        found = {cuts.conflict(tree, map(int, row)) for row in violating}
        if found:
            break
    for made in (f"general_{number}", *_kinds(number, persons), f"recoded_{number}"):
        session.leave(made)
    session.leave(f"split_{number}")
    return found


def _outlook(size: int, published: int, lengths: cost.Lengths, words: int) -> cost.Outlook:
    """The sets of published nodes of this size; the persons of each take so many words."""
    sets, rows = comb(published, size), lengths.sets(size)
    kept = (WORD * words + SEEN * (words > 0)) * min(sets, rows)
    smaller = f"lower {option('m')} to {size - 1}"
    return cost.Outlook(f"sets of {size} nodes", sets, rows, smaller, kept)


def _kinds(number: int, persons: bool) -> list[str]:
    return [f"kind_{number}"] * persons


def _rare(
    session: Session,
    number: int,
    size: int,
    k: int,
    fewer: str,
    fresh: list[int] | None = None,
    *,
    persons: bool,
) -> list[Row]:
    """The parents of the nodes of sets that are held by too few, if known of sets with `fresh`."""
    if not persons:
        return session.ask(sql.violations(number, size, k, LIMIT, fresh))
    doubtful = session.counted(of_persons.doubts(number, size, k))
    (held,) = session.one(of_persons.held(number, size))
    what = f"sets of {size} nodes whose persons are counted"
    cost.allow(session, cost.Outlook(what, int(held), int(held), fewer))
    rows = session.ask(of_persons.violations(number, size, k, LIMIT)) if doubtful else []
    session.drop(f"doubt_{number}_{size}")
    return rows


def _lay_out(
    session: Session, split: list[int], published: int, number: int, k: int, *, persons: bool
) -> None:
    session.decide(
        f"split_{number}",
        "each row is a node whose children are published instead",
        split,
        brief=True,
    )
    session.within(sql.recoded(f"recoded_{number}", f"split_{number}"))
    if not persons:
        session.create(sql.general(number, published))
        return
    session.create(of_persons.kinds(number, published))
    session.create(of_persons.general(number, k))


def _one_round(session: Session, m: int | None, method: str, *, persons: bool) -> _Cut:
    """Run the queries of one round on the cut at the root."""
    if method == APRIORI:
        apriori.rehearse(session, m, persons=persons)
        return _Cut(set(), 0, 0)
    _lay_out(session, [], 1, 1, 2, persons=persons)
    session.ask(sql.lengths(1))
    for size in range(2, 1 + min(m or SHOWN, SHOWN)):
        _rare(session, 1, size, 2, "", persons=persons)
    return _Cut(set(), 0, 0)


def _ncp(tree: Tree, found: _Cut, hierarchy: Hierarchy, baskets: Baskets) -> float:
    """The NCP of a cut."""
    lost = tree.cost[tree.root] - sum(tree.gain(node) for node in found.split)
    return lost / max(1, hierarchy.leaves * baskets.occurrences)


def _least(
    tree: Tree | None, found: _Cut, ncp: float, hierarchy: Hierarchy, baskets: Baskets
) -> float | None:
    """The least NCP of any cut: the cost at the root less the bound on the gain."""
    if tree is None:
        return ncp
    if found.bound is None:
        return None
    lost = tree.cost[tree.root] - found.bound
    return min(ncp, max(0, lost) / max(1, hierarchy.leaves * baskets.occurrences))
