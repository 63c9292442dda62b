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
from setveil.checks.hidden import HiddenPattern, HiddenVerdict
from setveil.checks.uncertainty import UncertaintyVerdict, UnsafeRule
from setveil.coherence import CoherenceMetrics, coherence
from setveil.comparison import compare
from setveil.errors import (
    CheckError,
    DatabaseError,
    InputError,
    QueryError,
    SetveilError,
    TooLargeError,
    UnreachableError,
)
from setveil.findings import Comparison
from setveil.hiding import HideMetrics, hide
from setveil.hierarchy import Hierarchy
from setveil.inspection import Inspection, inspect
from setveil.itemsets import ItemsetMetrics, Mined, itemsets
from setveil.km import KmMetrics, km
from setveil.partition import PartitionMetrics, partition
from setveil.pattern_measures import PatternMeasures
from setveil.reidentification import Reidentification, ReidentifyMetrics, reidentify
from setveil.reidentification_sweep import SweepPoint, sweep_reidentification
from setveil.release import Release
from setveil.renaming import RenameMetrics, Renaming, rename
from setveil.replaying import Replay, replay
from setveil.session import Session, Statement
from setveil.sweeping import Swept, sweep
from setveil.synthetic import GenerateMetrics, generate
from setveil.transactions import Baskets, read
from setveil.uncertainty import UncertaintyMetrics, uncertainty

__all__ = [
    "Baskets",
    "CheckError",
    "DatabaseError",
    "CoherenceMetrics",
    "Comparison",
    "GenerateMetrics",
    "HiddenPattern",
    "HiddenVerdict",
    "HideMetrics",
    "Hierarchy",
    "InputError",
    "Inspection",
    "ItemsetMetrics",
    "KmMetrics",
    "Mined",
    "PartitionMetrics",
    "PatternMeasures",
    "QueryError",
    "Reidentification",
    "ReidentifyMetrics",
    "Release",
    "RenameMetrics",
    "Renaming",
    "Replay",
    "Session",
    "SetveilError",
    "Statement",
    "SweepPoint",
    "Swept",
    "TooLargeError",
    "UncertaintyMetrics",
    "UncertaintyVerdict",
    "UnreachableError",
    "UnsafeRule",
    "Verdict",
    "Violation",
    "coherence",
    "compare",
    "generate",
    "hide",
    "inspect",
    "itemsets",
    "km",
    "partition",
    "read",
    "reidentify",
    "rename",
    "replay",
    "sweep",
    "sweep_reidentification",
    "uncertainty",
    "verify",
]
