"""Questions about a table that need no run."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from . import _core
from ._arguments import settings, stream
from ._attacks import Attacks, AttackSettings, asked


def describe(table: Any, *, missing: dict[str, Any] | None = None, **further: Any) -> dict[str, Any]:
    """What the columns are, with the evidence, and which roles they may have. Nothing is decided.

    >>> [(column["name"], column["kind"]) for column in describe(people)["columns"]]
    [('age', 'integer'), ('sex', 'category'), ('disease', 'category')]
    """
    return json.loads(_core.describe(stream(table), settings({"missing": missing} | further)))


def eligibility(
    table: Any,
    *,
    sensitive: str,
    m: int | tuple[int, int] | range | None = None,
    missing: dict[str, Any] | None = None,
    **further: Any,
) -> dict[str, Any]:
    """For which m a table can be published, and how many records must be added or deleted otherwise.

    ``m`` is one number, or the first and the last of those to look at (a range counts as in Python: without its end).

    >>> eligibility(people, sensitive="disease")["largest_m_without_changes"]
    2
    """
    first, last = _span(m)
    said = settings({"sensitive": sensitive, "missing": missing} | further)
    return json.loads(_core.eligibility(stream(table), said, first, last))


def _span(m: int | tuple[int, int] | range | None) -> tuple[int | None, int | None]:
    if m is None:
        return None, None
    if isinstance(m, range):
        return m[0], m[-1]
    if isinstance(m, tuple):
        return m
    return m, m


def hierarchy(table: Any, column: str, generate: str, **further: Any) -> list[list[str]]:
    """A generalisation hierarchy for a column: one list for each value, with the value and its generalisations from fine to coarse.

    ``generate`` is ``"prefix"``, ``"date"``, ``"interval:5,2,2"`` (a width, then how many make one of the next level) or
    ``"order:2,2"``, as for ``lookalike hierarchy --generate``. The lists are what ``hierarchies={column: ...}`` takes.

    >>> hierarchy(people, "age", "interval:10,2")[0]
    ['34', '[30-39]', '[20-39]', '*']
    """
    return _core.hierarchy(stream(table), column, generate, settings(further))


class Finding(NamedTuple):
    """What was found about a model. ``reached`` is the value of the model's parameter in the worst class."""

    model: str
    column: str | None
    grouping: str
    reached: float | None
    passed: bool
    finding: str
    witnesses: list[str]


class Findings:
    """All that was found. ``bool(findings)`` is whether all that was asked holds; attacks neither pass nor fail.

    >>> release = anonymize(people, quasi=["age", "sex"], k=3, seed=1)
    >>> findings = check(release.table, quasi=["age", "sex"], k=3)
    >>> findings.passed, findings.findings[0].reached
    (True, 3.0)
    """

    def __init__(self, told: dict[str, Any]) -> None:
        self.passed: bool = told["passed"]
        self.findings = [Finding(**finding) for finding in told["findings"]]
        self.risk: dict[str, Any] = told["risk"]
        #: Risk in the population and that of households, if ``sample`` says what a row stands for.
        self.sample: dict[str, Any] | None = told["sample"]
        self.class_column: str | None = told["class_column"]
        #: What attacks reached, if any were tried.
        self.attacks: Attacks | None = told["attacks"]
        self.text: str = told["text"]

    def __bool__(self) -> bool:
        return self.passed

    def __repr__(self) -> str:
        return self.text


def check(
    table: Any,
    *,
    quasi: list[str] | str,
    sensitive: str | None = None,
    k: int | None = None,
    m: int | None = None,
    conditions: list[dict[str, Any]] | None = None,
    original: Any = None,
    classes: Any = None,
    population: int | None = None,
    sample_fraction: float | None = None,
    attacks: bool | AttackSettings = False,
    control: Any = None,
    **further: Any,
) -> Findings:
    """Whether a published table, made here or elsewhere, keeps what is asked of it.

    ``k``, ``m`` and ``conditions`` are those of :func:`anonymize`. With ``original``, the table before it was anonymized, and ``classes``
    (:attr:`Release.classes`) the linking key is checked, too. ``population`` or ``sample_fraction`` say what the attacker knows of
    the population, for the journalist's risk; ``sample`` names the column of sampling weights or of households
    (``{"weight": "weight"}``), and the findings then have a ``sample`` of their risks, too.

    >>> check(people, quasi=["age", "sex"], k=2).passed
    False

    ``attacks=True`` tries singling out, linkability and inference on the table, as ``lookalike check --attacks`` does, by what an attacker
    knows (``quasi``) for the secret (``sensitive``). ``original`` is needed; ``control`` is a table of rows like it that were not
    published, without which rates are upper readings. A dictionary says more: ``secret``, ``first`` (the columns that one of two sources has),
    ``number`` (500), ``seed`` (1), ``confidence`` (0.95), ``neighbours`` (1), ``columns`` (3, of a predicate) and ``tolerance`` (0.05).
    No guarantee need be named beside them. A low rate does not prove that no attacker reaches more.

    >>> found = check(people, quasi=["age", "sex"], sensitive="disease", original=people, attacks={"seed": 3})
    >>> found.attacks["inference"]["main"]["successes"]
    6.0
    """
    said = settings({"quasi": quasi, "sensitive": sensitive, "k": k, "m": m, "conditions": conditions} | further)
    key = getattr(classes, "csv", classes)
    told = {
        "settings": said,
        "population": population,
        "sample_fraction": sample_fraction,
        "classes": key,
        "attacks": asked(attacks),
    }
    before, held_back = (None if of is None else stream(of) for of in (original, control))
    return Findings(json.loads(_core.check(stream(table), told, before, held_back)))
