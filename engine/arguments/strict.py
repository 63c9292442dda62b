"""Check the arguments of public functions before any work, as strictly as on the command line.

A parameter has one meaning in all public functions, so its name decides its type: a new count
enters COUNTS, a new share SHARES, a new list of items LISTS.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Mapping
from numbers import Integral
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from setveil.arguments.shares import share
from setveil.errors import InputError

P = ParamSpec("P")
R = TypeVar("R")

MOST = 2**31 - 1  # the largest count: counts are INTEGER in the database
# The least allowed value of each count.
COUNTS = {
    "k": 1,
    "p": 1,
    "max_size": 1,
    "max_consequent": 1,
    "limit": 1,
    "max_knowledge": 1,
    "cutoff": 1,
    "measure_size": 1,
    "mining_support": 1,
    "runs": 1,
    "threads": 1,
    "draws": 1,
    "degree": 2,
    "fanout": 2,
    "nodes": 0,
    "seed": 0,
}
OR_WORDS = {"m": "max", "parts": "auto"}
SHARES = ("h", "rho", "psi")
LISTS = ("private", "public", "sensitive")


def count(value: object, name: str, least: int = 1) -> int:
    """A whole number of Python or numpy. True and 2.0 are refused."""
    if isinstance(value, Integral) and not isinstance(value, bool):
        number = int(value)
        if least <= number <= MOST:
            return number
    raise InputError(f"{name} is a whole number of at least {least}, not {value!r}")


def strict(function: Callable[P, R]) -> Callable[P, R]:
    """Wrap a function: its arguments are checked first."""
    signature = inspect.signature(function)

    @functools.wraps(function)
    def looked_at(*args: P.args, **kwargs: P.kwargs) -> R:
        given = signature.bind(*args, **kwargs)
        for name, value in given.arguments.items():
            default = signature.parameters[name].default
            given.arguments[name] = checked(function.__name__, name, value, default)
        return function(*given.args, **given.kwargs)

    return looked_at


def checked(function: str, name: str, value: Any, default: object) -> Any:
    """Return the value in the engine's type; None is allowed if it is the default."""
    if name in ("baskets", "given", "original") and default is inspect.Parameter.empty:
        return _transactions(function, name, value)
    if value is None and default is None:
        return None
    if name in COUNTS:
        return count(value, name, COUNTS[name])
    if name in OR_WORDS:
        return _count_or_word(value, name)
    if name in SHARES:
        share(value, name)
    elif name in LISTS:
        return _names(value, name)
    elif isinstance(default, bool) and not isinstance(value, bool):
        raise InputError(f"{name} is True or False, not {value!r}")
    return value


def _transactions(function: str, name: str, value: Any) -> Any:
    """The result of `setveil.read`; a checker also takes a release."""
    if hasattr(value, "session") or (name == "given" and hasattr(value, "baskets")):
        return value
    raise InputError(
        f"{function} takes the result of setveil.read, not {_short(value)}: "
        "with setveil.read(…) as baskets"
    )


def _count_or_word(value: object, name: str) -> int | str:
    """A count, also as text from the command line, or the one allowed word."""
    word = OR_WORDS[name]
    if value == word:
        return word
    if isinstance(value, str) and value.strip().isdecimal():
        value = int(value)
    try:
        return count(value, name)
    except InputError as error:
        said = f"{name} is a whole number of at least 1, or {word}, not {value!r}"
        raise InputError(said) from error


def _names(value: Any, name: str) -> Any:
    """A file, a condition, or names as a tuple: a generator can be read only once."""
    if isinstance(value, str | Path):
        return value
    if isinstance(value, bytes | Mapping) or not isinstance(value, Iterable):
        raise InputError(f"{name} is a list of names, a file or a condition, not {_short(value)}")
    return tuple(value)


def _short(value: object) -> str:
    shown = repr(value) if isinstance(value, str | bytes | int | float | Path | None) else ""
    return shown if 0 < len(shown) < 80 else f"a {type(value).__name__}"
