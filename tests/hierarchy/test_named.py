"""A hierarchy that is learned from names, against its definition: groups, labels, and no secret."""

from __future__ import annotations

import json
import random
from collections import Counter, defaultdict
from pathlib import Path

import duckdb
import pytest

import setveil
from setveil.cli.main import run
from setveil.errors import InputError
from setveil.hierarchy import learned
from setveil.sql.hierarchy import named as sql

WORDS = ["Red", "PINK", "heart", "T-Light", "holder", "hanging", "with", "of", "tin", "box", "50'S"]
SIGNS = ", ", " ", " ", " ", "/", " & ", ". "


def names(seed):
    """Names of two to five of these words, and some without a word that others have."""
    chance = random.Random(seed)
    found = {"xyzzy", "12 34", "…", "heart"}
    while len(found) < 60:
        some = [chance.choice(WORDS) for _ in range(chance.randint(2, 5))]
        found.add("".join(word + chance.choice(SIGNS) for word in some).strip())
    return sorted(found)


def rows(given, seed):
    """Each item in up to eight transactions of three persons."""
    chance = random.Random(seed)
    return [(tid, item) for item in given for tid in chance.sample(range(40), chance.randint(1, 8))]


def read(connection, given, **options):
    connection.execute("CREATE OR REPLACE TABLE bought (tid INTEGER, item VARCHAR, who INTEGER)")
    connection.executemany("INSERT INTO bought VALUES ($1, $2, $1 % 3)", given)
    return setveil.read(connection, "bought", tid="tid", item="item", **options)


def tree_of(baskets, learn="names"):
    columns = "name", *(f"level{n}" for n in range(1, 1 + learned.LEVELS[learn]))
    query = f"SELECT {', '.join(columns)} FROM given_hierarchy ORDER BY name"  # noqa: S608
    found = baskets.session.backend.rows("tree", query)
    return {str(name): tuple(map(str, labels)) for name, *labels in found}


def words(name):
    """The words of a name in their order, each with the word before it."""
    for sign in sql.SIGNS:
        name = name.replace(sign, " ")
    held, before = {}, None
    for word in "".join(one.lower() if one.isascii() else one for one in name).split(" "):
        plain = word.strip("0123456789-'") and any(one not in "0123456789-'" for one in word)
        if len(word) > 2 and plain and word not in sql.FILLERS and word not in held:
            held[word] = before
        before = word
    return held


def by_definition(public, told):
    """The groups of each level, as sets of items, and each item's word."""
    held = {item: words(item) for item in public}
    number = Counter(word for item in told for word in held[item])
    ranks = sorted((word for word in number if number[word] > 1), key=lambda w: (-number[w], w))
    rank = {word: place for place, word in enumerate(ranks)}

    def best(item, allowed):
        return min((w for w in held[item] if w in allowed), key=rank.__getitem__, default=None)

    allowed = {word for word in rank if sql.FEW <= number[word] <= sql.MOST}
    leaning = Counter(best(item, allowed) for item in public)
    kept = {word for word in allowed if leaning[word] >= sql.FEW}
    gathered = defaultdict(list)
    for item in public:
        gathered[best(item, kept)].append(item)

    def order(word, item):
        more = sorted(rank[one] for one in held[item] if one in rank and one != word)
        return [*more[: sql.FURTHER], *[2**31] * (sql.FURTHER - len(more))], item

    levels = [[] for _ in range(sql.LEVELS)]
    for word, items in gathered.items():
        nodes = [[item] for item in sorted(items, key=lambda one: order(word, one))]
        for level in levels[:-1]:
            wide, before = max(1, (len(nodes) + sql.FEW // 2) // sql.FEW), len(nodes)
            merged = [[] for _ in range(wide)]
            for place, node in enumerate(nodes):
                merged[place * wide // before] += node
            nodes = merged
            level += [(word, node) for node in nodes]
        levels[-1].append((word, items))
    return levels, held


def shared(word, node, told, held):
    """The words that all items of a node share, as its label shows them."""
    common = [one for one in held[node[0]] if all(one in held[item] for item in node)]
    if not set(node) & told:
        common = [one for one in common if one == word]
    return set(common)


def nodes_of(tree, level):
    found = defaultdict(set)
    for item, labels in tree.items():
        found[labels[level]].add(item)
    return found


def check(tree, public, told):
    levels, held = by_definition(sorted(public), told)
    for number, level in enumerate(levels):
        found = nodes_of({item: tree[item] for item in public}, number)
        assert sorted(map(sorted, found.values())) == sorted(sorted(node) for _, node in level)
        for word, node in level:
            label = tree[node[0]][number].removesuffix(" …")
            text = label.rsplit(" ", 1)[0] if label.rsplit(" ", 1)[-1].isdigit() else label
            shown = [one for part in text.split(", ") for one in part.split(" ")]
            expected = shared(word, node, told, held)
            assert set(shown) == (expected or {"others"}) and len(shown) == len(set(shown))
            for part in text.split(", "):
                run_ = part.split(" ")
                for first, second in zip(run_, run_[1:], strict=False):
                    assert all(held[item][second] == first for item in node)


@pytest.mark.everywhere
def test_items_share_nodes_as_defined(connection):
    judge(connection, 0)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 12))
def test_items_always_share_nodes_as_defined(connection, seed):
    judge(connection, seed)


def judge(connection, seed):
    given = rows(names(seed), seed)
    support = Counter(item for _, item in given)
    private = sorted(support)[seed:40:7]
    with read(connection, given) as baskets:
        learned.learned_hierarchy(baskets, "names", k=5, private=private)
        tree = tree_of(baskets)
    assert set(tree) == set(support)
    public = set(support) - set(private)
    check(tree, public, {item for item in public if support[item] >= 5})
    labels = {label for each in tree.values() for label in each}
    assert not labels & set(support), "no label is an item"
    for level in range(sql.LEVELS):
        nodes = nodes_of(tree, level)
        assert not [node for node in nodes.values() if node & set(private) and node & public]


def test_a_label_names_no_item_that_too_few_hold(connection):
    """Four items of two words are frequent; their words together are an item that one holds."""
    given = [(tid, f"{word} {n}xx") for word in ("polonium", "teapot") for n in range(4)
             for tid in range(5)]  # fmt: skip
    given += [(0, "Polonium Teapot"), (1, "thallium teapot")]
    with read(connection, given) as baskets:
        learned.learned_hierarchy(baskets, "names", k=5)
        labels = {label for each in tree_of(baskets).values() for label in each}
    assert any("teapot" in one for one in labels) and any("polonium" in one for one in labels)
    assert not [one for one in labels if "thallium" in one or {"polonium", "teapot"} <= set(one)]
    assert not [one for one in labels if "polonium" in one and "teapot" in one]


@pytest.mark.parametrize("learn", learned.LEVELS)
def test_labels_name_items_that_persons_hold(connection, learn):
    """Ten transactions of one person do not make an item known."""
    given = [(3 * n, f"secret {item}") for item in "abcdefgh" for n in range(10)]
    given += [(n, f"common {item}xx") for item in "abcdefgh" for n in range(30)]
    with read(connection, given, person="who") as baskets:
        learned.learned_hierarchy(baskets, learn, k=2)
        labels = {label for each in tree_of(baskets, learn).values() for label in each}
    assert any("common" in one for one in labels)
    assert not [one for one in labels if "secret" in one]


def test_words_of_an_item_and_of_a_node_differ(connection):
    given = rows(["red tin", "red box", "red heart", "red holder", "red"], 1)
    given += [(tid, "red") for tid in range(9)]
    with read(connection, sorted(set(given))) as baskets:
        learned.learned_hierarchy(baskets, "names", k=1)
        tree = tree_of(baskets)
    assert tree["red tin"][-1] == "red …"


def test_mistakes_are_told(connection):
    with read(connection, [(1, "a")]) as baskets:
        with pytest.raises(InputError, match="baskets or names"):
            learned.learned_hierarchy(baskets, "stars", k=5)


def test_the_command(tmp_path, monkeypatch, capsys):
    """The tree is written, is the same for every run, and a release is made with it."""
    monkeypatch.chdir(tmp_path)
    with duckdb.connect() as local:
        local.execute("CREATE TABLE t (tid INTEGER, item VARCHAR, who INTEGER)")
        local.executemany("INSERT INTO t VALUES ($1, $2, $1 % 9)", rows(names(0), 0))
        local.sql("FROM t").write_parquet("t.parquet")
    line = "hierarchy t.parquet --tid tid --item item --person who --learn names --k 5".split()
    for name, threads in (("a.csv", "1"), ("b.csv", "2")):
        assert run([*line, "--out", name, "--threads", threads, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["parameters"]["learn"] == "names"
    assert Path("a.csv").read_bytes() == Path("b.csv").read_bytes()
    ask = "coherence t.parquet --tid tid --item item --person who --k 5 --p 2".split()
    ask += "--method generalize --hierarchy a.csv --out r.parquet".split()
    assert run(ask) == 0
