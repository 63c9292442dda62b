"""The examples at the head of each command's help. Each can be run; the tests do so."""

from __future__ import annotations

ORDERS = "orders.parquet"
SECRET = "--private \"where:name LIKE 'Rx %'\" --h 0.4"

RELEASED: dict[str, tuple[str, str]] = {
    "coherence": (
        "--k 5 --p 2 --person customer --out safe.parquet",
        f"{SECRET} --k 5 --p 2 --out safe.parquet --trail audit.sql",
    ),
    "k-anonymity": (
        "--k 5 --hierarchy groups.parquet --out safe.parquet",
        "--k 5 --hierarchy groups.parquet --refine --out safe.parquet",
    ),
    "km-anonymity": (
        "--k 5 --m 2 --hierarchy groups.parquet --out safe.parquet",
        "--k 5 --m 2 --hierarchy groups.parquet --person customer --out safe.parquet",
    ),
    "uncertainty": (
        "--sensitive secret.txt --rho 0.5 --out safe.parquet",
        "--sensitive secret.txt --rho 0.5 --keep distribution --out safe.parquet",
    ),
    "permutation": (
        "--sensitive secret.txt --degree 3 --out safe",
        "--sensitive secret.txt --degree 3 --person customer --out safe",
    ),
    "hiding": (
        "--patterns patterns.txt --psi 0.2 --out safe.parquet",
        "--patterns patterns.txt --psi 0.2 --method minfia --out safe.parquet",
    ),
}
JUDGED: dict[str, tuple[str, ...]] = {
    "coherence": (
        "safe.parquet --k 5 --p 2",
        f"safe.parquet --k 5 --p 2 --persons-of {ORDERS} --person customer",
    ),
    "k-anonymity": ("nodes.parquet --k 5",),
    "km-anonymity": ("nodes.parquet --k 5 --m 2",),
    "uncertainty": ("safe.parquet --sensitive secret.txt --rho 0.5",),
    "permutation": ("safe --sensitive secret.txt --degree 3",),
    "hiding": (f"safe.parquet --original {ORDERS} --patterns patterns.txt --psi 0.2",),
}
SWEPT: dict[str, str] = {
    "coherence": "--k 2,5,10 --p 2",
    "k-anonymity": "--k 2,5,10 --hierarchy groups.parquet",
    "km-anonymity": "--k 2,5,10 --m 2 --hierarchy groups.parquet",
    "uncertainty": "--sensitive secret.txt --rho 0.3,0.5,0.7",
    "permutation": "--sensitive secret.txt --degree 2,4",
    "hiding": "--patterns patterns.txt --psi 0,0.2,0.5",
}
OTHERS: dict[str, tuple[str, ...]] = {
    "advise": (
        f"advise {ORDERS} --person customer",
        f"advise {ORDERS} {SECRET} --hierarchy groups.parquet",
    ),
    "inspect": (
        f"inspect {ORDERS} --person customer --k 5",
        f"inspect {ORDERS} {SECRET} --k 5 --p 2",
    ),
    "hierarchy": (
        f"hierarchy {ORDERS} --hierarchy groups.parquet",
        f"hierarchy {ORDERS} --learn baskets --k 5 --out learned.parquet",
    ),
    "itemsets": (
        f"itemsets {ORDERS} --min-support 0.05",
        f"itemsets {ORDERS} --min-support 0.05 --rules --min-confidence 0.6",
    ),
    "rename": (
        f"rename {ORDERS} --out renamed.parquet --key names.parquet",
        "rename renamed.parquet --undo --key names.parquet --out back.parquet",
    ),
    "reidentify": (
        "reidentify renamed.parquet --itemsets published.parquet --min-support 0.1",
        "reidentify renamed.parquet --itemsets published.parquet --min-support 0.1 "
        "--key names.parquet",
    ),
    "compare": (
        f"compare {ORDERS} safe.parquet --k 5 --p 2",
        f"compare {ORDERS} safe.parquet nodes.parquet --hierarchy groups.parquet "
        "--report page.html",
    ),
    "reproduce": ("reproduce", "reproduce local-generalization-table-2"),
    "export": ("export dbt checks", "export sqlmesh project"),
    "replay": ("replay audit.sql",),
    "generate": (
        "generate made.parquet --transactions 1000 --items 100",
        "generate made.parquet --transactions 1000 --persons 300 --hierarchy groups.parquet",
    ),
    "schema": ("schema 'verify coherence'",),
    "guide": ("guide", "guide first-release"),
    "demo": ("demo",),
}

EXAMPLES: dict[str, tuple[str, ...]] = {
    name: tuple(f"setveil {line}" for line in lines)
    for name, lines in {
        **{
            name: tuple(f"{name} {ORDERS} {one}" for one in more) for name, more in RELEASED.items()
        },
        **{
            f"verify {name}": tuple(f"verify {name} {one}" for one in more)
            for name, more in JUDGED.items()
        },
        **{f"sweep {name}": (f"sweep {name} {ORDERS} {one}",) for name, one in SWEPT.items()},
        **OTHERS,
    }.items()
}
