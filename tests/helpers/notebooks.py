"""Run a notebook cell by cell, as a kernel does, and draw it as a page."""

from __future__ import annotations

import ast
import contextlib
import io
import json
from html import escape
from pathlib import Path
from typing import Any

Output = dict[str, Any]


def code_cells(notebook: dict[str, Any]) -> list[dict[str, Any]]:
    return [one for one in notebook["cells"] if one["cell_type"] == "code"]


def run_cells(notebook: dict[str, Any]) -> None:
    """Run all code cells in one namespace; each gets the outputs that a kernel would keep."""
    space: dict[str, Any] = {"__name__": "__main__"}
    for number, cell in enumerate(code_cells(notebook), 1):
        cell["execution_count"] = number
        cell["outputs"] = list(_outputs("".join(cell["source"]), space, number))


def _outputs(source: str, space: dict[str, Any], number: int) -> Any:
    *first, last = ast.parse(source).body
    shown = isinstance(last, ast.Expr)
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        body = ast.Module(first if shown else [*first, last], [])
        exec(compile(body, f"cell {number}", "exec"), space)
        value = eval(compile(ast.Expression(last.value), "cell", "eval"), space) if shown else None
    if printed.getvalue():
        yield {"name": "stdout", "output_type": "stream", "text": _lines(printed.getvalue())}
    if value is not None:
        data = {"text/plain": _lines(repr(value))}
        if hasattr(value, "_repr_html_"):
            data = {"text/html": _lines(value._repr_html_()), **data}
        yield {
            "data": data, "execution_count": number, "metadata": {},
            "output_type": "execute_result",
        }  # fmt: skip


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text())
    return found


def written(notebook: dict[str, Any]) -> str:
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def page(notebook: dict[str, Any]) -> str:
    """The notebook as an HTML page, to be looked at."""
    parts = []
    for cell in notebook["cells"]:
        parts.append(f"<pre>{escape(''.join(cell['source']))}</pre>")
        for output in cell.get("outputs", ()):
            data = output.get("data", {})
            text = "".join(output.get("text", data.get("text/plain", ())))
            parts.append("".join(data.get("text/html", ())) or f"<pre>{escape(text)}</pre>")
    return f"<!DOCTYPE html><meta charset=utf-8><body>{''.join(parts)}</body>"
