"""Tables that Ray holds: rows are surveyed, placed, shuffled to their blocks, solved, published and audited by its workers.

    from lookalike import ray
    report = ray.anonymize(dataset, "s3://bucket/published", quasi=["age", "zip"], sensitive="disease", m=5, seed=1)
"""

from __future__ import annotations

import os
import time
from typing import Any, Callable

import pyarrow

from . import kernels
from ._parts import Parts

#: Sketches that are merged by a worker before the driver sees one.
TOGETHER = 32


def anonymize(
    source: Any,
    out: str | os.PathLike[str],
    *,
    block_rows: int = 20_000,
    part_rows: int = 1 << 20,
    private: str | None = None,
    **given: Any,
) -> dict[str, Any]:
    """Publishes a Dataset, or Parquet files by their path, as Parquet parts in the folder ``out``; its report.

    Settings are those of :func:`lookalike.anonymize`; ``block_rows`` is the command line's ``--block-rows``, and the rows are those
    that it publishes with ``--out-of-core``. ``out`` is empty storage that all nodes share. ``private`` names a file on the
    driver for the private record. A Dataset must have the same rows each time it is read: it is read three times.
    """
    import ray

    began = time.monotonic()
    path = kernels.path_of(source)
    dataset = source if path is None else ray.data.read_parquet(path)
    parts = Parts(out)
    first = pyarrow.concat_tables(ray.get(dataset.limit(kernels.FIRST_ROWS).to_arrow_refs()))
    opening = kernels.opening(first, **given)
    parts.begin()
    plan = opening.plan(_gathered(dataset, opening, "survey"), block_rows)
    blocks = plan.blocks(_gathered(dataset, plan, "count"))
    # Sent once, not with each task.
    shared = ray.put(blocks)

    def place(rows: pyarrow.Table) -> pyarrow.Table:
        return kernels.place(ray.get(shared), rows)

    def solve(rows: pyarrow.Table) -> pyarrow.Table:
        return kernels.solve(ray.get(shared), rows)

    # Each block is a group of some size: as many partitions as blocks would cost more than they do.
    places = 4 * int(ray.cluster_resources().get("CPU", 1))
    tasks = max(min(len(blocks), places), len(blocks) // 64)
    placed = dataset.map_batches(place, batch_format="pyarrow", batch_size=kernels.FIRST_ROWS, zero_copy_batch=True)
    solved = placed.groupby("block", num_partitions=tasks).map_groups(solve, batch_format="pyarrow")
    solved.write_parquet(parts.work("blocks"))
    records = ray.data.read_parquet(parts.work("blocks"))
    totals = _bytes(records.map_batches(_totals, batch_format="pyarrow"))
    bounds = blocks.cut_ranges(totals, part_rows)

    def range_(some: pyarrow.Table) -> pyarrow.Table:
        return kernels.ranged(ray.get(shared), bounds, some)

    def sizes(classes: pyarrow.Table) -> pyarrow.Table:
        return classes.group_by("range").aggregate([("rows", "sum"), ("rows", "count")])

    ranged = records.map_batches(range_, batch_format="pyarrow")
    counted = _all(ranged.map_batches(sizes, batch_format="pyarrow")).group_by("range")
    counted = counted.aggregate([("rows_sum", "sum"), ("rows_count", "sum")]).to_pylist()
    before = kernels.offsets((row["range"], row["rows_sum_sum"], row["rows_count_sum"]) for row in counted)

    def publish(classes: pyarrow.Table) -> pyarrow.Table:
        place = classes.column("range")[0].as_py()
        number, *earlier = before[place]
        rows, audited = kernels.publish(ray.get(shared), tuple(earlier), classes)
        parts.write(number, rows)
        return pyarrow.table([[place], [audited]], kernels.AUDITED)

    audited = ranged.groupby("range", num_partitions=min(len(before), places)).map_groups(publish, batch_format="pyarrow")
    found = _bytes(audited.select_columns(["audited"]))
    ran = (int(ray.cluster_resources().get("CPU", 1)), time.monotonic() - began)
    report, record = kernels.verdict(blocks, totals, found, ran)
    parts.end(len(before), report, record, private)
    return report


def _totals(records: pyarrow.Table) -> pyarrow.Table:
    return records.filter(pyarrow.compute.field("kind") == 0).select(["record"])


def _gathered(dataset: Any, kernel: Any, name: str) -> bytes:
    """What a kernel finds in each block of the dataset, merged: first by workers, some at a time."""
    import ray

    shared = ray.put(kernel)

    def each(rows: pyarrow.Table) -> pyarrow.Table:
        if rows.num_rows == 0:
            return pyarrow.table({"sketch": pyarrow.array([], pyarrow.binary())})
        return pyarrow.table({"sketch": [getattr(ray.get(shared), name)(rows)]})

    def together(sketches: pyarrow.Table) -> pyarrow.Table:
        return pyarrow.table({"sketch": [ray.get(shared).merge(sketches.column("sketch").to_pylist())]})

    sketches = dataset.map_batches(each, batch_format="pyarrow", batch_size=None, zero_copy_batch=True)
    merged = sketches.map_batches(together, batch_format="pyarrow", batch_size=TOGETHER)
    return kernel.merge(_bytes(merged))


def _all(dataset: Any) -> pyarrow.Table:
    import ray

    return pyarrow.concat_tables(table for table in ray.get(dataset.to_arrow_refs()) if table.num_rows)


def _bytes(dataset: Any) -> list[bytes]:
    return _all(dataset).column(0).to_pylist()
