"""k^m-anonymity: any m published nodes are held by k transactions or by none."""

from __future__ import annotations

from setveil.models.model import Late, Model, count, number, tree

HERE = "setveil.models.km_anonymity"

MODEL = Model(
    name="km-anonymity",
    title="k^m-anonymity",
    paper="Terrovitis et al., VLDB 2008, in He, Naughton, VLDB 2009",
    short="k^m-anonymity: items generalized everywhere.",
    about="""k^m-anonymity: generalize items until any m nodes fit at least k transactions.

    Items are replaced by nodes of a hierarchy in every transaction, always all items below a node,
    as bread by bakery. Any set of up to m published nodes is held by at least k transactions or by
    none. Of all such cuts, the one with the least loss is used.
    """,
    guarantee="any set of up to m published nodes is held by at least k transactions or by none",
    violation="Sets of nodes that fewer than k transactions hold.",
    promise=(
        count("k", "Any set of known nodes is in at least N transactions."),
        count(
            "m", "Attackers know up to N items of a transaction; max: any number.", words=("max",)
        ),
    ),
    method=(*tree(), number("nodes", "Search up to N nodes for a cut of least loss.", 100)),
    anonymize=Late(f"{HERE}.anonymize", "km_anonymity"),
    judge=Late(f"{HERE}.check", "judge"),
    texts=f"{HERE}.texts",
    axes=("m", "k"),
    cost="ncp",
    counts=("published", "generalized_items"),
    of_nodes=True,
)
