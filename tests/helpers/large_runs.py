"""Runs on data as large as users have."""

from __future__ import annotations

from typing import Any

SECRET = {
    "groceries": {"sensitive": "where:support < 20", "rho": "0.6"},
    "bms_webview_2": {"sensitive": "where:support < 5", "rho": "0.7"},
    "retail": {"sensitive": "where:support < 5", "rho": "0.7"},
}


LARGE: dict[str, dict[str, dict[str, Any]]] = {
    "groceries": {
        "coherence": {"h": "0.8", "k": 5, "p": 2, "private": "where:support < 20"},
        "coherence, in bits": {"k": 5, "p": 3, "plan": "bits"},
        "k-anonymity": {"fanout": 5, "k": 10},
        "k-anonymity, refined": {"fanout": 5, "k": 10, "refine": True},
        "km-anonymity": {"fanout": 5, "k": 10, "m": 2},
        "itemsets, rules": {"min_support": "1%", "rules": True, "min_confidence": "0.3"},
        "uncertainty": SECRET["groceries"],
        "uncertainty, distribution": SECRET["groceries"] | {"keep": "distribution"},
        "uncertainty, global": SECRET["groceries"] | {"method": "global"},
        "uncertainty, parts": SECRET["groceries"] | {"parts": 4},
        "uncertainty, refined": SECRET["groceries"] | {"refine": True},
    },
    "bms_webview_2": {
        "coherence": {"k": 5, "p": 2},
        "k-anonymity": {"fanout": 5, "k": 10},
        "km-anonymity": {"fanout": 5, "k": 10, "m": 2},
        "itemsets, rules": {"min_support": "0.5%", "rules": True, "min_confidence": "0.3"},
        "uncertainty": SECRET["bms_webview_2"],
        "uncertainty, global": SECRET["bms_webview_2"] | {"method": "global"},
        "uncertainty, parts": SECRET["bms_webview_2"] | {"parts": 4},
    },
    "retail": {
        "coherence": {"h": "0.8", "k": 10, "p": 2, "private": "where:support < 20"},
        "k-anonymity": {"fanout": 10, "k": 10},
        "itemsets, rules": {"min_support": "1%", "rules": True, "min_confidence": "0.3"},
    },
}


# Minutes on a server: pytest -m benchmark.
LARGER: dict[str, dict[str, dict[str, Any]]] = {
    "bms_webview_2": {
        "k-anonymity, refined": {"fanout": 5, "k": 10, "refine": True},
        "uncertainty, distribution": SECRET["bms_webview_2"] | {"keep": "distribution"},
        "uncertainty, refined": SECRET["bms_webview_2"] | {"refine": True},
    },
    "retail": {
        "km-anonymity": {"fanout": 10, "k": 5, "m": 2},
        "uncertainty": SECRET["retail"],
        "uncertainty, distribution": SECRET["retail"] | {"keep": "distribution"},
        "uncertainty, global": SECRET["retail"] | {"method": "global"},
        "uncertainty, parts": SECRET["retail"] | {"parts": 4},
        "uncertainty, refined": SECRET["retail"] | {"refine": True},
    },
}
PAIRS = {
    "groceries": [["whole milk", "other vegetables"], ["yogurt", "soda"]],
    "bms_webview_2": [["55319", "55323"], ["55315", "55319"], ["55267", "55323"]],
    "retail": [["39", "229"], ["38", "225"], ["39", "812"], ["48", "2118"]],
}
for data, pairs in PAIRS.items():
    LARGE[data] |= {
        f"hiding, {method}": {"patterns": pairs, "psi": "0.3", "method": method}
        for method in ("naive", "minfia", "maxfia", "iga")
    }
    border = {"min_support": 100 if data == "groceries" else 300, "method": "border"}
    LARGE[data]["hiding, border"] = border | {"patterns": pairs}
