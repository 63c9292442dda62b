"""Runs in processes of their own, which a test kills at random moments."""

from __future__ import annotations

import multiprocessing
import random
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count

processes = multiprocessing.get_context("forkserver")
processes.set_forkserver_preload(["setveil.slices", "setveil.models.coherence.anonymize"])
NIGHT = 24  # new transactions


@dataclass(frozen=True, slots=True)
class Kills:
    """Killed runs: before their slice appeared, and after it."""

    before: int
    after: int

    @property
    def in_time(self) -> int:
        return self.before + self.after


def append(url: str, promise: dict[str, object]) -> None:
    """Append a slice of `src` to `safe` on a server."""
    import setveil

    setveil.append("src", "safe", "coherence", database=url, **promise)


def kill_often(
    run: Callable[..., None],
    given: tuple[object, ...],
    times: int,
    *,
    seed: int,
    grow: Callable[[int], None],
    held: Callable[[], int],
) -> Kills:
    """Kill runs at random moments, on data that grows.

    `held` looks at the target after each run, and returns its number of slices. The moments are
    spread over the time of a run that nobody killed, which every fourth one is.
    """
    draw, before, after, nights = random.Random(seed), 0, 0, count(1)
    for number in range(times):
        if number % 3 == 0:
            grow(NIGHT * next(nights))
            whole = _seconds(run, given)
            slices = held()
        grow(NIGHT * next(nights))
        process = processes.Process(target=run, args=given)
        process.start()
        process.join(draw.uniform(0, whole))
        process.kill()
        process.join()
        assert process.exitcode in (0, -signal.SIGKILL)
        seen, slices = slices, held()
        if process.exitcode and slices == seen:
            before += 1
        elif process.exitcode:
            after += 1
    _seconds(run, given)
    held()
    return Kills(before, after)


def _seconds(run: Callable[..., None], given: tuple[object, ...]) -> float:
    """The seconds of a run that nobody kills, in a process as those that are killed."""
    start = time.monotonic()
    process = processes.Process(target=run, args=given)
    process.start()
    process.join()
    assert process.exitcode == 0
    return time.monotonic() - start
