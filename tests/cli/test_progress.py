"""The line that says how far a run is: on a terminal alone, and gone when something is printed."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import threading
import time

import pytest

import setveil
from runs import parquet
from setveil.cli import progress
from setveil.trail.course import Course
from setveil.trail.sections import SECTIONS

ROWS = "SELECT range // 6 AS tid, 'i' || range * 7919 // 5 % 17 AS item FROM RANGE(900)"
AT_ONCE = "from setveil.cli import main, progress; progress.PATIENCE = progress.INTERVAL = 0.001; "
MODEL = ["coherence", "a.parquet", "--k", "3", "--p", "2"]
WIDTH = 60
WRITTEN = [*MODEL, "--out", "b.parquet", "--trail", "b.sql"]


class Backend:
    def __init__(self, share):
        self.share = share

    def progress(self):
        return self.share


@pytest.fixture
def data(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return parquet(tmp_path / "a.parquet", ROWS)


def on_terminal(words, **environment):
    """The stdout of a command, and all that its terminal was sent on stderr."""
    above, below = pty.openpty()
    fcntl.ioctl(below, termios.TIOCSWINSZ, struct.pack("HHHH", 24, WIDTH, 0, 0))
    running = subprocess.Popen(
        [sys.executable, "-c", f"{AT_ONCE} main.main()", *words],
        stdout=subprocess.PIPE,
        stderr=below,
        env=os.environ | environment,
    )
    os.close(below)
    shown = b""
    with contextlib.suppress(OSError):  # the end of a terminal
        while found := os.read(above, 65536):
            shown += found
    out, _ = running.communicate()
    os.close(above)
    assert running.returncode == 0, shown.decode()
    return out.decode(), shown.decode()


def test_a_terminal_shows_each_stage_and_keeps_none(data):
    said, shown = on_terminal(WRITTEN)
    found = [tuple(one) for one in re.findall(r"stage (\d) of (\d), (\w+)", shown)]
    assert {of for _, of, _ in found} == {"8"}
    places = [int(place) for place, _, _ in found]
    assert places == sorted(places) and len(set(places)) > 2
    assert all([*SECTIONS][int(place) - 1] == name for place, _, name in found)
    assert "\r" not in said and "stage" not in said
    assert max(map(len, re.findall("\r([^\r\x1b]*)\x1b", shown))) < WIDTH
    # Nothing but notes, each on a line of its own, is left in the terminal.
    left = [line.rpartition("\x1b[K")[2] for line in shown.split("\r\n")]
    assert [line for line in left if line.strip("\r") and not line.startswith("note: ")] == []


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("more", "environment"), [(["--quiet"], {}), ([], {"TERM": "dumb"}), (["--explain"], {})]
)
def test_nothing_is_shown_where_nobody_asks(data, more, environment):
    _, shown = on_terminal([*MODEL, *more], **environment)
    assert "stage" not in shown and "\x1b" not in shown


def piped(words, seconds):
    """The stdout and the lines of stderr of a command, whose log begins after some seconds."""
    soon = f"from setveil.cli import main, progress; progress.LONG, progress.LOOK = {seconds}; "
    done = subprocess.run(
        [sys.executable, "-c", f"{soon} main.main()", *words],
        capture_output=True,
        check=True,
        text=True,
    )
    return done.stdout, done.stderr.splitlines()


def test_a_short_run_tells_no_stage_to_a_log(data):
    said, told = piped(MODEL, "600.0, 1.0")
    assert "stage" not in said and told and all(one.startswith("note: ") for one in told)


def test_a_log_has_a_line_for_each_stage(data):
    """Each stage once, in order, and none of its statements."""
    said, told = piped([*WRITTEN, "--json"], "0.0001, 0.0001")
    found = [re.fullmatch(r"progress: (\d+) s: stage (\d) of 8, (\w+)", one) for one in told]
    places = [int(one[2]) for one in found if one]
    assert len(places) > 2 and places == sorted(set(places))
    assert all([*SECTIONS][int(one[2]) - 1] == one[3] for one in found if one)
    rest = [one for one, known in zip(told, found, strict=True) if not known]
    assert all(one.startswith("note: ") for one in rest)
    assert json.loads(said)["command"] == "coherence" and "\x1b" not in "".join(told)


def test_rounds_are_not_all_told_to_a_log(monkeypatch):
    """A sweep has a line in ten seconds, whatever its number of points."""
    told, now, done = [], [0.0], threading.Event()
    monkeypatch.setattr(progress, "LONG", 10.0)
    monkeypatch.setattr(progress.output, "progress", told.append)
    monkeypatch.setattr(time, "perf_counter", lambda: now[0])
    course = Course(("read", "measure"))
    course.expect("point", 1000)

    def wait(seconds):
        now[0] += seconds
        course.count()
        return now[0] > 60

    monkeypatch.setattr(done, "wait", wait)
    progress._log(course, done)
    assert len(told) == 6
    assert told[0] == "10 s: point 2 of 1000, about 166 min 30 s left in all"


@pytest.mark.few(1)
@pytest.mark.parametrize("more", [["--quiet"], ["--explain"]])
def test_nothing_is_logged_where_nobody_asks(data, more):
    _, told = piped([*MODEL, *more], "0.0001, 0.0001")
    assert not [one for one in told if one.startswith("progress: ")]


def course_of(path, run, **options):
    """All places of a run, as a terminal would name them."""
    seen = []

    class Watched(Course):
        __slots__ = ()

        def statement(self, backend, name, why):
            found = super().statement(backend, name, why)
            seen.append(progress.stage_of(self))
            return found

    with setveil.read(path, course=Watched(**options)) as baskets:
        run(baskets)
        return seen, baskets.session.course


def test_points_promises_and_releases_are_counted(data):
    def swept(baskets):
        setveil.sweep(baskets, "coherence", {"k": [2, 3], "method": ["mm", "rm-all"]}, p=1, draws=2)

    seen, course = course_of(data, swept)
    assert (course.rounds.done, course.rounds.total) == (8, 8)
    assert {one for one in seen if one.startswith("point")} <= {f"point {n} of 8" for n in range(9)}
    for run, word, total in (
        (setveil.advise, "promise", 2),
        (lambda baskets: setveil.compare(baskets, data, data), "release", 2),
    ):
        seen, course = course_of(data, run)
        assert (course.rounds.word, course.rounds.done, course.rounds.total) == (word, total, total)
        assert f"{word} {total} of {total}" in seen


def test_seconds_left(monkeypatch):
    now = time.perf_counter()
    monkeypatch.setattr(time, "perf_counter", lambda: now)
    course, backend = Course(("read", "check")), Backend(0.25)
    assert progress.line_of(course, 3) == "3 s  stage 1 of 2, read"
    with course.statement(backend, "check_x", "looks"):
        now += 30
        line = "33 s  stage 2 of 2, check: 25%, about 1 min 30 s left of it: looks"
        assert progress.line_of(course, 33) == line
        backend.share = 0.04
        assert progress.line_of(course, 33) == "33 s  stage 2 of 2, check: 4%: looks"
        backend.share = None  # a server does not tell
        assert progress.line_of(course, 33) == "33 s  stage 2 of 2, check: looks"
    assert progress.line_of(course, 33) == "33 s  stage 2 of 2, check: after: looks"
    course.expect("point", 4)
    now += 10
    assert progress.line_of(course, 43).startswith("43 s  point 1 of 4: after")
    course.count()
    assert progress.line_of(course, 43).startswith("43 s  point 2 of 4: about 30 s left in all")
