"""On how many of 1,000 random releases per model the query and `verify` agree.

Run with `-m benchmark -s`, and with `--backend postgres` too. Where a model judges slices, releases
are slices of targets: all of a target are judged at once, one by one by the two of them.
"""

from __future__ import annotations

from collections import Counter

import pytest

from queried import PROMISES, asked, compared, compared_each, side_by_side
from setveil.models import REGISTRY

pytestmark = pytest.mark.benchmark

RELEASES = 1000
SIDE_BY_SIDE = 40


@pytest.mark.parametrize("model", REGISTRY)
def test_the_query_agrees_with_verify(connection, model: str) -> None:
    found: Counter[bool | None] = Counter()
    if REGISTRY[model].joined is not None:
        for seed in range(RELEASES // SIDE_BY_SIDE):
            found += compared_each(connection, side_by_side(model, seed, SIDE_BY_SIDE))
    else:
        for seed in range(PROMISES, PROMISES + RELEASES):
            found[compared(connection, asked(model, seed))] += 1
    print(f"\n{model}: {found[True]} hold, {found[False]} do not, {found[None]} are refused")
    assert sum(found.values()) == RELEASES
    assert min(found[True], found[False]) > RELEASES / 20
