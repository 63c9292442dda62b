"""The checker of rho-uncertainty counts persons as the definition does, over every subset."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction

import pytest
from duckdb import DuckDBPyConnection
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlglot import exp

import harness
import oracles_uncertainty as oracle
from setveil.errors import InputError
from setveil.models.uncertainty import check as checker
from setveil.models.uncertainty.check import UncertaintyVerdict, UnsafeRule, check_uncertainty
from setveil.run.session import Session
from setveil.sql.models.uncertainty import check as steps

Owned = list[tuple[oracle.Itemset, int]]  # transactions, each with its person
SENSITIVE = frozenset({0, 1, 5})
owned_baskets = st.lists(
    st.tuples(st.frozensets(st.integers(0, 6), max_size=6), st.integers(0, 4)), max_size=12
)
shares = st.sampled_from([Fraction(n, 10) for n in (0, 1, 2, 3, 4, 5, 5, 6, 7, 8, 9, 10)])


@pytest.fixture(scope="module")
def session(connection: DuckDBPyConnection) -> Iterator[Session]:
    with harness.prepared(connection) as session:
        yield session


def check(session: Session, held: Owned, rho: Fraction, **options: int) -> UncertaintyVerdict:
    cells = [(t, i) for t, (basket, _) in enumerate(held) for i in sorted(basket) or [None]]
    owners = [(str(t), 7 * who) for t, (_, who) in enumerate(held)]
    harness.fill(session, "release_cell", "key INTEGER, name INTEGER", cells)
    harness.fill(session, "sensitive_name", "label VARCHAR", [[str(one)] for one in SENSITIVE])
    harness.fill(session, "owned", "key VARCHAR, person INTEGER", owners)
    return check_uncertainty(
        session,
        exp.to_table("release_cell"),
        exp.to_table("sensitive_name"),
        rho=rho,
        owners=exp.to_table("owned"),
        **{"limit": 10_000} | options,
    )


def expected(held: Owned, rho: Fraction, most: int | None) -> set[UnsafeRule]:
    """The rules of one item, else the certain ones of whole transactions, else of the fewest."""
    baskets, owners = [basket for basket, _ in held], [who for _, who in held]
    unsafe = oracle.unsafe_rules(baskets, SENSITIVE, rho, most, owners)
    wholes = {basket - {e} for basket in baskets for e in basket & SENSITIVE}
    single = [rule for rule in unsafe if len(rule.known) == 1]
    certain = [rule for rule in unsafe if rule.known in wholes and rule.support == rule.of]
    certain = certain if steps.PROBES else []
    fewest = [rule for rule in unsafe if len(rule.known) == min(len(r.known) for r in unsafe)]
    return {
        UnsafeRule(
            tuple(sorted(map(str, rule.known))),
            str(rule.secret),
            rule.support,
            rule.of,
            rule.support / rule.of,
            rule.persons,
            rule.of_persons,
            rule.persons / rule.of_persons,
        )
        for rule in single or certain or fewest
    }


def agree(
    session: Session, held: Owned, rho: Fraction, most: int | None = None
) -> UncertaintyVerdict:
    verdict = check(session, held, rho, **{} if most is None else {"max_knowledge": most})
    rules = expected(held, rho, most)
    assert set(verdict.violations) == rules
    assert verdict.found == len(rules)
    assert verdict.holds is (not rules)
    assert verdict.persons == len({who for _, who in held})
    return verdict


@pytest.mark.parametrize("probes", [0, 2**20])
@settings(max_examples=3, deadline=None)
@given(held=owned_baskets, rho=shares, most=st.sampled_from([None, None, 1, 2, 3]))
def test_every_subset(
    session: Session, probes: int, held: Owned, rho: Fraction, most: int | None
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(steps, "PROBES", probes)
        agree(session, held, rho, most)


@pytest.mark.slow
@settings(max_examples=2000, deadline=None)
@given(held=owned_baskets, rho=shares, most=st.sampled_from([None, None, 1, 2, 3]))
def test_every_subset_of_many(
    session: Session, held: Owned, rho: Fraction, most: int | None
) -> None:
    agree(session, held, rho, most)


def seeded(seed: int) -> Owned:
    dice = random.Random(seed)
    return [
        (frozenset(dice.sample(range(9), dice.randint(1, 6))), dice.randint(0, 7))
        for _ in range(40)
    ]


@pytest.mark.few(2)
@pytest.mark.parametrize("seed", range(4))
def test_at_the_shares_that_occur(
    session: Session, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The highest share in persons, and a little less: planted violations are found."""
    monkeypatch.setattr(steps, "PROBES", 2**20 * (seed % 2))
    monkeypatch.setattr(checker, "SOME", (10**6, 10, 20, 20)[seed])
    turns: list[range | None] = [range(20), range(20, 40)] if seed > 1 else [None]
    monkeypatch.setattr(checker, "_ways", lambda session, size: (seed % 2 == 0, turns))
    held = seeded(seed)
    baskets, owners = [basket for basket, _ in held], [who for _, who in held]
    rules = oracle.rules(baskets, SENSITIVE, None, owners)
    highest = max(rule.confidence for rule in rules)
    assert agree(session, held, highest).holds
    below = highest - Fraction(1, 10**6)
    assert not agree(session, held, below).holds
    longer = [rule.confidence for rule in rules if len(rule.known) > 2]
    agree(session, held, max(longer) - Fraction(1, 10**6))


@pytest.mark.everywhere
def test_a_share_of_persons_above_that_of_transactions(session: Session) -> None:
    """One of four transactions, but one of two persons."""
    held = [(frozenset({2, 0}), 1), *[(frozenset({2}), 2)] * 3]
    (rule,) = agree(session, held, Fraction(1, 3)).violations
    assert (rule.support, rule.of, rule.persons, rule.of_persons) == (1, 4, 1, 2)
    assert agree(session, held, Fraction(1, 2)).holds


def test_a_person_who_covers_a_rule_may_be_its_witness(session: Session) -> None:
    """Each holds {2, 3} once with the secret and once without: half of them, and all persons."""
    held = [(frozenset(items), who) for who in range(3) for items in ({2, 3, 0}, {2, 3})]
    held += [(frozenset({item}), 9) for item in (2, 3) for _ in range(3)]
    verdict = agree(session, held, Fraction(4, 5))
    (rule,) = verdict.violations
    assert (rule.known, rule.confidence, rule.confidence_in_persons) == (("2", "3"), 0.5, 1.0)


def test_a_larger_set_is_unsafe_in_persons_only(session: Session) -> None:
    """Covers of a witness are of persons who are witnesses themselves: they prove nothing."""
    whole = frozenset({2, 3, 4, 0})
    held: Owned = [(whole, 1), (whole, 2), (frozenset({2, 3, 4, 6}), 1), (frozenset({2, 3, 4}), 2)]
    held += [(frozenset(pair), 3 + n) for pair in ({2, 3}, {3, 4}, {2, 4}) for n in range(3)]
    (rule,) = agree(session, held, Fraction(3, 4)).violations
    assert rule.known == ("2", "3", "4")


def test_a_transaction_without_a_person_is_refused(session: Session) -> None:
    with pytest.raises(InputError, match="1 transaction of the release without a person"):
        harness.fill(session, "release_cell", "key INTEGER, name INTEGER", [(1, 2), (2, 3)])
        harness.fill(session, "owned", "key VARCHAR, person INTEGER", [("1", 0)])
        check_uncertainty(
            session,
            exp.to_table("release_cell"),
            exp.to_table("sensitive_name"),
            rho=Fraction(1, 2),
            owners=exp.to_table("owned"),
        )
