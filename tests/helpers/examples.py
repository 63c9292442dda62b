"""A property is tried on a few examples by default, and on many where slow tests are run."""

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
    """`given` these strategies; beside the test stands a slow one, `test_…_of_many`."""

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
