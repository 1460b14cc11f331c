"""Frames of other libraries in, and out again."""

import datetime
import decimal

import pandas
import polars
import pyarrow
import pytest

import lookalike as la


def test_pandas_polars_and_pyarrow_give_the_same_bytes(people):
    frames = [people, polars.from_pandas(people), pyarrow.Table.from_pandas(people)]
    frames.append(people.set_index(pandas.Index(list("abcdef"), name="row")))
    frames.append(people.astype({"sex": "category"}))
    frames.append(polars.from_pandas(people).with_columns(polars.col("sex").cast(polars.Categorical)))
    frames.append(pyarrow.concat_tables([pyarrow.Table.from_pandas(people[:2]), pyarrow.Table.from_pandas(people[2:])]))
    published = [la.anonymize(frame, quasi=["age", "sex"], k=3, seed=1).csv for frame in frames]
    assert set(published) == {b'age,sex,class\n' + b'[34-36],"{f, m}",1\n' * 3 + b'[58-64],"{f, m}",2\n' * 3}


def test_the_published_table_goes_into_each_of_them(people):
    table = la.anonymize(people, quasi=["age", "sex"], k=3, seed=1).table
    assert table.to_pandas()["age"].tolist() == table.to_polars()["age"].to_list()
    assert table.to_arrow().column_names == ["age", "sex", "class"] == table.columns
    assert table.to_arrow().column("sex").to_pylist() == [row[1] for row in table.rows]
    assert len(table) == 6


def test_types_of_columns_say_what_they_are(people):
    codes = people.assign(age=people["age"].astype(str))
    with_labels = la.anonymize(codes, quasi=["age", "sex"], k=3, seed=1)
    assert with_labels.table.rows[0][0].startswith("{")
    numbers = la.anonymize(codes, quasi=["age", "sex"], k=3, seed=1, kinds={"age": "integer"})
    assert numbers.table.rows[0][0] == "[34-36]"


def test_every_type_with_a_text_has_it():
    moments = [datetime.datetime(1969, 12, 31, 23, 59, 59), datetime.datetime(2024, 2, 29, 12, 30)]
    schema = pyarrow.schema(
        [
            ("whole", pyarrow.uint8()),
            ("half", pyarrow.float32()),
            ("money", pyarrow.decimal128(9, 2)),
            ("day", pyarrow.date32()),
            ("moment", pyarrow.timestamp("us", tz="UTC")),
            ("midnight", pyarrow.timestamp("ns")),
            ("truth", pyarrow.bool_()),
            ("wide", pyarrow.large_string()),
            ("view", pyarrow.string_view()),
            ("label", pyarrow.dictionary(pyarrow.int8(), pyarrow.string())),
        ]
    )
    rows = {
        "whole": [1, 255],
        "half": [0.1, float("nan")],
        "money": [decimal.Decimal("-1.50"), decimal.Decimal("20.00")],
        "day": [datetime.date(1899, 12, 31), datetime.date(2024, 2, 29)],
        "moment": moments,
        "midnight": [datetime.datetime(1960, 1, 1), datetime.datetime(2000, 1, 1)],
        "truth": [True, None],
        "wide": ["x, y", ""],
        "view": ["ä", "b"],
        "label": ["c", None],
    }
    table = pyarrow.table(rows, schema=schema)
    bars = {column["name"]: column for column in la.describe(table)["columns"]}
    assert [bars[name]["missing"] for name in schema.names] == [0, 1, 0, 0, 0, 0, 1, 1, 0, 1]
    published = la.anonymize(
        table, quasi=["whole"], unchanged=schema.names[1:], k=2, seed=1, missing={"quasi": "value"}
    ).table
    cells = dict(zip(published.columns, zip(*published.rows)))
    assert set(cells["moment"]) == {"1969-12-31T23:59:59", "2024-02-29T12:30:00"}
    assert set(cells["midnight"]) == {"1960-01-01", "2000-01-01"}
    assert set(cells["day"]) == {"1899-12-31", "2024-02-29"}
    assert set(cells["half"]) == {"0.1", ""} and set(cells["money"]) == {"-1.50", "20.00"}
    assert set(cells["truth"]) == {"true", ""} and set(cells["wide"]) == {"x, y", ""}


def test_what_is_no_frame_or_has_no_text_is_said(people):
    with pytest.raises(la.TableError, match="has no Arrow stream"):
        la.anonymize({"age": [1, 2]}, quasi=["age"], k=2)
    lists = pyarrow.table({"age": [1, 2], "tags": [["a"], ["b"]]})
    with pytest.raises(la.TableError, match='"tags" is of the Arrow type List'):
        la.anonymize(lists, quasi=["age"], k=2)
    with pytest.raises(la.TableError, match="age"):
        la.anonymize(pandas.concat([people, people], axis=1), quasi=["age"], k=2)
    with pytest.raises(la.TableError):
        la.anonymize(people[:0], quasi=["age"], k=2)


CROSSING = """
import resource, sys
import numpy, pyarrow
import lookalike as la

rows = 1_000_000
draw = numpy.random.default_rng(1)
# Long texts, few of them different: what a copy of each would cost shows.
labels = pyarrow.array([f"a rather long label of the value number {i:06}, as registers write it" for i in range(500)])
texts = {f"c{i}": labels.take(pyarrow.array(draw.integers(0, 500, rows))) for i in range(4)}
frame = pyarrow.table({**texts, "age": pyarrow.array(draw.integers(0, 90, rows))})
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
la.eligibility(frame, sensitive="c0", m=3)
la.describe(frame)
print(frame.nbytes, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 - before)
"""


def test_a_million_rows_cross_without_a_copy_of_their_texts():
    import subprocess
    import sys

    said = subprocess.run([sys.executable, "-c", CROSSING], check=True, capture_output=True, text=True).stdout
    frame, added = map(int, said.split())
    assert frame > 250e6
    assert added <= frame, f"{added / 1e6:.0f} MB for a frame of {frame / 1e6:.0f} MB"
