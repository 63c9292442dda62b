"""Every block of the guide runs, and every output that it shows is real.

A page is read from above: `sh` and `python` blocks are run in one empty folder, and a `text` block
is the output of the block before it. `--update-golden` writes the outputs anew.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import browser
from setveil.cli.main import run
from setveil.errors import InputError
from setveil.show import guide

TOPICS = [one.name for one in guide.topics()]
ELSEWHERE = {"dbt"}  # its project is run in an environment of dbt, by tests/export
BLOCK = re.compile(r"^```(\w*)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# Other machines take another time, and a file made today has other digests.
CHANGING = re.compile(r"\d+(\.\d+)?(?= s\b)|\b[0-9a-f]{12,}\b|\b\d{4}-\d\d-\d\d\b| +\d+\.\d$", re.M)
# Shown and not run: they stand for another machine.
SHOWN = ("", "text", "crontab", "yaml", "sql", "toml")
needs_browser = pytest.mark.skipif(browser.found() is None, reason="there is no chromium here")


def lines_of(text):
    """The commands of a block, if each is one call of setveil; else None."""
    lines = text.replace("\\\n", " ").strip().splitlines()
    calls = [shlex.split(one, comments=True) for one in lines]
    plain = not re.search(r"[|;&<>$`]", text)
    return calls if plain and all(one[:1] == ["setveil"] for one in calls) else None


def in_shell(text, folder):
    """The output of a block in bash, with setveil on the path."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", text],
        cwd=folder,
        env=os.environ | {"PATH": path, "COLUMNS": "100"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


def outcome(kind, text, folder, names):
    """Run a block; return its exit code and its output."""
    said = io.StringIO()
    calls = lines_of(text) if kind == "sh" else None
    if kind == "sh" and calls is None:
        return in_shell(text, folder)
    code = 0
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        if kind == "python":
            exec(compile(text, "guide", "exec"), names)  # noqa: S102
        for call in calls or ():
            code = run(call[1:])
            if code:
                break
    return code, said.getvalue()


def masked(text):
    lines = [one.rstrip() for one in text.strip("\n").splitlines()]
    return CHANGING.sub("#", "\n".join(one for one in lines if not one.startswith("progress: ")))


@pytest.mark.few(1)
@pytest.mark.parametrize("name", [one for one in TOPICS if one not in ELSEWHERE])
def test_every_block_runs_and_shows_its_output(name, tmp_path, monkeypatch, request):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    page, names, said = guide.topic(name).text, {}, None
    updating = request.config.getoption("--update-golden")

    def run_block(found):
        nonlocal said
        kind, how, text = found.groups()
        if kind in ("sh", "python"):
            wanted = int(how.partition("exit=")[2] or 0)
            code, said = outcome(kind, text, tmp_path, names)
            assert code == wanted, f"{name}: {text}{said}"
        elif kind == "text":
            assert said is not None, f"{name}: no block before this output: {text}"
            if not updating:
                assert masked(said) == masked(text)
            elif masked(said) != masked(text):
                clean = "\n".join(line.rstrip() for line in said.strip("\n").splitlines())
                return f"```text\n{clean}\n```"
        else:
            assert kind in SHOWN, f"{name}: a block of {kind} is not run"
        return found[0]

    made = BLOCK.sub(run_block, page)
    if updating and made != page:
        (guide.FOLDER / f"{name}.md").write_text(made, encoding="utf-8")


def test_all_pages_are_in_order_and_lead_to_each_other():
    on_disk = {path.stem for path in guide.FOLDER.glob("*.md")}
    assert on_disk == set(TOPICS) and TOPICS == [one for one in guide.ORDER if one in on_disk]
    for one in guide.topics():
        assert one.text.startswith("# ") and one.title
        for link in re.findall(r"\]\(([^)]+)\)", one.text):
            assert link.startswith("https://") or (guide.FOLDER / link).is_file(), link


def test_the_command(capsys):
    assert run(["guide"]) == 0
    listed = capsys.readouterr().out
    assert all(one.name in listed and one.title in listed for one in guide.topics())
    assert run(["guide", "choosing"]) == 0
    assert capsys.readouterr().out == guide.topic("choosing").text
    assert run(["guide", "chosing"]) == 2
    assert "choosing" in capsys.readouterr().err


def test_on_a_terminal_a_page_is_laid_out(monkeypatch):
    """Headings and tables, without Markdown's marks."""
    import pty

    owner, terminal = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "setveil", "guide", "choosing"],
        stdout=terminal,
        env=os.environ | {"PAGER": "cat", "COLUMNS": "100", "TERM": "xterm"},
    ) as process:
        os.close(terminal)
        shown = b""
        with contextlib.suppress(OSError):  # the other end is closed
            while chunk := os.read(owner, 4096):
                shown += chunk
        assert process.wait() == 0
    text = shown.decode()
    assert "Choosing k, p, h, m and rho" in text and "| number |" not in text and "```" not in text


def test_a_site_is_new_and_whole(tmp_path, capsys):
    site = tmp_path / "site"
    assert run(["guide", "--html", str(site)]) == 0
    assert {path.stem for path in site.iterdir()} == set(TOPICS)
    for path in site.iterdir():
        text = path.read_text()
        for link in re.findall(r'href="([^"]+)"', text):
            assert link.startswith("https://") or (site / link).is_file(), link
        assert "src=" not in text and "@import" not in text
    capsys.readouterr()
    assert run(["guide", "--html", str(site)]) == 2
    assert "exists" in capsys.readouterr().err


def test_pages_are_written_whole_or_not_at_all(tmp_path, monkeypatch):
    def broken(one):
        raise InputError("no page")

    monkeypatch.setattr("setveil.show.guide.page_of", broken)
    with pytest.raises(InputError):
        guide.write_site(tmp_path / "site")
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
@needs_browser
def test_in_a_browser(tmp_path):
    guide.write_site(tmp_path / "site")
    with browser.opened(tmp_path / "site" / "which-promise.html") as page:
        assert len(page.requests) == 1 and page.said == []
        assert page.evaluate("document.querySelector('h1').innerText") == "Which promise?"
        apart = "parseFloat(getComputedStyle(document.querySelector('nav a')).marginRight)"
        colour = "getComputedStyle(document.body).backgroundColor"
        assert page.evaluate(apart) > 10
        seen = set()
        for width, dark in ((1000, False), (390, False), (1000, True)):
            page.show(width=width, dark=dark)
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            seen.add(page.evaluate(colour))
        assert len(seen) == 2
