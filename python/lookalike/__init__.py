"""Publish tables about people so that every published record has lookalikes.

>>> import lookalike as la
>>> release = la.anonymize(people, quasi=["age", "sex"], k=3, seed=1)
>>> release.audit["passed"]
True
>>> release.loss >= release.bound.value
True
"""

from ._core import REVISION, __version__
from ._release import Bound, Release, Table, anonymize
from ._attacks import AttackSettings, Attacks
from ._ask import Finding, Findings, check, describe, eligibility, hierarchy
from ._series import DryRun, Series
from ._solve import Solution, solve
from .errors import (
    AuditError,
    FailedError,
    InfeasibleError,
    InputError,
    LookalikeError,
    NeedsAnswerError,
    NotEligibleError,
    SeriesError,
    SettingsError,
    SmallSeed,
    Stopped,
    TableError,
)

__all__ = [
    "AttackSettings",
    "Attacks",
    "AuditError",
    "Bound",
    "DryRun",
    "FailedError",
    "Finding",
    "Findings",
    "InfeasibleError",
    "InputError",
    "LookalikeError",
    "NeedsAnswerError",
    "NotEligibleError",
    "REVISION",
    "Release",
    "Series",
    "SeriesError",
    "SettingsError",
    "SmallSeed",
    "Solution",
    "Stopped",
    "Table",
    "TableError",
    "__version__",
    "anonymize",
    "check",
    "describe",
    "eligibility",
    "hierarchy",
    "solve",
]
