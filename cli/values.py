"""The values of options, where their types need no conversion by typer.

typer checks every value with pydantic, whose import takes a tenth of a small run. Texts, paths and
whole numbers are understood without it. Other values are left to typer, and so is each error.
The place of the conversion is internal to typer: a version without it converts all values itself.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any


class Plainly:
    """A command whose options convert plain values by themselves."""

    def get_params(self, ctx: Any) -> list[Any]:
        params: list[Any] = super().get_params(ctx)  # type: ignore[misc]
        for param in params:
            if getattr(param, "_runtime_param", param) is None and hasattr(
                param, "type_descriptor"
            ):
                param._runtime_param = Plain(param)
        return params


class Plain:
    """The conversion of one option's values, in the place of typer's own."""

    def __init__(self, param: Any) -> None:
        self._kind = param.type_descriptor.annotation
        self._least = param.type_descriptor.parameter_info.min

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return the value in the type of its option."""
        if value is None:
            return () if param.multiple or param.nargs == -1 else None
        if self._kind == list[str] and isinstance(value, (list, tuple)):
            return [*map(str, value)]
        if type(value) is self._kind and self._kind is not int:
            return value
        if isinstance(value, str) and self._kind is Path and _may_be_named(value):
            return Path(value)
        number = str(value)
        if self._kind is int and number.isascii() and number.isdecimal():
            if int(number) >= (self._least or 0):
                return int(number)
        param._runtime_param = None  # typer makes its own when it is asked for it
        return param.get_runtime_param().coerce(value, param=param, ctx=ctx)


def _may_be_named(path: str) -> bool:
    return not os.path.exists(path) or os.access(path, os.R_OK)
