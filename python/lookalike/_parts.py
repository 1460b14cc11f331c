"""The folder of a release that an engine makes: parts are written under a name that says they are not audited yet, and get their
own names once all of them are audited."""

from __future__ import annotations

import json
import os
import uuid
from typing import Any

import pyarrow
from pyarrow import fs, parquet

from . import kernels
from .errors import InputError

#: Where parts wait for the verdict, and solved blocks for publication.
WORK = "_unaudited"


class Parts:
    """A folder on storage that all workers share: a path, or a URI of a file system that pyarrow knows."""

    def __init__(self, out: str | os.PathLike[str]) -> None:
        self.out = os.fspath(out)
        if "://" not in self.out:
            self.out = os.path.abspath(self.out)

    def _open(self) -> tuple[fs.FileSystem, str]:
        return fs.FileSystem.from_uri(self.out) if "://" in self.out else (fs.LocalFileSystem(), self.out)

    def begin(self) -> None:
        """Makes the folder, which must be empty except for what an unfinished run left."""
        files, folder = self._open()
        files.create_dir(folder, recursive=True)
        names = [entry.base_name for entry in files.get_file_info(fs.FileSelector(folder))]
        if any(name != WORK for name in names):
            raise InputError(f"{self.out} is not empty")
        if names:
            files.delete_dir(f"{folder}/{WORK}")
        files.create_dir(f"{folder}/{WORK}")

    def work(self, name: str) -> str:
        """A path for files that are not published."""
        return f"{self.out}/{WORK}/{name}"

    def write(self, number: int, rows: pyarrow.Table) -> None:
        """Writes a part and reads it back. Writing a part twice writes the same bytes."""
        files, folder = self._open()
        path = f"{folder}/{WORK}/{name(number)}"
        own = f"{path}.{uuid.uuid4().hex}"
        parquet.write_table(rows, own, filesystem=files)
        kernels.checked(rows, parquet.read_table(own, filesystem=files))
        files.move(own, path)

    def end(self, parts: int, report: dict[str, Any], private: dict[str, Any], keep: str | None) -> None:
        """Gives all parts their names, and writes the report, and the private record where it is wanted."""
        files, folder = self._open()
        if keep is not None:
            with open(keep, "w", encoding="utf-8", opener=_secret) as file:
                json.dump(private, file, indent=2, ensure_ascii=False)
        for number in range(parts):
            files.move(f"{folder}/{WORK}/{name(number)}", f"{folder}/{name(number)}")
        with files.open_output_stream(f"{folder}/report.json") as file:
            file.write((json.dumps(report, indent=2, ensure_ascii=False) + "\n").encode())
        files.delete_dir(f"{folder}/{WORK}")


def name(number: int) -> str:
    """Parts in the order of their names are the published table in its order."""
    return f"part-{number:05}.parquet"


def _secret(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
