"""Runs in processes of their own, which a test kills at random moments."""

from __future__ import annotations

import multiprocessing
import random
import time
from collections.abc import Callable

processes = multiprocessing.get_context("forkserver")
processes.set_forkserver_preload(["setveil.slices", "setveil.models.coherence.anonymize"])


def append(url: str, promise: dict[str, object]) -> None:
    """Append a slice of `src` to `safe` on a server."""
    import setveil

    setveil.append("src", "safe", "coherence", database=url, **promise)


def kill_often(
    url: str,
    promise: dict[str, object],
    times: int,
    *,
    seed: int,
    grow: Callable[[int], None],
    check: Callable[[], None],
) -> int:
    """Kill runs at random moments, on data that grows; return how many were killed in time."""
    draw, hit = random.Random(seed), 0
    grow(24)
    start = time.monotonic()
    append(url, promise)
    whole = time.monotonic() - start
    for number in range(2, times + 2):
        grow(24 * number)
        process = processes.Process(target=append, args=(url, promise))
        process.start()
        time.sleep(draw.uniform(0, 1.2 * whole))
        process.kill()
        process.join()
        hit += process.exitcode != 0
        check()
    append(url, promise)
    check()
    return hit
