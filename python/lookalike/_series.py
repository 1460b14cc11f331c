"""Releases over time: people come, leave, come back and change, and none of them loses protection by it."""

from __future__ import annotations

import os
from typing import Any, Callable

from . import _core
from ._arguments import configuration, settings, shown, stream
from ._beside import held, unused, use
from ._release import Release, _write, finished
from .errors import SeriesError


class Series:
    """A series of releases with its ledger, which remembers what each person was promised.

    ``id`` is the column that names individuals, ``mode`` says which updates there may be: ``"incremental"`` (people come),
    ``"m-invariance"`` (come, and leave for good), ``"tau-safety"`` (come, leave, come back, change). Settings are those of
    :func:`anonymize`; later releases keep them.

    ``vacancies="counterfeits"`` fills places of people who left with counterfeits alone, for the whole series: then an attacker who
    knows how later releases were made learns nothing from that about which old value is whose.

    The ledger is private, and the series cannot go on without it: give the name of a file, which is read if it is there,
    written after each release and locked while one is made, or keep :attr:`ledger` yourself.

    >>> series = Series(id="name", mode="m-invariance", quasi=["age"], sensitive="disease", m=2)
    >>> first = series.release(patients, seed=1)
    >>> second = series.release(patients, seed=2)
    >>> series.number, second.audit["passed"]
    (2, True)
    """

    def __init__(
        self,
        ledger: str | os.PathLike[str] | bytes | None = None,
        *,
        id: str | None = None,
        mode: str | None = None,
        signatures: str = "free",
        exact_names: bool = False,
        counterfeit_price: float | None = None,
        vacancies: str | None = None,
        config: Any = None,
        **given: Any,
    ) -> None:
        self._path = None if ledger is None or isinstance(ledger, bytes) else os.fspath(ledger)
        self._ledger = ledger if isinstance(ledger, bytes) else None
        if self._path is not None and os.path.exists(self._path):
            with open(self._path, "rb") as file:
                self._ledger = file.read()
        self._series = {"id": id, "mode": mode, "signatures": signatures, "exact_names": exact_names}
        self._series["counterfeit_price"] = counterfeit_price
        self._series["vacancies"] = vacancies
        self._config = config
        self._given = given
        self._number = 0

    @property
    def ledger(self) -> bytes | None:
        """The ledger's bytes after the last release: not to be published."""
        return self._ledger

    @property
    def number(self) -> int:
        """How many releases this object has made."""
        return self._number

    def release(
        self,
        table: Any,
        *,
        seed: int | None = None,
        effort: float | None = None,
        time_limit: float | None = None,
        threads: int | None = None,
        progress: bool | Callable[[dict[str, Any]], Any] | None = None,
    ) -> Release:
        """The next release. The ledger goes on with it: publish it, or begin again from the ledger before."""
        with held(self._path):
            return self._next(table, seed, effort, time_limit, threads, progress)

    def _next(self, table: Any, seed: Any, effort: Any, time_limit: Any, threads: Any, progress: Any) -> Release:
        if self._path is not None and self._stale():
            raise SeriesError(f"{self._path} was changed since this series read it: begin again with Series({self._path!r})")
        if self._path is not None:
            unused(self._path, self._ledger)
        said = self._given | {"seed": seed} | {"effort": self._given.get("effort") if effort is None else effort, "time_limit": time_limit}
        text, folder = configuration(self._config)
        told = {"settings": settings(said), "configuration": text, "folder": folder, "threads": threads}
        with shown(progress) as callback:
            release = finished(_core.anonymize(stream(table), told, callback, self._series | {"ledger": self._ledger}))
        ledger = release._core.ledger()
        if self._path is not None:
            _write(os.path.realpath(self._path), ledger, secret=True)
            use(self._path, self._ledger, ledger)
        self._ledger, self._number = ledger, self._number + 1
        return release

    def _stale(self) -> bool:
        if not os.path.exists(self._path):
            return self._ledger is not None
        with open(self._path, "rb") as file:
            return file.read() != self._ledger
