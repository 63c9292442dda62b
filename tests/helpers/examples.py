"""Run a property on a few examples by default, and on many among the slow tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

Test = Callable[..., None]


def tried(
    few: int,
    many: int,
    *strategies: Any,
    unchecked: Sequence[HealthCheck] = (),
    derandomize: bool = False,
    **named: Any,
) -> Callable[[Test], Test]:
    """Run the test with values of these sources, and a slow copy `test_…_of_many` with more."""

    def on(examples: int, test: Test) -> Test:
        trying = settings(
            max_examples=examples,
            deadline=None,
            derandomize=derandomize,
            suppress_health_check=unchecked,
        )
        return trying(given(*strategies, **named)(test))

    def both(test: Test) -> Test:
        test.__globals__[f"{test.__name__}_of_many"] = pytest.mark.slow(on(many, test))
        return on(few, test)

    return both
