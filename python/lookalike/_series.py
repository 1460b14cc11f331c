"""Releases over time: people come, leave, come back and change, and none of them loses protection by it."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import Any, Callable, Iterable

from . import _core
from ._arguments import configuration, published_with, settings, shown, stream
from ._beside import held, unused, use
from ._release import Release, _write, finished
from .errors import AuditError, SeriesError, SettingsError, TableError


@dataclass(frozen=True)
class DryRun:
    """What a release would be that was not made: who comes, leaves and changes, and what it costs.

    All are numbers of people, but for ``counterfeits`` and ``balancing`` (made-up records: all of them, and those that stand for people
    who left) and ``loss`` (in the unit of the loss that was asked for).
    """

    release: int
    came: int
    #: Those of them who were published before.
    back: int
    left: int
    changed: int
    stayed: int
    #: New records that would wait for a later release.
    waiting: int
    counterfeits: int
    balancing: int
    loss: float
    #: People whose value has changed now or before, of whom one value is left to an attacker who believes that values never change.
    left_with_one: int
    #: ``Series.release(table, seed=...)`` with this seed and the same arguments makes this release, but under a time limit.
    seed: int
    #: What was found in all releases together; ``None`` without ``releases``.
    audit: dict[str, Any] | None
    #: Names under ``"came"``, ``"left"`` and ``"changed"``; ``None`` unless ``people`` asks for them.
    people: dict[str, list[str]] | None


class Series:
    """A series of releases with its ledger, which remembers what each person was promised.

    ``id`` is the column that names individuals, ``mode`` says which updates there may be: ``"incremental"`` (people come),
    ``"m-invariance"`` (come, and leave for good), ``"tau-safety"`` (come, leave, come back, change). Settings are those of
    :func:`anonymize`; later releases keep them.

    ``vacancies="counterfeits"`` fills places of people who left with counterfeits alone, for the whole series: then an attacker who
    knows how later releases were made learns from them at most who of one group shares a value with whom. It is the default of the first two
    modes, and takes more counterfeits; ``"new-records"``, the default of ``"tau-safety"``, takes the fewest. A series that has begun goes
    on as it began.

    ``pseudonym_key`` is the name of a file with a key, which ``lookalike ledger key`` makes: then the ledger has pseudonyms in place of
    names, from the first release to the last. Whoever loses the key cannot go on with the series.

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
        pseudonym_key: str | os.PathLike[str] | None = None,
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
        self._series["pseudonym_key"] = None if pseudonym_key is None else _key(pseudonym_key)
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
        releases: str | os.PathLike[str] | None = None,
        sources: Iterable[Any] = (),
        seed: int | None = None,
        effort: float | None = None,
        time_limit: float | None = None,
        threads: int | None = None,
        progress: bool | Callable[[dict[str, Any]], Any] | None = None,
    ) -> Release:
        """The next release. The ledger goes on with it: publish it, or begin again from the ledger before.

        ``releases`` is a folder with all earlier releases (an empty one for the first), each known by its bytes, whatever its name:
        all are judged together with the new one before the ledger goes on, and :class:`AuditError` is raised if a check does not hold.
        ``sources`` are the tables that these were made of, in their order: all are judged against them, too. A folder that cannot be
        read, or sources that are not a list of tables, raise :class:`SettingsError`, and a source without an Arrow stream :class:`TableError`.
        """
        published_with(seed)
        with held(self._path):
            release = self._made(table, seed, effort, time_limit, threads, progress, (releases, sources))
            ledger = release._core.ledger()
            if self._path is not None:
                _write(os.path.realpath(self._path), ledger, secret=True)
                use(self._path, self._ledger, ledger)
            self._ledger, self._number = ledger, self._number + 1
            return release

    def dry_run(
        self,
        table: Any,
        *,
        people: bool = False,
        releases: str | os.PathLike[str] | None = None,
        sources: Iterable[Any] = (),
        seed: int | None = None,
        effort: float | None = None,
        time_limit: float | None = None,
        threads: int | None = None,
        progress: bool | Callable[[dict[str, Any]], Any] | None = None,
    ) -> DryRun:
        """What :meth:`release` would make of this table; nothing is written, and the ledger stays as it is.

        ``people`` names who came, left and changed. The other arguments are those of :meth:`release`.
        """
        with held(self._path):
            made = self._made(table, seed, effort, time_limit, threads, progress, (releases, sources))
        updates, chain = made.private["series"], made.private.get("chain") or {}
        return DryRun(
            **json.loads(made._core.between(people)),
            waiting=updates["waiting"],
            counterfeits=made.exact["changes"]["counterfeits"],
            balancing=updates["balancing"],
            loss=made.loss,
            left_with_one=updates["left_with_one"],
            seed=made._core.seed,
            audit=chain.get("audit"),
        )

    def _made(
        self, table: Any, seed: Any, effort: Any, time_limit: Any, threads: Any, progress: Any, together: tuple[Any, Iterable[Any]]
    ) -> Release:
        """The next release, which the ledger does not know yet."""
        if self._path is not None and self._stale():
            raise SeriesError(f"{self._path} was changed since this series read it: begin again with Series({self._path!r})")
        if self._path is not None:
            unused(self._path, self._ledger)
        said = self._given | {"seed": seed} | {"effort": self._given.get("effort") if effort is None else effort, "time_limit": time_limit}
        text, folder = configuration(self._config)
        told = {"settings": settings(said), "configuration": text, "folder": folder, "threads": threads}
        series = self._series | {"ledger": self._ledger} | self._together(*together)
        with shown(progress) as callback:
            return finished(_core.anonymize(stream(table), told, callback, series))

    def _together(self, folder: str | os.PathLike[str] | None, sources: Iterable[Any]) -> dict[str, Any]:
        """The bytes of the earlier releases, and the tables that they were made of."""
        tables = _tables(sources)
        if folder is None:
            if tables:
                raise SettingsError("sources go with releases: name the folder of the earlier releases, too")
            return {"earlier": None, "sources": []}
        digests = [] if self._ledger is None else _core.published(self._ledger)
        if tables and len(tables) != len(digests):
            raise SettingsError(f"{len(tables)} sources for {len(digests)} earlier releases: give the table that each was made of, in their order")
        found = _contents(folder)
        missing = [str(number) for number, digest in enumerate(digests, 1) if digest not in found]
        if missing:
            which = f"release {missing[0]} is" if len(missing) == 1 else f"releases {', '.join(missing)} are"
            raise AuditError(f"{which} in no file of {os.fsdecode(folder)}, byte for byte")
        return {"earlier": [found[digest] for digest in digests], "sources": tables}

    def _stale(self) -> bool:
        if not os.path.exists(self._path):
            return self._ledger is not None
        with open(self._path, "rb") as file:
            return file.read() != self._ledger


def _key(path: str | os.PathLike[str]) -> bytes:
    """The file of a key of pseudonyms."""
    try:
        with open(path, "rb") as file:
            return file.read(1 << 16)
    except (OSError, TypeError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise SettingsError(f"pseudonym_key: the file {path} cannot be read: {why}") from None


def _tables(sources: Iterable[Any]) -> list[Any]:
    """The streams of the tables that earlier releases were made of."""
    one = isinstance(sources, (str, bytes, os.PathLike)) or hasattr(sources, "__arrow_c_stream__")
    if one or not hasattr(sources, "__iter__"):
        raise SettingsError(
            f"sources must be a list of the tables that the earlier releases were made of, in their order, not a {type(sources).__name__}"
        )
    tables = []
    for number, source in enumerate(sources, 1):
        try:
            tables.append(stream(source))
        except TableError as error:
            raise TableError(f"sources, table {number}: {error}") from None
    return tables


def _contents(folder: str | os.PathLike[str]) -> dict[str, bytes]:
    """The bytes of all files of a folder, by their digests."""
    try:
        place = os.fsdecode(folder)
    except TypeError:
        raise SettingsError(f"releases must be the name of a folder, not a {type(folder).__name__}") from None
    found: dict[str, bytes] = {}
    try:
        for name in sorted(os.listdir(place)):
            path = os.path.join(place, name)
            if os.path.isfile(path):
                with open(path, "rb") as file:
                    content = file.read()
                found.setdefault(_core.digest(content), content)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise SettingsError(f"releases: the folder {place} cannot be read: {why}") from None
    return found
