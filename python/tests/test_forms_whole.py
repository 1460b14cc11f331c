"""Whole tables through every form: as wide, as long and as deep as they come, and back again."""

import csv
import os
import pathlib

import pandas
import pyarrow
import pyarrow.feather
import pyarrow.parquet
import pytest

from conftest import SAME

pyreadstat = pytest.importorskip("pyreadstat")

# Python's reader of CSV gives up at 131,072 characters of a cell otherwise.
csv.field_size_limit(1 << 24)

DATA = pathlib.Path(os.environ.get("LOOKALIKE_DATA") or pathlib.Path(__file__).parents[3] / "shared/data")

#: Columns of a wide file; the form of Stata's release 118 ends at 32,767, that of pyreadstat's `.xpt` at 9,999.
WIDE = 5_000


def wide():
    """5,000 columns of numbers and texts in turn, two rows; every name has 8 bytes, which all forms take."""
    columns = {f"c{at:07}": [at / 2, -float(at)] if at % 2 else [f"a{at}", f"ö{at}"] for at in range(WIDE - 2)}
    return pandas.DataFrame({"row": [0.0, 1.0], SAME: ["x", "x"], **columns})


def write(frame, path):
    """The frame in the form of the path's ending, by the library that others use."""
    match path.suffix:
        case ".parquet":
            frame.to_parquet(path, index=False)
        case ".arrow":
            pyarrow.feather.write_feather(pyarrow.Table.from_pandas(frame), path, compression="lz4")
        case ".dta":
            long = [name for name in frame if frame[name].map(lambda cell: len(str(cell)) > 2_045).any()]
            frame.to_stata(path, write_index=False, version=118, convert_strl=long)
        case ".sav" | ".zsav":
            pyreadstat.write_sav(frame, path, compress=path.suffix == ".zsav")
        case ".xpt":
            pyreadstat.write_xport(frame, path, file_format_version=8)
        case ".jsonl":
            frame.to_json(path, orient="records", lines=True, force_ascii=False)


@pytest.mark.parametrize("name", ["in.parquet", "in.arrow", "in.dta", "in.sav", "in.zsav", "in.xpt", "in.jsonl"])
def test_five_thousand_columns_are_read(cells, tmp_path, name):
    frame = wide()
    write(frame, tmp_path / name)
    some = ["c0000000", "c0000001", "c0002499", "c0002500", f"c{WIDE - 4:07}", f"c{WIDE - 3:07}"]
    shown = lambda value: value if isinstance(value, str) else f"{value:.1f}"
    assert cells(name, some) == {column: [shown(cell) for cell in frame[column]] for column in some}


#: Bytes of the longest text of each form: SPSS has 32,767, version 8 of SAS's transport 32,767, others as many as there is room for.
LONG = {"in.parquet": 300_000, "in.arrow": 300_000, "in.dta": 300_000, "in.sav": 32_000, "in.zsav": 32_000, "in.jsonl": 300_000}


@pytest.mark.parametrize("name", LONG)
def test_long_texts_are_read_to_their_ends(cells, tmp_path, name):
    long = "äb, " * (LONG[name] // 5)
    frame = pandas.DataFrame({"row": [0.0, 1.0, 2.0], SAME: "x", "text": [long + "end", "", "short"]})
    write(frame, tmp_path / name)
    assert cells(name, ["text"]) == {"text": list(frame["text"])}


#: What others read of a written file.
READERS = {
    "dta": [pandas.read_stata, lambda path: pyreadstat.read_dta(path)[0]],
    "parquet": [pandas.read_parquet],
    "arrow": [pandas.read_feather],
}


@pytest.mark.parametrize("longest", [2_045, 2_046, 30_000])
@pytest.mark.parametrize("ending", READERS)
def test_long_texts_are_written_to_their_ends(run, tmp_path, ending, longest):
    texts = ["a" * (longest - 1) + "é"[: longest % 2] + "z", "y", "", "é"]
    frame = pandas.DataFrame({"row": range(4), SAME: "x", "text": texts})
    frame.to_csv(tmp_path / "in.csv", index=False)
    run(
        *("anonymize", "in.csv", "--quasi", SAME, "--unchanged", "row,text", "--model", "k-anonymity", "--k", "2"),
        *("--seed", "1", "--effort", "0", "-o", f"out.{ending}"),
    )
    for read in READERS[ending]:
        found = read(tmp_path / f"out.{ending}")
        assert list(found.sort_values("row")["text"].fillna("")) == texts, read


@pytest.mark.skipif(not (DATA / "adult-train.csv").is_file(), reason=f"{DATA} holds no adult-train.csv")
@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet", "arrow", "jsonl", "dta", "xpt", "xlsx"])
def test_adult_goes_into_each_form_and_back_with_the_same_classes(cells, run, tmp_path, ending):
    frame = pandas.read_csv(DATA / "adult-train.csv", dtype=str, keep_default_na=False, skipinitialspace=True)
    frame = frame.assign(row=range(len(frame)), **{SAME: "x"})
    frame.to_csv(tmp_path / "adult.csv", index=False)
    how = ["anonymize", "adult.csv", "--quasi", "age,education,sex", "--sensitive", "occupation", "--model", "k-anonymity"]
    how += ["--k", "20", "--method", "mondrian", "--loss", "ncp", "--unchanged", f"row,{SAME}", "--seed", "1"]
    how += ["--missing-sensitive", "value", "--class-column", "group"]
    run(*how, "-o", "plain.csv", "--classes", "plain-classes.csv")
    run(*how, "-o", f"out.{ending}", "--classes", "classes.csv")
    assert (tmp_path / "classes.csv").read_bytes() == (tmp_path / "plain-classes.csv").read_bytes()
    with open(tmp_path / "plain.csv", newline="", encoding="utf-8") as file:
        rows = sorted(csv.DictReader(file), key=lambda row: int(row["row"]))
    assert len(rows) == len(frame) and len({row["group"] for row in rows}) > 100
    names = ["age", "education", "sex", "occupation", "group"]
    # Version 5 of SAS's transport has names of 8 bytes.
    written = {"education": "V2_educa", "occupation": "V3_occup"} if ending == "xpt" else {}
    found = cells(f"out.{ending}", [written.get(name, name) for name in names], "--class-column", "again")
    assert found == {written.get(name, name): [row[name] for row in rows] for name in names}


NESTED = {
    "list": [["a"], ["b"]],
    "struct": [{"x": 1}, {"x": 2}],
    "map": pyarrow.array([[("k", 1)], []], pyarrow.map_(pyarrow.string(), pyarrow.int64())),
    "bytes": pyarrow.array([b"a", b"b"]),
}


@pytest.mark.parametrize("kind", NESTED)
@pytest.mark.parametrize("name", ["in.parquet", "in.arrow"])
def test_cells_without_a_text_are_refused_with_their_column_unless_nobody_asks_for_them(cells, run, tmp_path, name, kind):
    nested = NESTED[kind] if isinstance(NESTED[kind], pyarrow.Array) else pyarrow.array(NESTED[kind])
    table = pyarrow.table({"row": [0, 1], SAME: ["x", "x"], "age": [30, 40], "visits": nested})
    write_to = pyarrow.parquet.write_table if name.endswith("parquet") else pyarrow.feather.write_feather
    write_to(table, tmp_path / name)
    assert cells(name, ["age"]) == {"age": ["30", "40"]}
    told = run("describe", name, code=2).stderr
    assert 'column "visits" is of the Arrow type' in told
    assert "convert it to text, numbers or dates, or remove it" in told
