"""Run a property on a few examples by default, and on many among the slow tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

Test = Callable[..., None]
MOST = 500  # examples of a slow copy


def tried(
    few: int,
    many: int,
    *strategies: Any,
    unchecked: Sequence[HealthCheck] = (),
    derandomize: bool = False,
    **named: Any,
) -> Callable[[Test], Test]:
    """Run the test with values of these sources, and slow copies `test_…_of_many` with more.

    A copy takes at most 500, so that all cores have a share of thousands.
    """

    def on(examples: int, test: Test) -> Test:
        trying = settings(
            max_examples=examples,
            deadline=None,
            derandomize=derandomize,
            suppress_health_check=unchecked,
        )
        return trying(given(*strategies, **named)(test))

    def both(test: Test) -> Test:
        copies = -(-many // MOST)
        for number in range(copies):
            name = f"{test.__name__}_of_many" + (f"_{number + 1}" if number else "")
            test.__globals__[name] = pytest.mark.slow(on(many // copies, test))
        return on(few, test)

    return both
