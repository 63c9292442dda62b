"""What asks a command to end: it leaves nothing behind, and says so in its exit code."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

HELD = "print('begun', flush=True); time.sleep(0.5); print('together')"
WAITS = "print('begun', flush=True); time.sleep(60); print('waited')"
COMMAND = """
import signal, sys, tempfile, time
from setveil.run.interrupts import held_together
from setveil.cli import main

def app(*arguments, **named):
    with tempfile.TemporaryDirectory():
        {work}

signal.signal(signal.SIGINT, signal.{by_ctrl_c})
signal.signal(signal.SIGHUP, signal.{by_hangup})
main._command = lambda: app
main.main()
"""


def ended(
    folder: Path,
    *signals: signal.Signals,
    work: str = WAITS,
    by_ctrl_c: str = "default_int_handler",
    by_hangup: str = "SIG_DFL",
) -> tuple[int, str, str]:
    """The exit code of a command to which these came, and what it printed."""
    code = COMMAND.format(work=work, by_ctrl_c=by_ctrl_c, by_hangup=by_hangup)
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "TMPDIR": str(folder)},
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline() == "begun\n"
    for number in signals:
        process.send_signal(number)
    out, error = process.communicate()
    assert not list(folder.iterdir())
    return process.returncode, out, error


@pytest.mark.parametrize("by_ctrl_c", ["default_int_handler", "SIG_IGN"])
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGHUP])
def test_a_command_is_ended(how, by_ctrl_c, tmp_path):
    said = f"setveil: error: ended by {how.name}; nothing was written\n"
    assert ended(tmp_path, how, how, by_ctrl_c=by_ctrl_c) == (128 + how, "", said)


def test_what_is_ignored_stays_so(tmp_path):
    """A background command by Ctrl-C, and what nohup began by the end of its terminal."""
    ignored = {"by_ctrl_c": "SIG_IGN", "by_hangup": "SIG_IGN"}
    signals = (signal.SIGINT, signal.SIGHUP, signal.SIGTERM)
    code, _, error = ended(tmp_path, *signals, **ignored)
    assert code == 128 + signal.SIGTERM
    assert "ended by SIGTERM" in error


@pytest.mark.parametrize("by_ctrl_c", ["default_int_handler", "SIG_IGN"])
def test_names_that_are_given_together(by_ctrl_c, tmp_path):
    work = f"with held_together(): {HELD}\n        {WAITS}"
    signals = (signal.SIGTERM, signal.SIGTERM)
    code, out, error = ended(tmp_path, *signals, work=work, by_ctrl_c=by_ctrl_c)
    assert (code, out) == (128 + signal.SIGTERM, "together\n"), error


def test_a_signal_while_text_is_executed(tmp_path):
    """Python marks itself as interrupted then; it shows only in what `python -m` runs."""
    work = f"exec({WAITS!r})"
    code = COMMAND.format(work=work, by_ctrl_c="default_int_handler", by_hangup="SIG_DFL")
    (tmp_path / "waits.py").write_text(code)
    process = subprocess.Popen(
        [sys.executable, "-m", "waits"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        cwd=tmp_path,
    )  # fmt: skip
    assert process.stdout is not None and process.stdout.readline() == "begun\n"
    process.send_signal(signal.SIGTERM)
    _, error = process.communicate()
    assert process.returncode == 128 + signal.SIGTERM, error


# This module reports an interrupt of its import as an import error, as DuckDB's does.
SLOW_IMPORT = """
import importlib, sys, time
try:
    print("begun", flush=True)
    time.sleep(0.5)
except KeyboardInterrupt as error:
    raise ImportError("Encountered an error while initializing the extension") from error
sys.path.remove({folder!r})
del sys.modules["duckdb"]
importlib.import_module("duckdb")
"""


def test_a_signal_while_a_command_is_imported(tmp_path):
    (tmp_path / "duckdb.py").write_text(SLOW_IMPORT.format(folder=str(tmp_path)))
    process = subprocess.Popen(
        [sys.executable, "-m", "setveil", "inspect", "baskets.csv"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
    )  # fmt: skip
    assert process.stdout is not None and process.stdout.readline() == "begun\n"
    process.send_signal(signal.SIGTERM)
    _, error = process.communicate()
    said = "setveil: error: ended by SIGTERM; nothing was written\n"
    assert (process.returncode, error) == (128 + signal.SIGTERM, said)


STUCK = """
import signal, time
from setveil.backends import spilling
from setveil.cli import main

def app(*arguments, **named):
    (spilling.new_folder() / "rows").write_text("raw data")
    while True:
        try:
            print("begun", flush=True)
            time.sleep(60)
        except KeyboardInterrupt:
            pass  # as work that does not look

signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # as without nohup
main._command = lambda: app
main.main()
"""


@pytest.mark.few(1)
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_what_does_not_listen_is_ended_and_leaves_nothing(how, tmp_path):
    process = subprocess.Popen(
        [sys.executable, "-c", STUCK], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )  # fmt: skip
    assert process.stdout is not None and process.stdout.readline() == "begun\n"
    assert list(tmp_path.iterdir())
    process.send_signal(how)
    _, error = process.communicate(timeout=10)
    said = "interrupted" if how == signal.SIGINT else f"ended by {how.name}"
    assert (process.returncode, error) == (
        128 + how, f"setveil: error: {said}; nothing was written\n",
    )  # fmt: skip
    assert not list(tmp_path.iterdir())
