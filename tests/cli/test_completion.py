"""Shells complete commands, options and the words of an option; scripts are printed for each."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

SETVEIL = (sys.executable, "-m", "setveil")


def asked(environment, *words):
    """The output of the command with these variables."""
    done = subprocess.run(
        [*SETVEIL, *words], env={**os.environ, **environment}, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    return done.stdout.split()


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("setveil coherence a.csv --method mm", {"mm", "mm-il"}),
        ("setveil co", {"coherence", "compare"}),
        ("setveil verify k", {"k-anonymity", "km-anonymity"}),
        ("setveil hiding --pa", {"--patterns"}),
    ],
)
def test_what_a_shell_is_offered(line, expected):
    words = {"_SETVEIL_COMPLETE": "complete_bash", "COMP_WORDS": line}
    assert set(asked(words | {"COMP_CWORD": str(len(line.split()) - 1)})) == expected


@pytest.mark.few(1)
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_script_for_each_shell(shell):
    script = " ".join(asked({"_SETVEIL_COMPLETE": f"source_{shell}"}))
    assert f"_SETVEIL_COMPLETE=complete_{shell}" in script
