"""A browser for the tests: Chromium without a window, controlled through two pipes.

It has no network. Its requests, console messages and errors are kept.
"""

from __future__ import annotations

import base64
import fcntl
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome")
OPTIONS = (
    "--headless=new", "--remote-debugging-pipe", "--no-first-run", "--disable-gpu", "--no-sandbox",
    "--disable-dev-shm-usage", "--disable-background-networking", "--disable-extensions",
    "--disable-component-update", "--host-resolver-rules=MAP * ~NOTFOUND", "--hide-scrollbars",
)  # fmt: skip
TIMEOUT = 30.0  # seconds to wait for a page


def found() -> str | None:
    """The path of the browser's program; None if it is not installed."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Browser:
    """One page. `requests` are the addresses it requested, `said` its console messages."""

    def __init__(self, to: int, back: int) -> None:
        self._to, self._back = to, back
        self._buffer, self._number = b"", 0
        self._session: str | None = None
        self.requests: list[str] = []
        self.said: list[str] = []
        self.loaded = False

    def open(self, path: Path) -> None:
        """Load a file by its path."""
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        attached = self.ask("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(f"{domain}.enable")
        self.requests.clear()
        self.loaded = False
        self.ask("Page.navigate", url=path.as_uri())
        while not self.loaded:
            self._note(self._read())

    def evaluate(self, script: str) -> Any:
        """Evaluate an expression on the page; return its value."""
        answer = self.ask("Runtime.evaluate", expression=script, returnByValue=True)
        return answer["result"].get("value")

    def show(self, *, width: int, dark: bool = False, media: str = "screen") -> None:
        """Set the width of the screen, or show the page as on paper."""
        self.ask(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=900, deviceScaleFactor=1, mobile=False,
        )  # fmt: skip
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.ask("Emulation.setEmulatedMedia", media=media, features=[scheme])

    def picture(self, path: Path) -> None:
        """The whole page as PNG."""
        made = self.ask("Page.captureScreenshot", captureBeyondViewport=True)
        path.write_bytes(base64.b64decode(made["data"]))

    def paper(self) -> bytes:
        """The page as PDF."""
        return base64.b64decode(self.ask("Page.printToPDF", printBackground=True)["data"])

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a command of the DevTools protocol; return its answer."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._read()
            if answer.get("id") == self._number:
                assert "error" not in answer, answer
                return answer["result"]
            self._note(answer)

    def _read(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            chunk = os.read(self._back, 2**16)
            assert chunk, "the browser is gone"
            self._buffer += chunk
        message, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(message)

    def _note(self, event: dict[str, Any]) -> None:
        params, method = event.get("params", {}), event.get("method")
        if method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        elif method == "Page.loadEventFired":
            self.loaded = True
        elif method in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"):
            self.said.append(json.dumps(params)[:500])


def _pipe() -> tuple[int, int]:
    """A pipe whose descriptors are neither 3 nor 4."""
    ends = os.pipe()
    moved = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in ends]
    for end in ends:
        os.close(end)
    return moved[0], moved[1]


@contextmanager
def opened(path: Path) -> Iterator[Browser]:
    """Open the page in a browser of its own, which is closed after the block."""
    program = found()
    assert program
    to_read, to_write = _pipe()
    back_read, back_write = _pipe()
    with tempfile.TemporaryDirectory(prefix="setveil-browser-", ignore_cleanup_errors=True) as home:
        process = subprocess.Popen(
            # The browser reads from 3 and writes to 4.
            ["bash", "-c", f'exec "$@" 3<&{to_read} 4>&{back_write}', "bash",
             program, *OPTIONS, f"--user-data-dir={home}"],
            pass_fds=(to_read, back_write), env=os.environ | {"HOME": home},
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(to_read)
        os.close(back_write)
        try:
            browser = Browser(to_write, back_read)
            browser.open(path)
            yield browser
        finally:
            os.close(to_write)
            os.close(back_read)
            process.terminate()
            process.wait(TIMEOUT)
