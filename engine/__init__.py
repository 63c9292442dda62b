"""setveil: anonymize transaction data inside the database.

import setveil

with setveil.read("baskets.parquet", tid="basket", item="sku") as baskets:
    release = setveil.coherence(baskets, private=["HIV"], h=0.8, k=2, p=2)
    release.write("safe.parquet", trail="audit.sql")
"""

if __name__ != "setveil":
    raise ImportError(f"this folder is the package 'setveil', not {__name__!r}: import setveil")

from setveil import verify
from setveil.checks.coherence import Verdict, Violation
from setveil.coherence import CoherenceMetrics, coherence
from setveil.comparison import Comparison, compare
from setveil.errors import (
    CheckError,
    InputError,
    QueryError,
    SetveilError,
    UnreachableError,
)
from setveil.inspection import Inspection, inspect
from setveil.release import Release
from setveil.session import Session, Statement
from setveil.sweeping import Swept, sweep
from setveil.synthetic import GenerateMetrics, generate
from setveil.trail import Replay, replay
from setveil.transactions import Baskets, read

__all__ = [
    "Baskets",
    "CheckError",
    "CoherenceMetrics",
    "Comparison",
    "GenerateMetrics",
    "InputError",
    "Inspection",
    "QueryError",
    "Release",
    "Replay",
    "Session",
    "SetveilError",
    "Statement",
    "Swept",
    "UnreachableError",
    "Verdict",
    "Violation",
    "coherence",
    "compare",
    "generate",
    "inspect",
    "read",
    "replay",
    "sweep",
    "verify",
]
