"""Write audits of sqlmesh whose queries are the checkers themselves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.metadata import version

from setveil.export.template import VARIANTS, Variant, filled, marked
from setveil.sql.dialects import TESTED

NAMES = {
    "release": "@this_model",
    "tid": "@tid",
    "item": "@item",
    "person": "@person",
    "persons": "@persons",
    "list": "@list",
    "original": "@original",
}
SHARE = {"coherence": "@h", "uncertainty": "@rho", "hiding": "@psi"}

AUDIT = """\
-- Written by setveil {version}: a row per violation, and none if the promise holds.{run}
AUDIT (
  name {name},
  dialect {dialect},
  defaults (tid = tid, item = item)
);

{query}
"""


def files(dialects: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The audits, each with its path and text. A project has one dialect."""
    for dialect in dialects:
        for variant in VARIANTS:
            text = AUDIT.format(
                version=version("setveil"),
                run="" if dialect in TESTED else f"\n-- Not run: no query was run on {dialect}.",
                name=f"setveil_{variant.name}",
                dialect=dialect,
                query=filled(marked(variant, dialect), NAMES, _numbers(variant)),
            )
            yield f"audits/setveil_{variant.name}.sql", text


def _numbers(variant: Variant) -> dict[str, str]:
    """The numbers of a promise: shares are counted in parts of 1000000000, to be exact."""
    share = SHARE.get(variant.model, "@h")
    parts = f"CAST(ROUND({share} * 1000000000) AS BIGINT)"
    least = "@min_support" if variant.by_support else "@k"
    return {
        "least": least,
        "parts": parts,
        "rest": f"(1000000000 - {parts})",
        "parts * least": f"({parts} * {least})",
    }
