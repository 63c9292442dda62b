"""setveil: anonymize transaction data inside the database.

import setveil

with setveil.read("baskets.parquet", tid="basket", item="sku") as baskets:
    release = setveil.coherence(baskets, private=["HIV"], h=0.8, k=2, p=2)
    release.write("safe.parquet", trail="audit.sql")
"""

if __name__ != "setveil":
    raise ImportError(f"this folder is the package 'setveil', not {__name__!r}: import setveil")

from setveil import verify
from setveil.attack.reidentification import Reidentification, ReidentifyMetrics, reidentify
from setveil.attack.sweep import SweepPoint, sweep_reidentification
from setveil.comparison.compare import compare
from setveil.comparison.findings import Comparison
from setveil.comparison.inspection import Inspection, inspect
from setveil.comparison.sweep import Swept, sweep
from setveil.errors import (
    CheckError,
    DatabaseError,
    InputError,
    QueryError,
    SetveilError,
    TooLargeError,
    UnreachableError,
)
from setveil.generator.generate import GenerateMetrics, generate
from setveil.hierarchy.trees import Hierarchy
from setveil.mine.itemsets import ItemsetMetrics, Mined, itemsets
from setveil.mine.patterns import PatternMeasures
from setveil.models.coherence.anonymize import CoherenceMetrics, coherence
from setveil.models.coherence.check import Verdict, Violation
from setveil.models.hiding.anonymize import HideMetrics, hide
from setveil.models.hiding.check import HiddenPattern, HiddenVerdict
from setveil.models.k_anonymity.anonymize import PartitionMetrics, partition
from setveil.models.km_anonymity.anonymize import KmMetrics, km
from setveil.models.renaming.anonymize import RenameMetrics, Renaming, rename
from setveil.models.uncertainty.anonymize import UncertaintyMetrics, uncertainty
from setveil.models.uncertainty.check import UncertaintyVerdict, UnsafeRule
from setveil.run.reading import Baskets, read
from setveil.run.release import Release
from setveil.run.session import Session, Statement
from setveil.trail.replay import Replay, replay

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
