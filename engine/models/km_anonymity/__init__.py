"""k^m-anonymity: any m published nodes are held by k transactions or by none."""

from __future__ import annotations

from setveil.models.model import Joined, Late, Model, choice, count, flag, number, tree

HERE = "setveil.models.km_anonymity"

MODEL = Model(
    name="km-anonymity",
    title="k^m-anonymity",
    paper="Terrovitis et al., VLDB 2008, in He, Naughton, VLDB 2009",
    short="k^m-anonymity: items generalized everywhere.",
    about="""k^m-anonymity: generalize items until any m nodes fit at least k transactions.

    An item is replaced by a node of a hierarchy, such as bread by bakery, in every transaction,
    together with all items below that node. Any set of up to m published nodes is held by at least
    k transactions or by none; with --person, by at least k persons. Among all such choices of
    nodes, the one with the least loss is used. With --suppress an outlier goes, instead of dragging
    its branch up.
    From the papers, to compare with: --method apriori.
    """,
    guarantee="any set of up to m published nodes is held by at least k transactions or by none",
    guarantee_in_persons="any set of up to m published nodes is held by at least k different "
    "persons or by nobody",
    violation="Sets of nodes that fewer than k transactions hold.",
    attacker="knows up to m items of a transaction",
    promise=(
        count("k", "Any set of known nodes is in at least N transactions, or of N persons."),
        count(
            "m", "Attackers know up to N items of a transaction; max: any number.", words=("max",)
        ),
    ),
    method=(
        choice(
            "method",
            "The choice of nodes with the least loss (optimal). From the papers, to compare with: "
            "one rare set of nodes repaired at a time, from the leaves up (apriori).",
            "optimal",
            "apriori",
        ),
        *tree(),
        flag("suppress", "Suppress items where that loses less than to generalize their branch."),
        number(
            "nodes",
            "For optimal: search up to N branches for the choice of nodes with least loss.",
            100,
        ),
    ),
    anonymize=Late(f"{HERE}.anonymize", "km_anonymity"),
    judge=Late(f"{HERE}.check", "judge"),
    forecast=Late(f"{HERE}.forecast", "work"),
    query=Late(f"{HERE}.query", "query"),
    texts=f"{HERE}.texts",
    axes=("m", "k"),
    cost="ncp",
    counts=("published", "generalized_items"),
    advised=({"k": 5, "m": 2}, {"k": 12, "m": 2}),
    of_nodes=True,
    joined=Joined(),
)
