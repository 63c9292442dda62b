"""Plain words: how texts open, how long their sentences are, and one word for one thing.

The rule covers docstrings, comments, help, messages, step reasons and the documents. It cannot
tell a clear sentence from a riddle: read the text aloud as well.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted(path for room in ("engine", "sql", "cli") for path in (ROOT / room).rglob("*.py"))
DOCUMENTS = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted(ROOT.glob("engine/guide/*.md"))]
OPENINGS = re.compile(
    r"(what|whose|who|whom|whoever|whatever|whichever|the same|and|as|one that|those|of what|"
    r"by what|of which|to whom|nothing said)\b",
    re.IGNORECASE,
)
LONGEST = 25  # words of a sentence
# The word on the left is a second word for a thing that has one already, on the right.
ONE_WORD = {
    r"whoever": "an attacker, a person",
    r"(brought|brings?|bringing|put|puts) (\w+ )?back": "return, replace",
    r"vouch\w*": "prove",
    r"tells? too much": "is a mole",
    r"told apart|tell apart": "distinguish",
    r"unjudged": "not covered by the promise",
    r"strateg\w+": "method",
    r"verifiers?|judge \w+ by hand": "checker",
    r"guarantees?": "promise",
    r"itemsets that tell": "mole",
    r"re-?insert\w*|reinstat\w*|brought in again": "return",
    r"individuals?": "person",
    r"batch\w*|delta": "slice",
}
SQL = re.compile(r"\s*(SELECT|WITH|CREATE|INSERT|COPY|DROP|SET|CASE|FROM|UPDATE|DELETE|ALTER)\b")
PROSE = 4  # words that make a text prose, not a name or a part of one


def prose_of(path: Path) -> Iterator[tuple[int, str]]:
    """Docstrings, comments, and all texts that are prose and no SQL."""
    source = path.read_text()
    yield from _comments(source)
    tree = ast.parse(source)
    passed: set[ast.AST] = set()
    for node in ast.walk(tree):  # parents before their parts
        if node in passed:
            passed.update(ast.iter_child_nodes(node))
        elif isinstance(node, ast.Call) and _is_sql(node):
            passed.update(ast.iter_child_nodes(node))
        elif isinstance(node, ast.Constant | ast.JoinedStr | ast.BinOp) and (text := _text(node)):
            passed.update(ast.iter_child_nodes(node))
            if len(text.split()) >= PROSE and not SQL.match(text):
                yield node.lineno, text


def _comments(source: str) -> Iterator[tuple[int, str]]:
    """Comments; those that fill lines one below the other are one text."""
    start, text, last = 0, "", -1
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        words = token.string.lstrip("#!: ")
        if token.type != tokenize.COMMENT or words.startswith(("type:", "noqa", "fmt:")):
            continue
        alone = token.line.lstrip().startswith("#")
        if alone and token.start[0] == last + 1:
            text, last = f"{text} {words}", token.start[0]
            continue
        if text:
            yield start, text
        start, text = token.start[0], words
        last = start if alone else -1
    if text:
        yield start, text


def _is_sql(call: ast.Call) -> bool:
    return getattr(call.func, "id", getattr(call.func, "attr", "")) in ("duck", "parse_one")


def _text(node: ast.expr) -> str:
    """A text, with a word in place of each value that it shows."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(_text(one) if isinstance(one, ast.Constant) else "it" for one in node.values)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = _text(node.left), _text(node.right)
        return left + right if left and right else ""
    return ""


def sentences(text: str) -> Iterator[str]:
    """Sentences of prose; a blank line, a list item, a colon and a semicolon end one too."""
    for block in re.split(r"\n\s*\n|\n\s*[-*|] |\n\s{4,}", re.sub(r"`[^`]*`", "it", text)):
        yield from (one for one in re.split(r"(?<=[.!?:;])\s+", " ".join(block.split())) if one)


def faults(text: str) -> Iterator[str]:
    """How a text breaks the rule."""
    ended = True
    for one in sentences(text):
        if ended and OPENINGS.match(one):
            yield f"opens badly: {one[:70]}"
        ended = one.endswith((".", "!", "?"))
        if len(words := [word for word in one.split() if any(map(str.isalpha, word))]) > LONGEST:
            yield f"{len(words)} words: {one[:70]}"
        for said, better in ONE_WORD.items():
            if re.search(rf"\b({said})\b", one, re.IGNORECASE):
                yield f"{said!r}, say {better!r}: {one[:70]}"


def _faults_in(path: Path) -> list[str]:
    where = path.relative_to(ROOT)
    return [f"{where}:{line}: {one}" for line, text in prose_of(path) for one in faults(text)]


def test_sources_are_in_plain_words():
    found = [f"{path}: {one}" for path in SOURCES for one in _faults_in(path)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_documents_are_in_plain_words(path):
    text = re.sub(r"```.*?```|^#.*?$", "", path.read_text(), flags=re.S | re.M)
    found = list(faults(text.replace("|", ";")))
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "text",
    [
        "What is there.",
        "it holds. The same, again.",
        "as it stands: no",
        "word " * 26,
        "Items are brought back.",
    ],
)
def test_the_rule_finds_what_it_forbids(text):
    assert list(faults(text))


def test_the_rule_lets_plain_words_pass():
    assert not list(faults("One row per item: its name and its support. Asked once."))


def test_the_rule_reads_all_prose(tmp_path):
    source = '''"""Module text."""
# A comment of
# two lines
note = fail(f"a message of {count} words" + " and more", count("k", "Help of this option here."))
query = duck("SELECT this is no prose at all")
'''
    (tmp_path / "one.py").write_text(source)
    read = {text for _, text in prose_of(tmp_path / "one.py")}
    assert read == {
        "A comment of two lines",
        "a message of it words and more",
        "Help of this option here.",
    }
