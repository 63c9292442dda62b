"""What generalization cost: the penalty of each occurrence, read off what was published of it.

An occurrence is at the lowest published node of its transaction that is above it in the hierarchy,
as every model here publishes it. He and Naughton, VLDB 2009, section 3.2.
"""

from __future__ import annotations

from dataclasses import replace

from setveil.comparison.changes import match_transactions
from setveil.comparison.findings import Compared
from setveil.comparison.sides import Beside
from setveil.hierarchy.recode import loss_of
from setveil.hierarchy.trees import Hierarchy
from setveil.models.k_anonymity.check import check_k_anonymity
from setveil.run.reading import cells_of
from setveil.sql.comparison import changes as sql


def with_penalties(found: Compared, beside: Beside, hierarchy: Hierarchy | None) -> Compared:
    """How alike transactions became and, by the hierarchy, what each item lost of its meaning."""
    transactions = match_transactions(beside)
    session = beside.run.session
    cells = cells_of(session, beside.run.shape, "source")
    classes = check_k_anonymity(session, cells, k=1, levels=False)
    found = replace(found, transactions_kept=transactions, discernibility=classes.discernibility)
    if hierarchy is None or transactions is None:
        return found
    return _with_ncp(found, beside, hierarchy)


def _with_ncp(found: Compared, beside: Beside, hierarchy: Hierarchy) -> Compared:
    """The original's run has the hierarchy, and gets the nodes; the next release's replace them."""
    original, session = beside.original, beside.original.session
    nodes = beside.of_release("item"), beside.of_release("occurrence")
    session.create(sql.published_nodes(*nodes, beside.of_release("matched_basket")))
    covered = session.counted(sql.recoded())
    if covered == original.occurrences or session.dry:
        loss = loss_of(original, hierarchy)
        found = replace(found, ncp=loss.ncp, ncp_by_level=loss.levels)
    else:
        session.note(
            f"{beside.name}: its nodes stand for {covered:,} of {original.occurrences:,} "
            "occurrences by this hierarchy: is it the one that it was made with? The penalty is "
            "left out"
        )
    for name in ("published_node", "recoded"):
        session.drop(name)
    return found
