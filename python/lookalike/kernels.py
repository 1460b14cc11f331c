"""The steps of a run out of core, for an engine that holds the rows and calls them on its workers.

Each step is a function of Arrow batches and of what the step before left. What is seen and counted in parts is merged in any
order to the same bytes. ``lookalike.spark`` and ``lookalike.ray`` are loops over these; so is one process:

    opening = kernels.opening(rows, quasi=["age"], sensitive="disease", m=2, seed=1)
    plan = opening.plan(opening.merge([opening.survey(part) for part in parts]), 20_000)
    blocks = plan.blocks(plan.merge([plan.count(part) for part in parts]))
    placed = pyarrow.concat_tables(kernels.place(blocks, part) for part in parts)
    records = kernels.solve(blocks, placed.filter(pyarrow.compute.field("block") == 0))

``opening``, ``plan`` and ``blocks`` are pickled as the bytes they are made of. They read rows from anything with an Arrow stream.
"""

from __future__ import annotations

import json
import os
import random
from typing import Any, Iterable

import pyarrow
import pyarrow.compute

from . import _core
from ._arguments import configuration, published_with, settings
from .errors import FailedError

#: Rows that say what kinds of columns there are: as many as the command line looks at.
FIRST_ROWS = 1 << 15

#: What solved blocks hand on: a record of kind 0 a block, one of kind 1 a class.
RECORDS = pyarrow.schema([("kind", pyarrow.int8()), ("block", pyarrow.int32()), ("record", pyarrow.binary())])

#: Classes with their range, and the rows of each.
RANGED = pyarrow.schema([("range", pyarrow.int32()), ("rows", pyarrow.int32()), ("record", pyarrow.binary())])

#: What the audit found in a range.
AUDITED = pyarrow.schema([("range", pyarrow.int32()), ("audited", pyarrow.binary())])


def opening(
    first: Any,
    *,
    k: int | None = None,
    m: int | None = None,
    effort: float | None = None,
    seed: int | None = None,
    config: Any = None,
    **given: Any,
) -> _core.Opening:
    """Settings and the first rows: the kinds of columns whose type or argument does not say it are found by these."""
    text, folder = configuration(config)
    published_with(seed)
    if seed is None:
        seed = random.SystemRandom().getrandbits(64)
    said = settings(given | {"k": k, "m": m, "effort": effort, "seed": seed})
    return _core.Opening(plain(first), {"settings": said, "configuration": text, "folder": folder})


def place(blocks: _core.Blocks, rows: Any) -> pyarrow.Table:
    """The rows with their blocks (``block``) and their published columns as texts (``c0``, ``c1``, ...)."""
    return _table(blocks.place(rows)).cast(placed(blocks))


def placed(blocks: _core.Blocks) -> pyarrow.Schema:
    """The columns of :func:`place`."""
    texts = [(f"c{at}", pyarrow.string()) for at in range(len(blocks.names))]
    return pyarrow.schema([("block", pyarrow.int32()), *texts])


def solve(blocks: _core.Blocks, rows: pyarrow.Table, threads: int = 1) -> pyarrow.Table:
    """The :data:`RECORDS` of a block, from all its placed rows, in any order."""
    block = rows.column("block")[0].as_py()
    return _table(blocks.solve(block, rows.drop_columns("block"), threads)).cast(RECORDS)


def ranged(blocks: _core.Blocks, bounds: list[list[str]], records: pyarrow.Table) -> pyarrow.Table:
    """The :data:`RANGED` classes of some records."""
    records = records.filter(pyarrow.compute.field("kind") == 1).select(["record"])
    found = blocks.ranged(bounds, records)
    columns = [[place for place, _ in found], [rows for _, rows in found], records.column("record").combine_chunks()]
    return pyarrow.table([pyarrow.array(columns[0], pyarrow.int32()), pyarrow.array(columns[1], pyarrow.int32()), columns[2]], RANGED)


def offsets(sizes: Iterable[tuple[int, int, int]]) -> dict[int, tuple[int, int, int]]:
    """For each range the number of its part and the rows and classes before it, from the rows and classes of all ranges."""
    found, number, before = {}, 0, (0, 0)
    for place, rows, classes in sorted(sizes):
        found[place] = (number, *before)
        number, before = number + 1, (before[0] + rows, before[1] + classes)
    return found


def publish(blocks: _core.Blocks, before: tuple[int, int], classes: pyarrow.Table) -> tuple[pyarrow.Table, bytes]:
    """The published rows of all classes of a range, audited, and what the audit found."""
    csv, audited = blocks.publish(before, classes.select(["record"]))
    return _table(_core.stream_of(csv)), audited


def checked(rows: pyarrow.Table, written: pyarrow.Table) -> None:
    """Refuses a file whose cells are not those that were judged."""
    if _core.csv_of(rows) != _core.csv_of(written):
        raise FailedError("a part was read back with other cells than were judged")


def verdict(blocks: _core.Blocks, totals: list[bytes], audited: list[bytes], ran: tuple[int, float]) -> tuple[dict, dict]:
    """Report and private record, once all parts pass the audit together; ``ran`` are threads and seconds."""
    report, private = blocks.verdict(totals, audited, ran)
    return json.loads(report), json.loads(private)


def plain(rows: Any) -> pyarrow.Table:
    """Any Arrow stream as a table that can be pickled."""
    return rows if isinstance(rows, pyarrow.Table) else pyarrow.RecordBatchReader.from_stream(rows).read_all()


def path_of(source: Any) -> str | None:
    """The path, if the source is one, in the form that workers on other machines understand."""
    if not isinstance(source, (str, os.PathLike)):
        return None
    path = os.fspath(source)
    return path if "://" in path else os.path.abspath(path)


class _Stream:
    def __init__(self, capsule: Any) -> None:
        self.capsule = capsule

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.capsule


def _table(capsule: Any) -> pyarrow.Table:
    return pyarrow.RecordBatchReader.from_stream(_Stream(capsule)).read_all()
