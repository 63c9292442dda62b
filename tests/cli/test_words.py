"""Numbers in sentences."""

from __future__ import annotations

import pytest

from setveil.run.words import counted


@pytest.mark.parametrize(
    ("number", "words", "said"),
    [
        (0, ["item"], "0 items"),
        (1, ["item"], "1 item"),
        (1200, ["item"], "1,200 items"),
        (1, ["class", "classes"], "1 class"),
        (2, ["class is", "classes are"], "2 classes are"),
    ],
)
def test_one_is_not_many(number, words, said):
    assert counted(number, *words) == said
