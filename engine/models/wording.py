"""The promise of a model in one sentence, with the numbers of a run."""

from __future__ import annotations

import re
from collections.abc import Mapping

from setveil.models.model import Model

OF_SHARES = "no private item"  # the part of a promise that h bounds
NO_BOUND = ("None", "1", "1.0", "100%")
OTHERS = {
    "degree": "N",
    "min_support": "`--min-support`",
}  # terms with another word in the sentence


def promised_by(model: Model, person: str | None, guests: str | None = None) -> str:
    """The promise in words: in persons where they are counted, and it can count them."""
    if person is None or model.guarantee_in_persons is None:
        return model.guarantee
    own = ", and each transaction without one counts as a person of its own" if guests else ""
    return f"{model.guarantee_in_persons}; persons are those of the column {person!r}{own}"


def in_words(
    model: Model, terms: Mapping[str, object], person: str | None, guests: str | None = None
) -> str:
    """The promise in one sentence, with the numbers of a run; a share of 1 bounds nothing."""
    said = promised_by(model, person, guests)
    if str(terms.get("h")) in NO_BOUND:
        said = "; ".join(one for one in said.split("; ") if not one.startswith(OF_SHARES))
    return numbered(said, terms)


def numbered(text: str, terms: Mapping[str, object]) -> str:
    """The sentence with numbers in place of the terms that have one."""
    if terms.get("m") == "max":
        text = text.replace("up to m ", "any number of ")
    if isinstance(k := terms.get("k"), int):
        text = text.replace("k \u2212 1", str(k - 1))
    words = {OTHERS.get(name, name): str(one) for name, one in terms.items() if one is not None}
    found = "|".join(rf"(?<![\w']){re.escape(word)}(?![\w'])" for word in words)
    return re.sub(found, lambda one: words[one[0]], text) if found else text
