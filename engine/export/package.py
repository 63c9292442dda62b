"""Write the checkers as tests of a tool: all files of a package, or none."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from setveil.arguments.strict import strict
from setveil.errors import InputError
from setveil.export import dbt, sqlmesh
from setveil.sql.dialects import EXPORTS, TESTED

TOOLS: dict[str, Callable[[Sequence[str]], Iterator[tuple[str, str]]]] = {
    "dbt": dbt.files,
    "sqlmesh": sqlmesh.files,
}
DEFAULT = {"dbt": TESTED, "sqlmesh": TESTED[:1]}


@strict
def export_tests(
    tool: str,
    folder: str | Path,
    *,
    dialects: Iterable[str] | None = None,
    force: bool = False,
) -> list[Path]:
    """Write the tests of a tool, dbt or sqlmesh, into a folder; return the files.

    `dialects` are those of the project's databases. Existing files are overwritten with `force`.
    """
    if tool not in TOOLS:
        raise InputError(f"{tool!r} is none of {', '.join(TOOLS)}")
    chosen = tuple(dict.fromkeys(dialects or DEFAULT[tool]))
    for one in chosen:
        if one not in TESTED + EXPORTS:
            known = ", ".join(sorted(TESTED + EXPORTS))
            raise InputError(f"--dialect {one!r} is none of {known}")
    if tool == "sqlmesh" and len(chosen) > 1:
        raise InputError("the audits of a sqlmesh project have one dialect: name one")
    root = Path(folder)
    texts = {root / path: text for path, text in TOOLS[tool](chosen)}
    _refuse_existing(root, texts, force=force)
    if tool == "dbt":  # audits belong into a project that is there
        _refuse_others(root, texts)
    for path, text in texts.items():
        _write(path, text)
    return list(texts)


def _refuse_existing(root: Path, paths: Iterable[Path], *, force: bool) -> None:
    """Refuse a folder that cannot take the files, before the first of them is written."""
    if root.exists() and not root.is_dir():
        raise InputError(f"{root} is no folder; name another")
    existing = [path for path in paths if os.path.lexists(path)]
    if existing and not force:
        raise InputError(f"{existing[0]} exists already; name another folder, or add --force")
    for path in existing:
        if path.is_symlink() or not path.is_file():
            raise InputError(f"{path} is no file that was written here; remove it")


def _refuse_others(root: Path, paths: Iterable[Path]) -> None:
    """Refuse a folder that holds other things, such as the slices of a target."""
    own = {path.relative_to(root).parts[0] for path in paths}
    if others := sorted({*os.listdir(root)} - own if root.is_dir() else ()):
        raise InputError(f"{root} holds {others[0]!r}, which is of no package: name a new folder")


def _write(path: Path, text: str) -> None:
    """Write a file beside its place, and move it there whole."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False) as file:
            try:
                file.write(text)
                file.close()
                os.chmod(file.name, 0o644)  # a package is shared, and holds no data
                os.replace(file.name, path)
            except BaseException:
                os.unlink(file.name)
                raise
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}") from error
