"""What all checkers have in common."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import duckdb
import pytest
from sqlglot import exp

import harness
from setveil.errors import InputError
from setveil.models.coherence.check import check_coherence
from setveil.models.k_anonymity.check import check_k_anonymity
from setveil.models.km_anonymity.check import check_km
from setveil.models.permutation.check import check_permutation
from setveil.models.uncertainty.check import check_uncertainty
from setveil.run.session import Session

CELLS, LISTED = exp.to_table("cells"), exp.to_table("listed")
CHECKS: dict[str, Callable[[Session], object]] = {
    "coherence": lambda session: check_coherence(
        session, CELLS, LISTED, h=Fraction(1), k=1, p=1
    ),
    "k-anonymity": lambda session: check_k_anonymity(session, CELLS, k=1, levels=False),
    "km-anonymity": lambda session: check_km(session, CELLS, k=1, m=1, levels=False),
    "permutation": lambda session: check_permutation(
        session, CELLS, CELLS, CELLS, LISTED, degree=2
    ),
    "uncertainty": lambda session: check_uncertainty(session, CELLS, LISTED, rho=Fraction(1)),
}  # fmt: skip


@pytest.mark.parametrize("name", CHECKS)
def test_rows_of_no_transaction_are_not_judged(
    connection: duckdb.DuckDBPyConnection, name: str
) -> None:
    cells = ("key INT, name VARCHAR", [(None, "b"), (None, "c"), (1, "a"), (2, "a")])
    listed = ("label VARCHAR, private INT", [("a", 0), ("b", 0)])
    with (
        harness.prepared(connection, cells=cells, listed=listed) as session,
        pytest.raises(InputError, match="has 2 rows with NULL for a transaction"),
    ):
        CHECKS[name](session)
