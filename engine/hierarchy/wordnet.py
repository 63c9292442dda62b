"""Build a hierarchy of nouns from the database files of WordNet (`man wndb`).

An item is looked up in lower case, with underscores for spaces. A form that is no noun of its own,
such as dogs, is looked up by its base form (`man morphy`): exceptions of the file noun.exc first,
then endings. Its first sense and the first
hypernym of each synset count. The label of a node is the first word of its synset, with the offset
if another synset of the level has the same word. The synset above all others is the root. Fellbaum:
WordNet, an electronic lexical database, 1998; used for query logs by He, Naughton.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from setveil.errors import InputError
from setveil.hierarchy.trees import Hierarchy, build
from setveil.run.reading import Baskets
from setveil.sql.hierarchy import trees as sql

SHOWN = 5
HYPERNYMS = ("@", "@i")
# The endings of nouns and of their base forms, in the order of WordNet's morphy.
ENDINGS = (
    *(("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh")),
    *(("men", "man"), ("ies", "y")),
)


@dataclass(frozen=True, slots=True)
class Synset:
    """A synset: its first word, and the offset of its first hypernym."""

    word: str
    above: str | None


def wordnet_hierarchy(
    baskets: Baskets, folder: str | Path = "/usr/share/wordnet", unknown: str | None = None
) -> Hierarchy:
    """Make `node` and `path` of the hypernyms of the items.

    Items that WordNet lacks are put below a node `unknown`; without it, an error lists them.
    """
    names = [str(name) for (name,) in baskets.session.ask(sql.names())]
    read = [Path(folder) / name for name in ("index.noun", "data.noun")]
    baskets.session.inputs.add(read, "--wordnet")
    senses, synsets = _senses(Path(folder)), _synsets(Path(folder))
    irregular = _irregular(baskets, Path(folder))
    found = {name: _sense(name, senses, irregular) for name in names}
    lacking = [name for name, sense in found.items() if sense is None]
    if lacking and unknown is None:
        shown = ", ".join(repr(name) for name in lacking[:SHOWN])
        more = ", …" if len(lacking) > SHOWN else ""
        raise InputError(
            f"WordNet has no noun for {len(lacking):,} of {len(names):,} items: {shown}{more}; "
            "name a node for them with --unknown"
        )
    chains = {name: _chain(synsets, sense) for name, sense in found.items() if sense is not None}
    levels = _levels(chains, synsets, lacking, unknown)
    _create(baskets, names, levels)
    return build(baskets, len(levels), f"the hierarchy of {folder}")


def _lines(path: Path) -> list[str]:
    """The lines of a file, without the licence at its start."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"{path} cannot be read: install WordNet's files (Debian: wordnet-base), or name their "
            "folder with --wordnet-path"
        ) from error
    return [line for line in lines if line and not line.startswith("  ")]


def _sense(name: str, senses: dict[str, str], irregular: dict[str, str]) -> str | None:
    """The first sense of a name or of its base form; None if it is no noun."""
    word = name.lower().replace(" ", "_")
    forms = [word]
    if word in irregular:
        forms.append(irregular[word])
    elif not word.endswith("ss") and len(word) > 2:
        forms += [word.removesuffix(old) + new for old, new in ENDINGS if word.endswith(old)]
    return next((senses[form] for form in forms if form in senses), None)


def _irregular(baskets: Baskets, folder: Path) -> dict[str, str]:
    """Irregular forms and their first base form, from noun.exc; none if the file is absent."""
    path = folder / "noun.exc"
    if not path.exists():
        return {}
    baskets.session.inputs.add([path], "--wordnet")
    each = (line.split() for line in _lines(path))
    return {fields[0]: fields[1] for fields in each if len(fields) > 1}


def _senses(folder: Path) -> dict[str, str]:
    """lemma pos synset_cnt p_cnt [symbol…] sense_cnt tagsense_cnt offset…: the first offset."""
    senses = {}
    for line in _lines(folder / "index.noun"):
        fields = line.split()
        try:
            senses[fields[0]] = fields[6 + int(fields[3])]
        except (IndexError, ValueError):
            raise _broken(folder / "index.noun", line) from None
    return senses


def _synsets(folder: Path) -> dict[str, Synset]:
    """offset lex_filenum ss_type w_cnt (word lex_id)… p_cnt (symbol offset pos source)… | gloss."""
    synsets = {}
    for line in _lines(folder / "data.noun"):
        fields = line.partition(" | ")[0].split()
        try:
            first = 4 + 2 * int(fields[3], 16)
            pointers = [
                fields[first + 1 + 4 * n : first + 5 + 4 * n] for n in range(int(fields[first]))
            ]
            above = [offset for kind, offset, *_ in pointers if kind in HYPERNYMS]
            synsets[fields[0]] = Synset(fields[4].replace("_", " "), above[0] if above else None)
        except (IndexError, ValueError):
            raise _broken(folder / "data.noun", line) from None
    return synsets


def _broken(path: Path, line: str) -> InputError:
    return InputError(f"{path} is not in WordNet's format: it has {line[:40]!r}")


def _chain(synsets: dict[str, Synset], sense: str) -> list[str]:
    """The synsets from the most general down to this one."""
    chain: list[str] = []
    at: str | None = sense
    while at is not None:
        if at in chain or at not in synsets:
            raise InputError(f"WordNet's synset {sense} has no root: {at} is missing or repeats")
        chain.append(at)
        at = synsets[at].above
    return chain[::-1]


def _levels(
    chains: dict[str, list[str]],
    synsets: dict[str, Synset],
    lacking: list[str],
    unknown: str | None,
) -> list[dict[str, str]]:
    """For each level, from the lowest: the label of each item that has one on that level."""
    tops = {chain[0] for chain in chains.values()}
    skipped = 1 if len(tops) == 1 and all(len(chain) > 1 for chain in chains.values()) else 0
    depth = max((len(chain) - skipped for chain in chains.values()), default=1)
    levels: list[dict[str, str]] = [{} for _ in range(depth)]
    for name, chain in chains.items():
        for place, synset in enumerate(chain[skipped:]):
            levels[depth - 1 - place][name] = synset
    labelled = [_labelled(level, synsets) for level in levels]
    for name in lacking:
        labelled[-1][name] = str(unknown)
    return labelled


def _labelled(level: dict[str, str], synsets: dict[str, Synset]) -> dict[str, str]:
    """Replace offsets by words, and by word and offset if synsets share a word."""
    words = Counter(synsets[offset].word for offset in set(level.values()))

    def label(offset: str) -> str:
        word = synsets[offset].word
        return word if words[word] == 1 else f"{word} ({offset})"

    return {name: label(offset) for name, offset in level.items()}


def _create(baskets: Baskets, names: list[str], levels: list[dict[str, str]]) -> None:
    """Insert the rows as bound data: names never enter SQL text."""
    columns: list[list[str | None]] = [list(names)]
    columns += [[level.get(name) for name in names] for level in levels]
    titles = ["name", *(sql.level_name(number) for number in range(1, len(levels) + 1))]
    baskets.session.backend.insert_columns("given_hierarchy", titles, columns)
    baskets.session.relations.append("given_hierarchy")
