"""A progress bar on stderr, for runs in a terminal that take longer than a second."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator

from setveil.cli.output import is_terminal
from setveil.run.session import Session

PATIENCE, INTERVAL = 1.0, 0.1


@contextlib.contextmanager
def shown(session: Session, *, quiet: bool) -> Iterator[None]:
    """Show the step that the session runs, while the block runs."""
    if quiet or not is_terminal():
        yield
        return
    done = threading.Event()
    watcher = threading.Thread(target=_watch, args=(session, done), daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()


def _watch(session: Session, done: threading.Event) -> None:
    if done.wait(PATIENCE):
        return
    # Importing rich takes 0.05 s, which most commands can save.
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    backend = session.backend
    total = None if backend.progress() is None else 1.0  # a server reports no progress
    known = (TextColumn("{task.percentage:>3.0f}%"), TimeElapsedColumn(), TimeRemainingColumn())
    columns = (
        TextColumn("step {task.fields[steps]}: {task.description}"),
        BarColumn(),
        *(known if total else (TimeElapsedColumn(),)),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=total, steps=0)
        step = ""
        while not done.wait(INTERVAL):
            if session.now != step:
                step = session.now
                bar.reset(task, total=total, description=step, steps=len(session.statements))
            bar.update(task, completed=backend.progress())
