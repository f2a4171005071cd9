"""Browser automation for online shops in which a submit lands once.

These are the names a flow or store author needs. They are loaded when first asked for, so that
``rpa --help`` does not wait for a browser library.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rpa.core.model import Carrier, Matching, Row, RowStatus
    from rpa.core.normalise import (
        collapse_spaces,
        compose,
        explain_difference,
        fold_case,
        map_punctuation,
        nfkc,
        unescape_entities,
    )
    from rpa.errors import (
        BeforeSubmit,
        FlowError,
        Invalid,
        LoggedOut,
        LoginFailed,
        ProbeError,
        RpaError,
        StoreDown,
        Throttled,
    )
    from rpa.gate.rules import RequestSeen, SubmitRule
    from rpa.gate.signals import (
        Answer,
        all_of,
        any_of,
        json_where,
        never,
        redirects_to,
        status,
        text_matches,
    )
    from rpa.gate.visit import check_answer, visit
    from rpa.inputs import Item, ItemCode, Money, PictureFile
    from rpa.runner.flow import Flow, prepare, read, submit
    from rpa.runner.store import Store, Submit
    from rpa.verify.probe import Probe, Reading

_HOMES = {
    "rpa.core.model": ("Carrier", "Matching", "Row", "RowStatus"),
    "rpa.core.normalise": (
        "collapse_spaces",
        "compose",
        "explain_difference",
        "fold_case",
        "map_punctuation",
        "nfkc",
        "unescape_entities",
    ),
    "rpa.errors": (
        "BeforeSubmit",
        "FlowError",
        "Invalid",
        "LoggedOut",
        "LoginFailed",
        "ProbeError",
        "RpaError",
        "StoreDown",
        "Throttled",
    ),
    "rpa.gate.rules": ("RequestSeen", "SubmitRule"),
    "rpa.gate.signals": (
        "Answer",
        "all_of",
        "any_of",
        "json_where",
        "never",
        "redirects_to",
        "status",
        "text_matches",
    ),
    "rpa.gate.visit": ("check_answer", "visit"),
    "rpa.inputs": ("Item", "ItemCode", "Money", "PictureFile"),
    "rpa.runner.flow": ("Flow", "prepare", "read", "submit"),
    "rpa.runner.store": ("Store", "Submit"),
    "rpa.verify.probe": ("Probe", "Reading"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Answer",
    "BeforeSubmit",
    "Carrier",
    "Flow",
    "FlowError",
    "Invalid",
    "Item",
    "ItemCode",
    "LoggedOut",
    "LoginFailed",
    "Matching",
    "Money",
    "PictureFile",
    "Probe",
    "ProbeError",
    "Reading",
    "RequestSeen",
    "Row",
    "RowStatus",
    "RpaError",
    "Store",
    "StoreDown",
    "Submit",
    "SubmitRule",
    "Throttled",
    "all_of",
    "any_of",
    "check_answer",
    "collapse_spaces",
    "compose",
    "explain_difference",
    "fold_case",
    "json_where",
    "map_punctuation",
    "never",
    "nfkc",
    "prepare",
    "read",
    "redirects_to",
    "status",
    "submit",
    "text_matches",
    "unescape_entities",
    "visit",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'rpa' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOME_OF[name]), name)
