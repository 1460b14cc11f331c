"""The problem behind every table, for any numbers."""

from __future__ import annotations

import json
import warnings
from array import array
from typing import Any, Callable, Iterable, Sequence

from . import _core
from ._arguments import settings, shown
from .errors import SettingsError, Stopped


class Solution:
    """A partition with its loss and the proven bound.

    ``labels`` has the class of each point, from 0; ``bound`` is ``None`` if nothing is proven.
    """

    def __init__(self, labels: list[int], answer: dict[str, Any], stopped: bool) -> None:
        self.labels = labels
        self.loss: float = answer["loss"]
        status = answer["status"]
        self.status: str = status["name"] if isinstance(status, dict) else status
        self.bound: float | None = None if answer["bound"] is None else answer["bound"]["value"]
        self.answer = answer
        self.stopped = stopped

    @property
    def gap_percent(self) -> float | None:
        """How far above the bound the loss is, in per cent of the loss."""
        if self.bound is None:
            return None
        return 100 * (self.loss - self.bound) / self.loss if self.loss > 0 else 0.0

    def __repr__(self) -> str:
        bound = "no bound" if self.bound is None else f"bound {self.bound:.4g}"
        return f"<lookalike.Solution: {len(set(self.labels))} classes, loss {self.loss:.4g}, {bound}, {self.status}>"


def solve(
    points: Iterable[Sequence[float]],
    colours: Iterable[Any] | None = None,
    *,
    k: int | None = None,
    m: int | None = None,
    loss: str | None = None,
    effort: float | None = None,
    time_limit: float | None = None,
    seed: int = 0,
    attributes: list[dict[str, Any]] | None = None,
    threads: int | None = None,
    progress: bool | Callable[[dict[str, Any]], Any] | None = None,
    **further: Any,
) -> Solution:
    """Partitions points into admissible classes with the least loss: of at least ``k`` points, or of at least ``m``, all of
    different colours; ``conditions`` on the colours go with ``k``.

    ``points`` are rows of numbers (a numpy array, too), ``colours`` any values, one a point. With ``loss="sse"`` (default) the loss
    is the sum of squared distances to the means; with ``"ncp"`` coordinates are parts of their ranges, 0 to 1, and ``attributes``
    may describe each of them. ``method``, ``bound`` and ``conditions`` are as for :func:`anonymize`.

    >>> solution = solve([[0.0], [1.0], [10.0], [11.0]], k=2, method="column-generation")
    >>> solution.loss, round(solution.bound, 6), solution.status
    (1.0, 1.0, 'optimal')
    >>> solution.labels[0] == solution.labels[1] != solution.labels[2] == solution.labels[3]
    True
    """
    rows, dims = _points(points)
    codes = None
    if colours is not None:
        known: dict[Any, int] = {}
        codes = [known.setdefault(colour, len(known)) for colour in _list(colours)]
    said = {"k": k, "m": m, "loss": loss, "effort": effort, "time_limit": time_limit, "seed": seed} | further
    told = {
        "points": rows,
        "dims": dims,
        "colours": codes,
        "settings": settings(said),
        "attributes": None if attributes is None else json.dumps(attributes),
        "threads": threads,
    }
    with shown(progress) as callback:
        labels, answer, stopped = _core.solve(told, callback)
    if stopped:
        warnings.warn("stopped: this is the best until then", Stopped, stacklevel=2)
    return Solution(labels, json.loads(answer), stopped)


def _list(values: Any) -> list[Any]:
    return values.tolist() if hasattr(values, "tolist") else list(values)


def _points(points: Any) -> tuple[bytes, int]:
    """The coordinates row by row, and their number for each point."""
    rows = _list(points)
    rows = [row if isinstance(row, (list, tuple)) else _list(row) if hasattr(row, "__iter__") else [row] for row in rows]
    dims = len(rows[0]) if rows else 0
    if any(len(row) != dims for row in rows):
        raise SettingsError("all points must have as many coordinates as the first one")
    return array("d", (number for row in rows for number in row)).tobytes(), dims
