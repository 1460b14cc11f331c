"""Tables that Spark holds: rows are surveyed, placed, shuffled to their blocks, solved, published and audited by its executors.

    from lookalike import spark
    report = spark.anonymize(frame, "s3://bucket/published", quasi=["age", "zip"], sensitive="disease", m=5, seed=1)
"""

from __future__ import annotations

import os
import time
import zlib
from typing import Any, Callable, Iterator

import pyarrow

from . import kernels
from ._parts import Parts

#: Sketches that are merged on an executor before the driver sees one.
TOGETHER = 32


def anonymize(
    source: Any,
    out: str | os.PathLike[str],
    *,
    block_rows: int = 20_000,
    part_rows: int = 1 << 20,
    private: str | None = None,
    spark: Any = None,
    **given: Any,
) -> dict[str, Any]:
    """Publishes a DataFrame, or Parquet files by their path, as Parquet parts in the folder ``out``; its report.

    Settings are those of :func:`lookalike.anonymize`; ``block_rows`` is the command line's ``--block-rows``, and the rows are those
    that it publishes with ``--out-of-core``. ``out`` is empty storage that all executors share. ``private`` names a file on the
    driver for the private record. A DataFrame must have the same rows each time it is computed: it is read three times.
    """
    from pyspark.sql import SparkSession, functions
    from pyspark.sql.pandas.types import from_arrow_schema

    began = time.monotonic()
    session = spark or SparkSession.active()
    path = kernels.path_of(source)
    frame = source if path is None else session.read.parquet(path)
    parts = Parts(out)
    opening = kernels.opening(frame.limit(kernels.FIRST_ROWS).toArrow(), **given)
    parts.begin()
    plan = opening.plan(_gathered(frame, opening.survey, opening.merge), block_rows)
    blocks = plan.blocks(_gathered(frame, plan.count, plan.merge))

    def place(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            yield from kernels.place(blocks, pyarrow.Table.from_batches([batch])).to_batches()

    def solve(rows: pyarrow.Table) -> pyarrow.Table:
        return kernels.solve(blocks, rows)

    placed = frame.mapInArrow(place, from_arrow_schema(kernels.placed(blocks)))
    # Each block is a group of some size: as many tasks as blocks would cost more than they do.
    tasks = max(min(len(blocks), 4 * session.sparkContext.defaultParallelism), len(blocks) // 64)
    solved = placed.repartition(tasks, "block").groupBy("block").applyInArrow(solve, from_arrow_schema(kernels.RECORDS))
    solved.write.parquet(parts.work("blocks"))
    records = session.read.parquet(parts.work("blocks"))
    totals = _bytes(records.where("kind = 0").select("record"))
    bounds = blocks.cut_ranges(totals, part_rows)

    def range_(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            yield from kernels.ranged(blocks, bounds, pyarrow.Table.from_batches([batch])).to_batches()

    ranged = records.mapInArrow(range_, from_arrow_schema(kernels.RANGED))
    sizes = ranged.groupBy("range").agg(functions.sum("rows").alias("rows"), functions.count("*").alias("classes"))
    before = kernels.offsets((row["range"], row["rows"], row["classes"]) for row in sizes.toArrow().to_pylist())

    def publish(classes: pyarrow.Table) -> pyarrow.Table:
        place = classes.column("range")[0].as_py()
        number, *earlier = before[place]
        rows, audited = kernels.publish(blocks, tuple(earlier), classes)
        parts.write(number, rows)
        return pyarrow.table([[place], [audited]], kernels.AUDITED)

    audited = ranged.groupBy("range").applyInArrow(publish, from_arrow_schema(kernels.AUDITED))
    found = _bytes(audited.select("audited"))
    ran = (session.sparkContext.defaultParallelism, time.monotonic() - began)
    report, record = kernels.verdict(blocks, totals, found, ran)
    parts.end(len(before), report, record, private)
    return report


def _gathered(frame: Any, one: Callable[[Any], bytes], merge: Callable[[list[bytes]], bytes]) -> bytes:
    """What ``one`` finds in each partition, merged: first on the executors, some at a time."""

    def each(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        first = next(batches, None)
        if first is not None:
            stream = pyarrow.RecordBatchReader.from_batches(first.schema, _again(first, batches))
            # The group is by content, since a partition may be computed twice.
            sketch = one(stream)
            yield pyarrow.record_batch([[zlib.crc32(sketch) % 64], [sketch]], ["group", "sketch"])

    def together(sketches: pyarrow.Table) -> pyarrow.Table:
        return pyarrow.table([[merge(sketches.column("sketch").to_pylist())]], ["sketch"])

    sketches = frame.mapInArrow(each, "group long, sketch binary")
    if frame.rdd.getNumPartitions() > TOGETHER:
        sketches = sketches.groupBy("group").applyInArrow(together, "sketch binary")
    return merge(_bytes(sketches.select("sketch")))


def _again(first: Any, rest: Iterator[Any]) -> Iterator[Any]:
    yield first
    yield from rest


def _bytes(column: Any) -> list[bytes]:
    return [bytes(value) for value in column.toArrow().column(0).to_pylist()]
