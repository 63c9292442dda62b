"""Find the sensitive rules that tell too much, and the occurrences whose loss stops them.

Items are coded by number, the harmless ones first, 1 … harmless. A *guarded* transaction holds
sensitive items and few items in all, so its subsets can be listed: `arranged` has its codes side by
side (p_1, p_2, …), `mask` the subsets of so many places. A subset's key is its codes, packed in
order into the columns k_0, k_1, …: sums of products, so no join is needed to make it. `counted` has
the support of every subset of guarded transactions, `elsewhere` that of the harmless ones in all
others. What is suppressed is in `gone(tid, code, round)`, only ever appended to.
Jia et al.: rho-uncertainty anonymization by partial suppression, DASFAA 2014.
"""

from __future__ import annotations

from functools import reduce
from itertools import product

from sqlglot import exp

from setveil.sql.step import Step, duck, term
from setveil.sql.subsets import (
    Frame,
    code_at,
    coefficient,
    copies,
    key_columns,
    number,
    packed,
    place_name,
    roll,
    same_itemset,
    side_by_side,
    total,
)

WEIGHT = 27_720  # divided by 1 … 12 without remainder


# What is there


def table(name: str) -> exp.Table:
    """A relation by its name."""
    return exp.to_table(name)


def coded() -> Step:
    """One row per item: its code, 1 for the rarest of the harmless; the sensitive come last."""
    query = duck(
        """
        SELECT i.item AS item, i.support AS support,
            CASE WHEN r.item IS NULL THEN 0 ELSE 1 END AS sensitive,
            CAST(ROW_NUMBER() OVER (
                ORDER BY CASE WHEN r.item IS NULL THEN 0 ELSE 1 END, i.support, i.item
            ) AS BIGINT) AS code
        FROM item AS i LEFT JOIN sensitive_item AS r ON r.item = i.item
        """
    )
    return Step("coded", "sensitive items have the last codes, so they stand last", query)


def original(parts: int, seed: int) -> Step:
    """One row per occurrence: its transaction, the part that is in, its code."""
    query = duck(
        """
        SELECT o.tid AS tid, $roll % $parts AS part, c.code AS code
        FROM occurrence AS o JOIN coded AS c ON c.item = o.item
        """,
        roll=roll(seed, "o"),
        parts=parts,
    )
    return Step("original", "transactions in parts, at random", query)


def extents(harmless: int) -> Step:
    """One row per transaction: how many items it holds, and how many harmless ones."""
    query = duck(
        """
        SELECT o.tid AS tid, COUNT(*) AS held,
            COUNT(CASE WHEN o.code <= $harmless THEN 1 END) AS known
        FROM original AS o GROUP BY o.tid
        """,
        harmless=harmless,
    )
    return Step("extent", "a rule needs something known and something sensitive", query)


def lengths() -> Step:
    """One row per length of transactions with something to infer: how many there are."""
    query = duck(
        """
        SELECT e.held AS held, COUNT(*) AS transactions FROM extent AS e
        WHERE e.held > 1 AND e.known < e.held GROUP BY e.held ORDER BY held
        """
    )
    return Step(
        "lengths", "decides how long a transaction may be for its subsets to be listed", query
    )


def guarded(frame: Frame, *, evenly: bool) -> Step:
    """One row per transaction whose subsets are listed: how many items it starts with.

    Those too long to list all subsets of lose their sensitive items, unless these are most of what
    they hold; or, `evenly`, whatever items come last in the seeded order.
    """
    if evenly:
        query = duck(
            """
            SELECT e.tid AS tid, CASE WHEN e.held <= $places THEN e.held ELSE $places END AS kept
            FROM extent AS e WHERE e.held > 1 AND e.known < e.held
            """,
            places=frame.places,
        )
    else:
        query = duck(
            """
            SELECT e.tid AS tid,
                CASE WHEN e.held <= $places THEN e.held
                WHEN e.known * 2 < e.held AND e.known * 2 <= $places THEN $places
                ELSE e.known END AS kept
            FROM extent AS e
            WHERE e.held > 1 AND e.known < e.held
                AND CASE WHEN e.held <= $places THEN 0 ELSE e.known END < $places
            """,
            places=frame.places,
        )
    return Step("guarded", "transactions that keep sensitive items, or could", query)


def cut(frame: Frame, seed: int, *, evenly: bool) -> Step:
    """One row per occurrence that goes because its transaction is too long."""
    order = (
        roll(seed, "o", "o.code")
        if evenly
        else term("CASE WHEN o.code > $harmless THEN $radix - o.code ELSE 0 END",
                  harmless=frame.harmless, radix=frame.radix)
    )  # fmt: skip
    query = duck(
        """
        SELECT n.tid AS tid, n.code AS code, 0 AS round
        FROM (
            SELECT o.tid AS tid, o.code AS code, COALESCE(g.kept, e.known) AS kept,
                ROW_NUMBER() OVER (PARTITION BY o.tid ORDER BY $order, o.code) AS turn
            FROM original AS o
            JOIN extent AS e ON e.tid = o.tid AND e.held > $places AND e.known < e.held
            LEFT JOIN guarded AS g ON g.tid = o.tid
        ) AS n
        WHERE n.turn > n.kept
        """,
        order=order,
        places=frame.places,
    )
    return _gone(frame, query)


def _gone(frame: Frame, query: exp.Select) -> Step:
    """Nothing, where nothing that is sure is too sure."""
    if frame.rho == 1:
        query = query.where(term("1 = 0"), copy=False)
    return Step("gone", "what goes from transactions too long to list the subsets of", query)


def watched() -> Step:
    """One row per occurrence of a guarded transaction, suppressed or not."""
    query = duck(
        """
        SELECT o.tid AS tid, o.part AS part, o.code AS code
        FROM original AS o JOIN guarded AS g ON g.tid = o.tid
        """
    )
    return Step("watched", "where something sensitive could be inferred", query)


def apart(harmless: int) -> Step:
    """One row per occurrence of a harmless item in a transaction that is not guarded."""
    query = duck(
        """
        SELECT o.tid AS tid, o.part AS part, o.code AS code
        FROM original AS o
        WHERE o.code <= $harmless
            AND NOT EXISTS (SELECT 1 FROM guarded AS g WHERE g.tid = o.tid)
        """,
        harmless=harmless,
    )
    return Step("apart", "the other transactions hide what the guarded ones hold", query)


# Subsets


def masks(frame: Frame) -> Step:
    """One row per subset of the places: a sum of powers of two; its last place; its packing."""
    branches = [_masks_of(frame, size) for size in range(1, frame.most + 1)]
    query = reduce(lambda a, b: exp.Union(this=a, expression=b, distinct=False), branches)
    return Step("mask", "the subsets of so many places, and what packs their codes", query)


def _masks_of(frame: Frame, size: int) -> exp.Query:
    owners = [f"a{n}" for n in range(1, size + 1)]
    query = exp.Select().from_(exp.to_table("place").as_(owners[0]))
    for left, right in zip(owners, owners[1:], strict=False):
        later = exp.column("item", table=right) > exp.column("item", table=left)
        query = query.join(exp.to_table("place").as_(right), on=later)
    bits = [exp.cast(exp.column("item", table=one), "BIGINT") for one in owners]
    last = exp.Case(
        this=bits[-1].copy(),
        ifs=[exp.If(this=number(1 << n - 1), true=number(n)) for n in frame.columns],
    )
    shown = [total(bits).as_("mask"), last.as_("top"), number(size).as_("size")]
    for key, column in product(frame.keys, frame.columns):
        held = [
            exp.Case(
                this=exp.column("item", table=owner),
                ifs=[
                    exp.If(
                        this=number(1 << column - 1),
                        true=number(frame.radix ** (n % frame.per_key)),
                    )
                ],
                default=number(0),
            )
            for n, owner in enumerate(owners)
            if n // frame.per_key == key
        ]
        shown.append(exp.cast(total(held or [number(0)]), "BIGINT").as_(f"c_{key}_{column}"))
    return query.select(*shown)


def facets(frame: Frame) -> Step:
    """One row per subset and place in it: what packs the subset without that place."""
    query = duck(
        """
        SELECT m.mask AS mask, m.top AS top, p.place AS place
        FROM mask AS m
        JOIN (SELECT f.top AS place, f.mask AS bit FROM mask AS f WHERE f.size = 1) AS p
            ON m.mask % (2 * p.bit) >= p.bit
        JOIN mask AS r ON r.mask = m.mask - p.bit
        """
    )
    shown = [exp.column(coefficient(k, c), table="r").as_(coefficient(k, c))
             for k, c in product(frame.keys, frame.columns)]  # fmt: skip
    return Step("facet", "a subset and what is known of it", query.select(*shown))


def members(frame: Frame) -> Step:
    """One row per subset and place in it: what packs the subset."""
    query = duck(
        """
        SELECT m.mask AS mask, m.top AS top, m.size AS size, p.place AS place
        FROM mask AS m
        JOIN (SELECT f.top AS place, f.mask AS bit FROM mask AS f WHERE f.size = 1) AS p
            ON m.mask % (2 * p.bit) >= p.bit
        """
    )
    shown = [exp.column(coefficient(k, c), table="m").as_(coefficient(k, c))
             for k, c in product(frame.keys, frame.columns)]  # fmt: skip
    return Step("member", "a subset and what is in it", query.select(*shown))


def arranged(frame: Frame, lost: exp.Table) -> Step:
    """One row per guarded transaction: its codes side by side, and the first one like it."""
    inner = duck(
        """
        SELECT s.tid AS tid, MIN(s.part) AS part, COUNT(*) AS held,
            COUNT(CASE WHEN s.code <= $harmless THEN 1 END) AS known
        FROM (
            SELECT w.tid AS tid, w.part AS part, w.code AS code,
                ROW_NUMBER() OVER (PARTITION BY w.tid ORDER BY w.code) AS place
            FROM watched AS w
            WHERE NOT EXISTS (SELECT 1 FROM $lost AS g WHERE g.tid = w.tid AND g.code = w.code)
        ) AS s
        GROUP BY s.tid
        """,
        harmless=frame.harmless,
        lost=lost,
    ).select(*side_by_side(frame, "s"))
    names = [exp.column(place_name(n), table="a") for n in frame.columns]
    alike = [exp.column("part", table="a"), *names]
    shown = "SELECT a.tid AS tid, a.part AS part, a.held AS held, a.known AS known FROM $rows AS a"
    query = duck(shown, rows=inner.subquery())
    query = query.select(
        exp.Window(this=term("MIN(a.tid)"), partition_by=[one.copy() for one in alike]).as_(
            "alike"
        ),
        exp.Window(this=term("COUNT(*)"), partition_by=[one.copy() for one in alike]).as_("weight"),
        *(one.copy().as_(one.name) for one in names),
    )
    return Step("arranged", "equal transactions are looked at once", query)


def subsets(frame: Frame) -> Step:
    """One row per subset of each kind of guarded transaction."""
    query = duck(
        """
        SELECT a.tid AS shape, a.part AS part, a.weight AS weight, m.mask AS mask,
            CASE WHEN m.top > a.known THEN 1 ELSE 0 END AS telling
        FROM arranged AS a JOIN mask AS m ON m.top <= a.held
        WHERE a.tid = a.alike
        """
    )
    return Step(
        "subset",
        "what an attacker can know, and what follows",
        query.select(*packed(frame, "a", "m")),
    )


def counted(frame: Frame, *, listed: bool) -> Step:
    """One row per itemset of guarded transactions: its support there, and where it is found.

    `listed` reads `subset`, where it is needed again.
    """
    rows = table("subset") if listed else subsets(frame).query.subquery()
    query = duck(
        """
        SELECT s.part AS part, CAST(SUM(s.weight) AS BIGINT) AS support, MAX(s.telling) AS telling,
            MIN(CAST(s.shape AS BIGINT) * $subsets + s.mask) AS example
        FROM $rows AS s
        """,
        subsets=frame.subsets,
        rows=rows,
    )
    keys = key_columns(frame, "s")
    query = query.select(*(key.as_(key.name) for key in keys))
    return Step(
        "counted",
        "supports among the guarded",
        query.group_by(exp.column("part", table="s"), *copies(keys)),
    )


def reached(frame: Frame, size: int) -> Step:
    """One row per transaction apart and harmless itemset of `size` that a guarded one holds."""
    key, power = divmod(size - 1, frame.per_key)
    if size == 1:
        inner = duck("SELECT a.tid AS tid, a.part AS part, a.code AS last FROM apart AS a")
    else:
        inner = duck(
            """
            SELECT r.tid AS tid, r.part AS part, a.code AS last
            FROM $before AS r JOIN apart AS a ON a.tid = r.tid AND a.code > r.last
            """,
            before=exp.to_table(f"reached_{size - 1}"),
        )
    for n in frame.keys:
        before = exp.column(f"k_{n}", table="r") if size > 1 else number(0)
        value = before if n != key else term("$before + a.code * $power", before=before,
                                             power=frame.radix**power)  # fmt: skip
        inner = inner.select(exp.cast(value, "BIGINT").as_(f"k_{n}"))
    query = duck(
        "SELECT n.tid AS tid, n.part AS part, n.last AS last FROM $rows AS n", rows=inner.subquery()
    )
    query = query.select(*(one.as_(one.name) for one in key_columns(frame, "n")))
    known = duck("SELECT 1 FROM counted AS c WHERE c.telling = 0").where(
        same_itemset(frame, "c", "n")
    )
    return Step(f"reached_{size}", "who else holds it", query.where(exp.Exists(this=known)))


def elsewhere(frame: Frame, size: int) -> Step:
    """One row per harmless itemset of guarded transactions that others hold too: how many."""
    keys = key_columns(frame, "r")
    query = duck("SELECT r.part AS part, COUNT(*) AS support FROM $rows AS r",
                 rows=exp.to_table(f"reached_{size}"))  # fmt: skip
    query = query.select(*(key.as_(key.name) for key in keys))
    return Step(
        "elsewhere",
        "supports among the others",
        query.group_by(exp.column("part", table="r"), *copies(keys)),
    )


# Rules


def rules(frame: Frame, least: int = 2) -> exp.Select:
    """One row per sensitive rule of what stands, and the supports of its sides.

    Of all its items the key is k_0, k_1, …; of those without the secret q_0, q_1, …
    """
    rows = duck(
        """
        SELECT c.part AS part, c.support AS support, $secret AS secret
        FROM counted AS c
        JOIN arranged AS a ON a.tid = HIGH(c.example, $subsets)
        JOIN facet AS f ON f.mask = LOW(c.example, $subsets) AND f.place > a.known
        WHERE c.telling = 1 AND a.held >= $least
        """,
        secret=code_at(frame, "a", "f"),
        subsets=frame.subsets,
        least=least,
    )
    rows = rows.select(
        *(key.as_(key.name) for key in key_columns(frame, "c")), *packed(frame, "a", "f", "q")
    )
    query = duck(
        """
        SELECT x.part AS part, x.secret AS secret, x.support AS support,
            q.support + COALESCE(e.support, 0) AS known
        FROM $rows AS x
        """,
        rows=rows.subquery(),
    )
    query = query.select(
        *(key.as_(key.name) for key in key_columns(frame, "x")),
        *(exp.column(f"q_{n}", table="x").as_(f"q_{n}") for n in frame.keys),
    )
    query = query.join(exp.to_table("counted").as_("q"), on=same_itemset(frame, "q", "x", "q"))
    # By the keys of `counted`: DuckDB 2.0 would else put the outer join below the other, and fails
    # now and then where an outer join's rows are the ones that a next join is built of.
    query = query.join(
        exp.to_table("elsewhere").as_("e"), on=same_itemset(frame, "e", "q"), join_type="left"
    )
    return query


def unsafe(frame: Frame, least: int) -> Step:
    """One row per rule of too high a confidence, with N_s of Definition 1, rounded up.

    Only rules of transactions that hold `least` items are looked at: the longest go first.
    """
    query = rules(frame, least)
    num, den = frame.rho.numerator, frame.rho.denominator
    judged = duck(
        """
        SELECT u.part AS part, u.secret AS secret,
            u.support - u.known * $num // $den AS of_secret,
            (u.support * $den - u.known * $num + $rest - 1) // $rest AS of_known
        FROM $rows AS u
        WHERE u.support * $den > $num * u.known
        """,
        rows=query.subquery(), num=num, den=den, rest=max(1, den - num),
    )  # fmt: skip
    judged = judged.select(*(key.as_(key.name) for key in key_columns(frame, "u")))
    return Step("unsafe", "rules above rho, and how many occurrences stop them", judged)


def targets(frame: Frame, seed: int) -> Step:
    """One row per unsafe rule and transaction that loses one of its items.

    As many as must lose the sensitive one: others take more, and get a turn in the rounds to come.
    """
    inner = duck(
        """
        SELECT a.tid AS tid, s.mask AS mask, u.secret AS secret,
            u.of_secret AS of_secret, u.of_known AS of_known
        FROM unsafe AS u
        """
    )
    inner = inner.join(exp.to_table("subset").as_("s"), on=same_itemset(frame, "s", "u"))
    inner = inner.join(exp.to_table("arranged").as_("a"), on=term("a.alike = s.shape"))
    group = [
        exp.column(name, table="u") for name in ("part", *(f"k_{n}" for n in frame.keys), "secret")
    ]
    order = exp.Order(expressions=[roll(seed, "a"), exp.column("tid", table="a")])
    inner = inner.select(
        exp.Window(this=exp.RowNumber(), partition_by=group, order=order).as_("turn")
    )
    query = duck(
        """
        SELECT t.tid AS tid, t.mask AS mask, t.secret AS secret,
            t.of_secret AS of_secret, t.of_known AS of_known
        FROM $rows AS t WHERE t.turn <= t.of_secret
        """,
        rows=inner.subquery(),
    )
    return Step("target", "which transactions lose something, in a seeded order", query)


def victims(frame: Frame, round_: int, *, evenly: bool) -> Step:
    """One row per transaction: the item it loses.

    Formulas 6 (`evenly`) and 7, over all rules that the loss of an item would help to stop: first
    those that help with most rules, except where the distribution is to stay.
    """
    scored = duck(
        """
        SELECT s.tid AS tid, s.code AS code, COUNT(*) AS rules, CAST($total AS BIGINT) AS stopped
        FROM (
            SELECT t.tid AS tid, $code AS code,
                CASE WHEN t.secret = $code THEN t.of_secret ELSE t.of_known END AS need
            FROM target AS t
            JOIN arranged AS a ON a.tid = t.tid
            JOIN facet AS f ON f.mask = t.mask
        ) AS s
        GROUP BY s.tid, s.code
        """,
        code=code_at(frame, "a", "f"),
        total=term("SUM($weight // s.need)", weight=WEIGHT),
    )
    order = _by_distribution() if evenly else _by_rules()
    query = duck(
        """
        SELECT n.tid AS tid, n.code AS code, $round AS round
        FROM (
            SELECT v.tid AS tid, v.code AS code, $turn AS turn
            FROM $scored AS v JOIN leftover AS c ON c.code = v.code
        ) AS n
        WHERE n.turn = 1
        """,
        scored=scored.subquery(),
        round=round_,
        turn=exp.Window(
            this=exp.RowNumber(),
            partition_by=[exp.column("tid", table="v")],
            order=exp.Order(expressions=[*order, exp.column("code", table="v")]),
        ),
    )
    return Step("gone", "what each of them loses", query)


def _by_rules() -> list[exp.Expr]:
    """Least leftover(t) N_s: as a whole number, so that it is the same everywhere."""
    helps = "v.stopped * c.support * 100"
    best = term(f"{helps} // c.remaining")
    return [_falling(term("v.rules")), _falling(best)]


def _by_distribution() -> list[exp.Expr]:
    """Greatest P(t) log (P(t) / P0(t)) / N_s, P(t) the share of t in all occurrences.

    Per transaction, as the paper's footnote has it, no item could ever have too large a share.
    """
    excess = "LN(c.remaining) - LN(c.support) - LN(c.all_remaining) + LN(c.all_support)"
    return [_falling(term(f"v.stopped * c.remaining * ({excess})"))]


def _falling(value: exp.Expr) -> exp.Expr:
    return exp.Ordered(this=value, desc=True)


def leftover(lost: exp.Table) -> Step:
    """One row per item: its support at first, and now (Definition 2)."""
    query = duck(
        """
        SELECT c.code AS code, c.support AS support, c.support - COALESCE(g.gone, 0) AS remaining,
            a.support AS all_support, a.support - n.gone AS all_remaining
        FROM coded AS c
        CROSS JOIN (SELECT CAST(SUM(i.support) AS BIGINT) AS support FROM coded AS i) AS a
        CROSS JOIN (SELECT COUNT(*) AS gone FROM $lost AS h) AS n
        LEFT JOIN (SELECT d.code AS code, COUNT(*) AS gone FROM $lost AS d GROUP BY d.code) AS g
            ON g.code = c.code
        """,
        lost=lost,
    )
    return Step("leftover", "what has lost much is worth less (Definition 2)", query)


# Items everywhere


def cut_everywhere(frame: Frame) -> Step:
    """One row per occurrence of a sensitive item that some transaction too long to list holds."""
    query = duck(
        """
        SELECT o.tid AS tid, o.code AS code, 0 AS round
        FROM original AS o
        WHERE o.code > $harmless AND EXISTS (
            SELECT 1 FROM original AS h
            JOIN extent AS e ON e.tid = h.tid AND e.held > $places
            WHERE h.code = o.code
        )
        """,
        harmless=frame.harmless,
        places=frame.places,
    )
    return _gone(frame, query)


def listed(places: int) -> Step:
    """One row per transaction with something to infer whose subsets can all be listed."""
    query = duck(
        """
        SELECT e.tid AS tid, e.held AS kept FROM extent AS e
        WHERE e.held > 1 AND e.known < e.held AND e.held <= $places
        """,
        places=places,
    )
    return Step("guarded", "transactions that keep sensitive items, for now", query)


def blamed(frame: Frame) -> Step:
    """One row per unsafe rule and item of it."""
    query = duck(
        """
        SELECT u.part AS part, u.secret AS secret, $code AS code
        FROM unsafe AS u
        """,
        code=code_at(frame, "a", "f"),
    )
    query = query.select(*(key.as_(key.name) for key in key_columns(frame, "u")))
    query = query.join(exp.to_table("counted").as_("c"), on=same_itemset(frame, "c", "u"))
    shape = "a.tid = HIGH(c.example, $subsets)"
    query = query.join(exp.to_table("arranged").as_("a"), on=term(shape, subsets=frame.subsets))
    facet = term("f.mask = LOW(c.example, $subsets)", subsets=frame.subsets)
    query = query.join(exp.to_table("facet").as_("f"), on=facet)
    return Step("blamed", "whose suppression would stop each rule", query)


def victims_everywhere(frame: Frame, round_: int) -> Step:
    """One row per occurrence of an item that is the best choice for half of its unsafe rules.

    The best is in the most unsafe rules for its support; it is among these, so there is always one.
    """
    rated = duck(
        """
        SELECT b.code AS code, n.rules AS rules
        FROM blamed AS b
        JOIN (SELECT m.code AS code, COUNT(*) AS rules FROM blamed AS m GROUP BY m.code) AS n
            ON n.code = b.code
        JOIN coded AS c ON c.code = b.code
        """
    )
    group = [
        exp.column("part", table="b"),
        *key_columns(frame, "b"),
        exp.column("secret", table="b"),
    ]
    ratio = term("n.rules * 1000000 // c.support")
    order = [_falling(ratio), exp.column("code", table="b")]
    window = exp.Window(
        this=exp.RowNumber(), partition_by=group, order=exp.Order(expressions=order)
    )
    rated = rated.select(window.as_("turn"))
    query = duck(
        """
        SELECT o.tid AS tid, o.code AS code, $round AS round
        FROM original AS o
        JOIN (
            SELECT r.code AS code FROM $rated AS r
            GROUP BY r.code, r.rules HAVING 2 * COUNT(CASE WHEN r.turn = 1 THEN 1 END) >= r.rules
        ) AS chosen ON chosen.code = o.code
        """,
        rated=rated.subquery(),
        round=round_,
    )
    return Step("gone", "what goes everywhere", query)


# What is left


def losses() -> Step:
    """One row: occurrences suppressed, those of sensitive items, transactions touched, emptied."""
    query = duck(
        """
        SELECT CAST(COALESCE(SUM(l.gone), 0) AS BIGINT) AS gone,
            CAST(COALESCE(SUM(l.sensitive), 0) AS BIGINT) AS sensitive, COUNT(*) AS touched,
            COUNT(CASE WHEN l.gone = e.held THEN 1 END) AS emptied
        FROM (
            SELECT s.tid AS tid, COUNT(*) AS gone, CAST(SUM(c.sensitive) AS BIGINT) AS sensitive
            FROM suppressed AS s JOIN coded AS c ON c.item = s.item GROUP BY s.tid
        ) AS l
        JOIN (SELECT o.tid AS tid, COUNT(*) AS held FROM occurrence AS o GROUP BY o.tid) AS e
            ON e.tid = l.tid
        """
    )
    return Step("losses", "what it cost", query)


def totals() -> Step:
    """One row: how many items are harmless, and the occurrences of the sensitive ones."""
    query = duck(
        """
        SELECT COUNT(CASE WHEN c.sensitive = 0 THEN 1 END) AS harmless,
            CAST(COALESCE(SUM(c.sensitive * c.support), 0) AS BIGINT) AS occurrences
        FROM coded AS c
        """
    )
    return Step("totals", "what there is to hide", query)
