"""Names and texts that break statements that do not quote them."""

from __future__ import annotations

NAMES = [
    "o'brien",
    'a"b',
    "x); DROP TABLE t; --",
    " ",
    "😀",
    "two\nlines",
    "tab\tand\rreturn",
    "-- /* ;",
    "$1",
    "%s {x} \\ \\n",
    "sélect",
    "SELECT",
    "__SQLGLOT__LBREAK__",
]


# Names of our own relations and columns.
OURS = ["key", "name", "tid", "item", "cells", "line", "kept", "label", "source", "release", "s"]


ALL = NAMES + OURS


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


TEXTS = [
    "", " ", "NULL", "\\N", "\\.", "\\", "a\\nb", "a\nb", "a\r\nb", "\r", '"', '""', "'", ",",
    "a,b", ";", "\t", "żółw", "é", "e\u0301", "👨‍👩‍👧", "\u2028", "$1", "%s", "{a}", "[1]", "# x",
    "-- x", "x" * 70_000,
]  # fmt: skip
