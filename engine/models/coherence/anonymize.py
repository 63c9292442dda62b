"""(h, k, p)-coherence: suppress items everywhere until no mole is left.

A *mole* is a set of at most p public items that is held by some transaction, but by fewer than k.
It is a mole too if more than a share h of its transactions hold one private item. The supports of
all remaining items are exact.
Xu, Wang, Fu, Yu: Anonymizing transaction databases for publication, KDD 2008.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from setveil.arguments.shares import Share
from setveil.arguments.strict import strict
from setveil.errors import InputError, UnreachableError
from setveil.models.coherence import choose as suppression
from setveil.models.coherence.check import check_coherence
from setveil.models.coherence.choose import Ints, Moles, Proof
from setveil.models.coherence.losses import Losses, item_losses
from setveil.models.coherence.metrics import GeneralizationMetrics
from setveil.models.coherence.promise import Level, Promise, promised
from setveil.models.coherence.search import PLANS, find_moles
from setveil.models.model import Late
from setveil.run.persons import note_persons
from setveil.run.reading import Baskets
from setveil.run.release import Release, kept, make_release
from setveil.run.roles.lists import Items
from setveil.run.roles.promise import Promise as Promised
from setveil.run.session import Session
from setveil.run.words import counted
from setveil.sql.models.coherence import search as moles
from setveil.sql.run import lists

GENERALIZE = "generalize"
STRATEGIES = ("mm-il", "mm", "1-il", "rm-all", "optimal", GENERALIZE)
LEAST_LOSS = Late("setveil.models.coherence.cutting.items", "least_loss")  # needs HiGHS
NODES = 10  # default limit of the branch-and-bound tree: about a minute on hard data


@dataclass(frozen=True, slots=True)
class CoherenceMetrics:
    """The moles that were found, and the loss.

    `information_loss` is the share of all occurrences that was suppressed (S/N in the paper),
    `information_lost` the share of all bits; `loss` is the sum of the losses of the suppressed
    items. With the method optimal, no choice of items loses less than `bound`, and `gap` is
    (loss - bound) / loss.
    """

    transactions: int
    items: int
    occurrences: int
    duplicates: int
    persons: int | None  # None: transactions are counted
    private_items: int
    public_items: int
    moles: tuple[int, ...]  # minimal moles of 1, 2, … p items
    revealing: tuple[int, ...]  # minimal moles that are not rare but reveal a private item
    suppressed_items: int
    restored_items: int
    suppressed_occurrences: int
    emptied_transactions: int
    information_loss: float
    information_lost: float
    loss: float
    bound: float | None
    gap: float | None


@dataclass(frozen=True, slots=True)
class Choice:
    """The suppressed items, and how many items were returned."""

    suppressed: list[int]
    restored: int
    proof: Proof | None = None


@strict
def coherence(
    baskets: Baskets,
    *,
    k: int,
    p: int,
    h: Share | None = None,
    private: Items = (),
    public: Items | None = None,
    method: str = "mm-il",
    loss: str | Path | Mapping[object, float] | None = None,
    hierarchy: str | Path | None = None,
    fanout: int | None = None,
    faithful: bool = False,
    ignore_unknown: bool = False,
    plan: str = "auto",
    nodes: int = NODES,
    time_limit: float | None = None,
) -> Release[CoherenceMetrics] | Release[GeneralizationMetrics]:
    """Suppress public items until no mole is left; the release has passed the checker.

    `private` and `public` are sequences of names, a file, or `where:` and an SQL condition. By
    default all items that are not private are public. With the method generalize, nodes of a
    `hierarchy` are published in the place of items. UnreachableError: no suppression helps.
    """
    session = baskets.session
    check_options(method, plan, nodes)
    if method == GENERALIZE:
        from setveil.models.coherence.generalize import generalize  # which builds on this module

        return generalize(
            baskets,
            k=k,
            p=p,
            h=h,
            private=private,
            public=public,
            loss="information" if loss is None else loss,
            hierarchy=hierarchy,
            fanout=fanout,
            ignore_unknown=ignore_unknown,
            nodes=nodes,
        )
    if hierarchy is not None or fanout is not None:
        raise InputError(f"a hierarchy is for --method {GENERALIZE}; {method} suppresses items")
    loss = "support" if loss is None else loss
    session.begin()
    note_persons(session, baskets.shape, baskets.persons)
    promise = promised(
        session,
        k,
        p,
        h,
        private,
        public,
        ignore_unknown=ignore_unknown,
        brief=baskets.once,
    )
    refuse_unreachable(baskets, promise)
    levels = find_moles(
        session,
        promise,
        items=baskets.items,
        transactions=baskets.transactions,
        persons=baskets.persons is not None,
        plan=plan,
    )
    losses = item_losses(session, loss)
    choice = choose(session, levels, losses.of, method, faithful, nodes, time_limit)
    session.decide(
        "suppressed_item",
        f"each row is an item to suppress, chosen by {method}",
        choice.suppressed,
        brief=True,
    )
    emptied = _emptied(baskets)
    verdict = make_release(
        baskets,
        kept(baskets, everywhere=True),
        lambda cells: check_coherence(
            session, cells, lists.roles(), owners=baskets.owners, h=promise.h, k=k, p=p
        ),
    )
    if emptied is None:  # long form has no row for an emptied transaction
        emptied = baskets.transactions - verdict.transactions
    roles = {"private": "private_item"} | ({} if public is None else {"public": "public_item"})
    return Release(
        baskets,
        promise=Promised("coherence", {"h": str(promise.h), "k": k, "p": p}, roles),
        model="coherence",
        parameters=_parameters(promise, method, loss, faithful),
        verdict=verdict,
        metrics=metrics_of(baskets, promise, levels, losses, choice, emptied),
        run=session.runs,
    )


def refuse_unreachable(baskets: Baskets, promise: Promise) -> None:
    """Refuse data whose empty itemset is a mole: then no release is coherent (Theorem 1)."""
    session, transactions, persons = baskets.session, baskets.transactions, baskets.persons
    if not transactions:
        return
    number = transactions if persons is None else persons
    if number < promise.k:
        held = counted(number, "transaction" if persons is None else "person")
        session.refuse(
            UnreachableError(
                f"the data has {held}, fewer than k = {promise.k}: no release of it can keep the "
                "promise; lower k"
            )
        )
    if worst := session.ask(moles.unbearable(promise.h, persons)):
        name, support, _, *owners = worst[0]
        held = f"{support:,} of {transactions:,} transactions"
        shares = [support / transactions]
        if persons is not None:
            held += f", of {owners[0]:,} of {persons:,} persons"
            shares.append(owners[0] / persons)
        others = f" (and {len(worst) - 1:,} more items)" if len(worst) > 1 else ""
        raise UnreachableError(
            f"the private item {str(name)!r}{others} is in {held}, a share of {max(shares):.4f}, "
            f"above h = {float(promise.h):g}: an attacker who knows no item infers it; raise h or "
            "leave the item out"
        )


def choose(
    session: Session,
    levels: list[Level],
    loss: Ints,
    method: str,
    faithful: bool,
    nodes: int,
    time_limit: float | None,
) -> Choice:
    """Choose items to suppress: all moles of one item, and an item of each larger mole."""
    if method == "rm-all":
        return Choice([int(item) for (item,) in session.ask(lists.public())], 0)
    alone = [int(item) for item in levels[0].moles.reshape(-1)]
    larger = Moles([level.moles for level in levels[1:]], len(loss))
    score = suppression.SCORES["mm-il" if method == "optimal" else method]
    chosen = suppression.greedy(larger, loss, score)
    back = [] if faithful else suppression.restore(larger, loss, chosen)
    kept_out = [item for item in chosen if item not in set(back)]
    if method != "optimal":
        return Choice(sorted(alone + kept_out), len(back))
    best, proof = LEAST_LOSS(larger, loss, kept_out, nodes=nodes, seconds=time_limit)
    return Choice(sorted(alone + best), 0, proof.plus(sum(int(loss[item]) for item in alone)))


def _parameters(
    promise: Promise, method: str, loss: str | Path | Mapping[object, float], faithful: bool
) -> dict[str, object]:
    return {
        "h": float(promise.h),
        "k": promise.k,
        "p": promise.p,
        "method": method,
        "loss": str(loss) if isinstance(loss, str | Path) else "table",
        "faithful": faithful,
    }


def metrics_of(
    baskets: Baskets,
    promise: Promise,
    levels: list[Level],
    losses: Losses,
    choice: Choice,
    emptied: int,
) -> CoherenceMetrics:
    """Count the moles that were found and the loss of this choice."""
    suppressed = losses.occurrences(choice.suppressed)
    missing = (0,) * (
        promise.p - len(levels)
    )  # the search ended early: no larger itemset is a mole
    return CoherenceMetrics(
        transactions=baskets.transactions,
        items=baskets.items,
        occurrences=baskets.occurrences,
        duplicates=baskets.duplicates,
        persons=baskets.persons,
        private_items=promise.private,
        public_items=promise.public,
        moles=tuple(len(level.moles) for level in levels) + missing,
        revealing=tuple(level.revealing for level in levels) + missing,
        suppressed_items=len(choice.suppressed),
        restored_items=choice.restored,
        suppressed_occurrences=suppressed,
        emptied_transactions=emptied,
        information_loss=suppressed / max(1, baskets.occurrences),
        information_lost=losses.information(choice.suppressed),
        loss=losses.lost(choice.suppressed),
        bound=choice.proof.bound / losses.unit if choice.proof else None,
        gap=choice.proof.gap if choice.proof else None,
    )


def _emptied(baskets: Baskets) -> int | None:
    """Count the emptied transactions where the checker cannot; None where it can."""
    if not baskets.shape.lists and not baskets.dropped:
        return None
    (emptied,) = baskets.session.one(lists.emptied())
    return int(emptied)


def check_options(method: str, plan: str, nodes: int) -> None:
    """Refuse unknown options before any work."""
    for name, value, known in (("method", method, STRATEGIES), ("plan", plan, PLANS)):
        if value not in known:
            raise InputError(f"there is no {name} {value!r}; choose one of {', '.join(known)}")
    if nodes < 0:
        raise InputError(f"nodes is a whole number of at least 0, not {nodes}")
