"""What attacks on a published table are asked with, and what they reach: dictionaries of the shapes that the command line writes."""

from __future__ import annotations

import json
from typing import Any, TypedDict

from ._arguments import plain
from .errors import SettingsError


class AttackSettings(TypedDict, total=False):
    """What ``check(..., attacks={...})`` may say; what is left out is as on the command line.

    >>> asked({"seed": 3, "first": ("age",)})
    '{"seed": 3, "first": ["age"]}'
    """

    secret: str
    first: list[str]
    number: int
    seed: int
    confidence: float
    neighbours: int
    columns: int
    tolerance: float


class Interval(TypedDict):
    """An estimate with its interval, from 0 to 1."""

    value: float
    low: float
    high: float


class Rate(TypedDict):
    """How often an attack succeeded. ``successes`` is an expected number where control and original differ in rows; ``rate`` is ``None``
    where nothing could be tried; ``wilson`` is Wilson's interval."""

    attacks: int
    successes: float
    rate: float | None
    wilson: Interval


class Attack(TypedDict):
    """What one attack reached: on rows of the original, on those of the control, and by guessing. ``residual_risk`` is
    (main - control) / (1 - control), ``None`` without a control."""

    asked: int
    main: Rate
    control: Rate | None
    naive: Rate
    residual_risk: Interval | None


class Predicates(Attack):
    """Singling out by predicates on so many columns."""

    columns: int


class Link(Attack):
    """Linking two sources, each with its columns."""

    first: list[str]
    second: list[str]


class SinglingOut(TypedDict):
    """Singling out by predicates on one column, and on several where there are several."""

    univariate: Attack
    multivariate: Predicates | None


class LeftOut(TypedDict):
    """A column whose cells cannot be compared, and why."""

    column: str
    why: str


class UnknownLabels(TypedDict):
    """A column with labels that neither original nor control has, in so many published rows."""

    column: str
    rows: int


class Attacks(TypedDict):
    """What all attacks reached, with the fields of ``attacks`` in ``lookalike check --json``; messages are texts."""

    seed: int
    confidence: float
    neighbours: int
    tolerance: float
    columns: list[str]
    secret: str | None
    control_rows: int | None
    left_out: list[LeftOut]
    unknown_labels: list[UnknownLabels]
    singling_out: SinglingOut
    linkability: Link | None
    inference: Attack | None
    findings: list[str]


def asked(attacks: bool | AttackSettings) -> str | None:
    """The attacks that are to be tried as JSON, ``None`` if there are none.

    >>> asked(True), asked(False)
    ('{}', None)
    """
    if isinstance(attacks, bool):
        return "{}" if attacks else None
    if not isinstance(attacks, dict):
        raise SettingsError(f"attacks must be True, False or a dictionary, not {attacks!r}")
    said: dict[str, Any] = {name: value for name, value in attacks.items() if value is not None}
    if isinstance(said.get("first"), str):
        said["first"] = [said["first"]]
    try:
        return json.dumps(said, default=plain, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise SettingsError(f"attacks: not data: {error}") from None
