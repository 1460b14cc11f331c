"""Turns Python's arguments into the settings that the core reads and the streams that it takes."""

from __future__ import annotations

import json
import numbers
import os
import time
import warnings
from typing import Any, Callable, Mapping

from .errors import SettingsError, SmallSeed, TableError

#: Seeds below this are found by trying.
SMALL_SEED = 1 << 48


def settings(given: Mapping[str, Any], *, guarantee: bool = True) -> str:
    """The arguments as JSON: those that are ``None`` are left out; ``k``, ``m``, ``effort`` and ``time_limit`` go where the core
    expects them.

    >>> settings({"quasi": "age", "k": 3, "loss": None})
    '{"quasi": ["age"], "model": {"name": "k-anonymity", "k": 3}}'
    """
    said = {name: value for name, value in given.items() if value is not None}
    k, m = said.pop("k", None), said.pop("m", None)
    effort, seconds = said.pop("effort", None), said.pop("time_limit", None)
    if (k is not None) + (m is not None) + ("model" in said) > 1:
        raise SettingsError("one guarantee is asked for: k (k-anonymity) or m (m-invariance)")
    if effort is not None and seconds is not None:
        raise SettingsError("effort and time_limit exclude each other")
    if k is not None:
        said["model"] = {"name": "k-anonymity", "k": k}
    if m is not None:
        said["model"] = {"name": "m-invariance", "m": m}
    if effort is not None:
        said["budget"] = {"effort": effort}
    if seconds is not None:
        said["budget"] = {"seconds": seconds}
    for name in ("quasi", "keep", "unchanged", "identifiers"):
        if isinstance(said.get(name), str):
            said[name] = [said[name]]
    if "class_column" in said and said["class_column"] is False:
        said["class_column"] = "none"
    try:
        return json.dumps(said, default=plain, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise SettingsError(f"an argument is not data: {error}") from None


def published_with(seed: Any) -> None:
    """Warns of a seed that is found by trying; for the function that a user calls to publish a table."""
    if isinstance(seed, numbers.Integral) and 0 <= seed < SMALL_SEED:
        warnings.warn(
            f"seed={seed} is found by trying: an attacker who has this program and knows nearly all of the table can then tell whose "
            "value is whose. Leave seed out for a table that is published",
            SmallSeed,
            stacklevel=3,
        )


def plain(value: Any) -> Any:
    """Numbers and lists of other libraries, such as numpy's and pandas'."""
    for method in ("item", "tolist", "to_list"):
        if hasattr(value, method):
            return getattr(value, method)()
    if isinstance(value, (set, frozenset, tuple)) or hasattr(value, "__iter__"):
        return list(value)
    raise TypeError(f"{value!r} is neither text, number, list nor dictionary")


def stream(table: Any) -> Any:
    """The object whose Arrow stream is read: the table itself, or what a mapping of columns makes.

    pandas hands out Arrow with the help of pyarrow, without its index.
    """
    if not hasattr(table, "__arrow_c_stream__"):
        raise TableError(
            f"a {type(table).__name__} has no Arrow stream (__arrow_c_stream__): give a frame of pandas, polars or pyarrow, or a "
            "DuckDB relation"
        )
    if type(table).__module__.partition(".")[0] == "pandas":
        return _Unindexed(table)
    return table


class _Unindexed:
    """A pandas frame whose index is not a column."""

    def __init__(self, frame: Any) -> None:
        self.frame = frame

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        try:
            import pyarrow
        except ImportError:
            raise TableError("pandas hands out its frames by pyarrow: pip install pyarrow") from None
        names = [str(name) for name in self.frame.columns]
        if names != list(self.frame.columns):
            self.frame = self.frame.set_axis(names, axis=1)
        try:
            table = pyarrow.Table.from_pandas(self.frame, preserve_index=False)
        except (ValueError, TypeError) as error:
            raise TableError(f"the frame cannot be handed over as Arrow: {error}") from None
        return table.__arrow_c_stream__()


def configuration(given: Any) -> tuple[str | None, str | None]:
    """A configuration's text and its folder: from a path, or the text itself."""
    if given is None:
        return None, None
    if isinstance(given, Mapping):
        return json.dumps(given), None
    if isinstance(given, str) and given.lstrip().startswith("{"):
        return given, None
    with open(given, encoding="utf-8") as file:
        return file.read(), os.path.dirname(os.path.abspath(given))


class _Bar:
    """Progress by tqdm where it is installed, as a line on the terminal otherwise."""

    def __init__(self) -> None:
        self.next = 0.0
        try:
            from tqdm.auto import tqdm
        except ImportError:
            self.bar = None
        else:
            self.bar = tqdm(total=100, unit="%", bar_format="{desc}: {percentage:3.0f}%|{bar}| {elapsed}{postfix}")

    def __call__(self, report: dict[str, Any]) -> None:
        if time.monotonic() < self.next:
            return
        self.next = time.monotonic() + 0.2
        share = 100 * (report["fraction"] or 0)
        if self.bar is None:
            print(f"\r{report['phase']}: {share:3.0f} %", end="", flush=True)
            return
        self.bar.set_description_str(report["phase"], refresh=False)
        if report["incumbent"] is not None:
            self.bar.set_postfix(loss=f"{report['incumbent']:.4g}", refresh=False)
        self.bar.n = min(share, 100)
        self.bar.refresh()

    def close(self) -> None:
        if self.bar is None:
            print()
        else:
            self.bar.close()


class shown:
    """Shows progress while something runs: ``True`` is a bar, a function gets each report."""

    def __init__(self, progress: bool | Callable[[dict[str, Any]], Any] | None) -> None:
        self.progress = progress

    def __enter__(self) -> Callable[[dict[str, Any]], Any] | None:
        self.bar = _Bar() if self.progress is True else None
        if self.bar is not None:
            return self.bar
        return self.progress if callable(self.progress) else None

    def __exit__(self, *_: Any) -> None:
        if self.bar is not None:
            self.bar.close()
