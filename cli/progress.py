"""How far a run is, on stderr.

In a terminal it is one line that changes, for runs of more than a second. In a log it is one line
for each stage, for runs of more than ten seconds.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Iterator

from setveil.cli import output
from setveil.trail.course import Course

PATIENCE, INTERVAL = 1.0, 0.1
LONG, LOOK = 10.0, 1.0  # of a log: seconds before its first line, and between two looks
LEAST = 0.1  # of a statement: with less done, nobody can say when it ends


@contextlib.contextmanager
def shown(course: Course, *, quiet: bool) -> Iterator[None]:
    """Show the stage of a run, and on a terminal its statement, while the block runs."""
    if quiet:
        yield
        return
    changing = output.is_terminal() and os.environ.get("TERM") != "dumb"
    done = threading.Event()
    watcher = threading.Thread(
        target=_watch if changing else _log, args=(course, done), daemon=True
    )
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()


def _watch(course: Course, done: threading.Event) -> None:
    begun = time.perf_counter()
    wait = PATIENCE
    with contextlib.suppress(OSError):  # the terminal is gone
        while not done.wait(wait):
            wait = INTERVAL
            output.passing(line_of(course, time.perf_counter() - begun))
        output.passing("")


def _log(course: Course, done: threading.Event) -> None:
    """Print a line for each stage; of points and other rounds, one in ten seconds at most."""
    begun = time.perf_counter()
    stage, told, wait = "", begun, LONG
    while not done.wait(wait):
        wait, now = LOOK, time.perf_counter()
        if stage_of(course) != stage and (course.rounds is None or now - told >= LONG):
            stage, told = stage_of(course), now
            output.progress(logged(course, now - begun))


def logged(course: Course, seconds: float) -> str:
    """The seconds so far, the stage, and the seconds that are left in all, where they are known."""
    known = course.rounds.seconds_left if course.rounds is not None else course.seconds_left
    left = "" if known is None else f", about {_clock(known)} left in all"
    return f"{_clock(seconds)}: {stage_of(course)}{left}"


def line_of(course: Course, seconds: float) -> str:
    """The seconds so far, the stage, the statement, and how much of them is left."""
    why, left = statement_of(course), left_of(course)
    said = [f"{_clock(seconds)}  {stage_of(course)}", *([left] if left else []), why]
    return ": ".join(one for one in said if one)


def stage_of(course: Course) -> str:
    """The stage of the run, or the number of the round, and of how many."""
    if (rounds := course.rounds) is not None:
        return f"{rounds.word} {min(rounds.done + 1, rounds.total)} of {rounds.total}"
    return f"stage {course.place + 1} of {len(course.stages)}, {course.stages[course.place]}"


def statement_of(course: Course) -> str:
    """The reason of the statement that runs, or of the last one while Python decides."""
    now = course.running
    if now is None:
        return ""
    return f"after: {now.why}" if now.ended else now.why


def left_of(course: Course) -> str:
    """The seconds left of all rounds; else the finished share of the statement, and its seconds."""
    if (rounds := course.rounds) is not None:
        seconds = rounds.seconds_left
        return "" if seconds is None else f"about {_clock(seconds)} left in all"
    if (whole := course.seconds_left) is not None:
        return f"about {_clock(whole)} left in all"
    now = course.running
    share = None if now is None or now.ended else now.backend.progress()
    if now is None or share is None:
        return ""
    if share < LEAST:
        return f"{share:.0%}"
    seconds = (time.perf_counter() - now.began) * (1 - share) / share
    return f"{share:.0%}" + (f", about {_clock(seconds)} left of it" if seconds >= 1 else "")


def _clock(seconds: float) -> str:
    """Seconds as people read them."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest:02} s" if minutes else f"{rest} s"
