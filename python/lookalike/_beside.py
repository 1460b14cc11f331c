"""The files beside a ledger, which are those of the command line: the lock of a run (``L.json.lock``), the ledger of one that was
interrupted (``L.json.pending``), the states that have a release already (``L.json.used``)."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import Any, Iterator

from . import _core
from ._release import _write
from .errors import SeriesError

try:
    import fcntl
except ImportError:  # Windows, whose locks the command line takes in another way.
    fcntl = None  # type: ignore[assignment]


@contextmanager
def held(ledger: str | None) -> Iterator[None]:
    """Holds the ledger's lock; the system frees it when the process is gone, however it ended. A ledger in memory has none."""
    if ledger is None or fcntl is None:
        yield
        return
    path = f"{os.path.realpath(ledger)}.lock"
    file = _locked(path, ledger)
    try:
        yield
    finally:
        # While it is locked: who has opened it meanwhile finds that it is gone.
        if _is_at(file, path):
            os.unlink(path)
        os.close(file)


def _locked(path: str, ledger: str) -> int:
    while True:
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o666)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.fstat(file).st_size:
                raise SeriesError(f"{path} is no lock: something else is there, which would be removed")
            if _is_at(file, path):
                return file
        except BlockingIOError:
            os.close(file)
            raise SeriesError(f"another run is under way with {ledger}: wait until it has ended, then begin again from the ledger it leaves") from None
        except BaseException:
            os.close(file)
            raise
        # The run that had the lock has removed the file: this was a lock on nothing.
        os.close(file)


def _is_at(file: int, path: str) -> bool:
    """Whether the open file is still the one at the path."""

    def number(there: Any) -> tuple[int, int]:
        return there.st_dev, there.st_ino

    try:
        return number(os.fstat(file)) == number(os.lstat(path))
    except FileNotFoundError:
        return False


def unused(ledger: str, content: bytes | None) -> None:
    """Refuses a state from which a release was made already, or whose next one may have been."""
    path = os.path.realpath(ledger)
    if os.path.exists(f"{path}.pending"):
        raise SeriesError(f"{path}.pending is of a run that was interrupted: lookalike republish --recover or --replace settles it")
    known = _known(path)
    if any(f"used {state}" in known for state in _core.states(content)):
        raise SeriesError(f"a release was made from this state of {ledger} already, as {path}.used says: go on from the newest ledger")


def use(ledger: str, before: bytes | None, after: bytes) -> None:
    """Records that a release was made from the state before."""
    path = os.path.realpath(ledger)
    known = _known(path) | {f"used {_core.states(before)[0]}"}
    known -= {f"taken-back {state}" for state in _core.states(after)}
    _write(f"{path}.used", "".join(f"{line}\n" for line in sorted(known)).encode(), secret=True)


def _known(path: str) -> set[str]:
    try:
        with open(f"{path}.used", encoding="utf-8") as file:
            lines = file.read().splitlines()
    except FileNotFoundError:
        return set()
    except UnicodeDecodeError:
        # Beside a sealed ledger the list is sealed, too.
        raise SeriesError(f"{path}.used is no list of used states that can be read here: lookalike republish seals it with a ledger") from None
    if not all(line.startswith(("used ", "taken-back ")) for line in lines):
        raise SeriesError(f"{path}.used is no list of used states: something else is there")
    return set(lines)
