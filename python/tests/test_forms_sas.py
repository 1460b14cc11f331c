"""Files of SAS, as the command line reads and writes them, beside pandas and pyreadstat."""

import csv
import datetime
import itertools
import json

import pandas
import pytest

import sas_files
from conftest import SAME, text
from sas_files import Column

pyreadstat = pytest.importorskip("pyreadstat")

ROWS = 300
EPOCH = datetime.datetime(1960, 1, 1)

#: Order of bytes, width of places, packing, encoding, whether rows stand beside what says what they mean.
LAYOUTS = list(
    itertools.product(
        (False, True),
        (False, True),
        (None, "SASYZCRL", "SASYZCR2"),
        (sas_files.UTF_8, sas_files.WINDOWS_1252),
        (False, True),
    )
)


def columns():
    """A column of each kind, with missing cells and texts that look like something else."""
    rows = range(ROWS)
    texts = ["", "  two  blanks", 'say "ä", then ß', "@@@@@@ 01067", "é" * 20]
    return [
        Column("row", [float(row) for row in rows]),
        Column(SAME, ["x"] * ROWS, text=1),
        Column("real", [row / 7 if row % 5 else None for row in rows], label="A real number"),
        Column("large", [(-1.5) ** row for row in rows]),
        Column("short", [float(row % 90) for row in rows], width=3),
        Column("text", [texts[row % len(texts)] for row in rows], text=41, label="Größe"),
        Column("day", [float(row * 100 - 5_000) for row in rows], form="DATE"),
        Column("iso", [None if row % 3 else float(row) for row in rows], form="E8601DA"),
        Column("moment", [float(row * 100_000) for row in rows], form="DATETIME"),
        Column("clock", [float(row * 200) for row in rows], form="TIME"),
        Column("tag", [sas_files.missing("A") if row % 4 else sas_files.missing("_") for row in rows]),
    ]


NAMES = [column.name for column in columns() if column.name not in ("row", SAME)]


def shown(value):
    """A value as pyreadstat has it, as a cell: whole numbers are short where all of the column are."""
    return "" if value is pandas.NaT or value != value else text(value)


def wanted(frame):
    whole = {"short", "tag"}
    of = lambda name, value: text(int(value)) if name in whole and value == value else shown(value)
    return {name: [of(name, value) for value in frame[name]] for name in NAMES}


@pytest.mark.parametrize("big, wide, packed, encoding, mixed", LAYOUTS)
def test_sas7bdat_is_read_as_pyreadstat_reads_it(cells, tmp_path, big, wide, packed, encoding, mixed):
    made = sas_files.write(columns(), big=big, wide=wide, packed=packed, encoding=encoding, mixed=mixed)
    (tmp_path / "in.sas7bdat").write_bytes(made)
    read, _ = pyreadstat.read_sas7bdat(tmp_path / "in.sas7bdat")
    found = cells("in.sas7bdat", NAMES)
    assert found == wanted(read)
    # pandas reads the same texts and numbers.
    frame = pandas.read_sas(tmp_path / "in.sas7bdat", encoding="infer")
    assert found["text"] == ["" if value != value else value for value in frame["text"]]
    assert found["real"] == [shown(value) for value in frame["real"]]


@pytest.mark.parametrize("packed", [None, "SASYZCRL", "SASYZCR2"])
@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("big", [False, True])
def test_deleted_rows_of_a_sas7bdat_are_none(cells, tmp_path, big, wide, packed):
    deleted = {0, 7, 8, 150, ROWS - 1}
    (tmp_path / "in.sas7bdat").write_bytes(
        sas_files.write(columns(), big=big, wide=wide, packed=packed, deleted=deleted)
    )
    (tmp_path / "all.sas7bdat").write_bytes(sas_files.write(columns(), big=big, wide=wide, packed=packed))
    some, every = cells("in.sas7bdat", NAMES), cells("all.sas7bdat", NAMES)
    for name in NAMES:
        assert some[name] == [cell for row, cell in enumerate(every[name]) if row not in deleted], name


@pytest.mark.parametrize("packed", ["SASYZCRL", "SASYZCR2"])
@pytest.mark.parametrize("wide", [False, True])
def test_rows_of_a_sas7bdat_that_stand_elsewhere_are_read(cells, tmp_path, wide, packed):
    made = sas_files.write(columns(), wide=wide, packed=packed, moved={0, 5, 77, ROWS - 1})
    (tmp_path / "in.sas7bdat").write_bytes(made)
    (tmp_path / "all.sas7bdat").write_bytes(sas_files.write(columns(), wide=wide, packed=packed))
    assert made != (tmp_path / "all.sas7bdat").read_bytes()
    assert cells("in.sas7bdat", NAMES) == cells("all.sas7bdat", NAMES)


def test_sas_names_special_missing_values_and_labels(run, tmp_path):
    (tmp_path / "in.sas7bdat").write_bytes(sas_files.write(columns()))
    told = run("describe", "in.sas7bdat").stderr
    assert "'.A', '._' in \"tag\", 300 cells" in told
    assert "\"real\" = 'A real number'" in told and "\"text\" = 'Größe'" in told


def test_many_columns_and_long_texts_of_a_sas7bdat(cells, tmp_path):
    many = [Column(f"c{at}", [float(at), float(at + 1)]) for at in range(3_000)]
    many += [Column("row", [0.0, 1.0]), Column(SAME, ["x", "x"], text=1)]
    (tmp_path / "wide.sas7bdat").write_bytes(sas_files.write(many, page=1 << 18))
    assert cells("wide.sas7bdat", ["c2999", "c0"]) == {"c2999": ["2999", "3000"], "c0": ["0", "1"]}
    long = ["ab" * 15_000, "c" * 30_000]
    few = [Column("row", [0.0, 1.0]), Column(SAME, ["x", "x"], text=1), Column("long", long, text=32_000)]
    for packed in (None, "SASYZCRL", "SASYZCR2"):
        (tmp_path / "long.sas7bdat").write_bytes(sas_files.write(few, page=1 << 16, packed=packed))
        assert cells("long.sas7bdat", ["long"]) == {"long": long}, packed


def framed():
    rows = range(200)
    return pandas.DataFrame(
        {
            "row": [float(row) for row in rows],
            SAME: "x",
            "real": [row / 7 if row % 5 else None for row in rows],
            "large": [(-1.5) ** row for row in rows],
            "text": ["" if row % 4 == 0 else f"ö{row}, b" for row in rows],
            "day": [None if row % 3 == 0 else datetime.date(1950, 1, 1) + datetime.timedelta(days=99 * row) for row in rows],
            "moment": [EPOCH + datetime.timedelta(hours=999 * row - 5_000) for row in rows],
            "clock": [datetime.time(row % 24, row % 60, 59) for row in rows],
        }
    )


@pytest.mark.parametrize("version", [5, 8])
def test_xpt_is_read_as_pyreadstat_reads_it(cells, run, tmp_path, version):
    label = "What was measured" + " and how, in many words" * (version == 8)
    pyreadstat.write_xport(
        framed(), tmp_path / "in.xpt", file_format_version=version, table_name="T", column_labels={"real": label}
    )
    read, about = pyreadstat.read_xport(tmp_path / "in.xpt")
    names = [name for name in read.columns if name not in ("row", SAME)]
    found = cells("in.xpt", names)
    assert found == {name: [shown(value) for value in read[name]] for name in names}
    assert f"\"real\" = '{label}'" in run("describe", "in.xpt").stderr
    assert about.column_names_to_labels["real"] == label


def test_xpt_has_special_missing_values_and_other_encodings(cells, run, tmp_path):
    frame = framed().assign(text="x")[["row", SAME, "real", "text"]]
    pyreadstat.write_xport(frame, tmp_path / "in.xpt", file_format_version=5)
    made = (tmp_path / "in.xpt").read_bytes()
    # The cells are 8 bytes each: a missing one becomes `.B`, a text one in Windows-1252.
    assert made.count(b".\0\0\0\0\0\0\0") == 40
    (tmp_path / "in.xpt").write_bytes(made.replace(b".\0\0\0\0\0\0\0x", b"B\0\0\0\0\0\0\0\xe4"))
    found = cells("in.xpt", ["real", "text"])
    assert found["real"] == [shown(value) for value in frame["real"]]
    assert found["text"] == ["x" if row % 5 else "ä" for row in range(200)]
    told = run("describe", "in.xpt").stderr
    assert "'.B' in \"real\", 40 cells" in told and "encoding of texts: windows-1252" in told


@pytest.mark.parametrize("version", [5, 8])
def test_one_of_several_tables_of_an_xpt_is_read_as_pyreadstat_reads_it_alone(cells, run, tmp_path, version):
    frames = {
        "DM": framed(),
        "AE": framed()[["row", SAME, "text", "real"]].iloc[:7].assign(real=[1.0, None, 2.5, 3.0, -1.0, 0.0, 8.0]),
        "LB": framed()[["row", SAME, "day"]].iloc[3:90],
    }
    made = b""
    for name, frame in frames.items():
        pyreadstat.write_xport(frame, tmp_path / f"{name}.xpt", file_format_version=version, table_name=name)
        made += (tmp_path / f"{name}.xpt").read_bytes()[240 * bool(made) :]
    (tmp_path / "all.xpt").write_bytes(made)
    told = run("describe", "all.xpt", code=2).stderr
    assert 'holds 3 tables ("DM", "AE", "LB")' in told and "--member NAME" in told
    for name in frames:
        read, _ = pyreadstat.read_xport(tmp_path / f"{name}.xpt")
        names = [column for column in read.columns if column not in ("row", SAME)]
        found = cells("all.xpt", names, "--member", name)
        assert found == {column: [shown(value) for value in read[column]] for column in names}, name
    told = run("describe", "all.xpt", "--member", "XX", code=2).stderr
    assert 'there is no table "XX" in the file; it holds "DM", "AE", "LB"' in told


def test_what_is_written_as_xpt_is_read_by_others_as_the_csv(run, hospital, tmp_path):
    hospital.to_csv(tmp_path / "in.csv", index=False)
    how = [
        *("anonymize", "in.csv", "--quasi", "age,postcode,nights", "--sensitive", "diagnosis", "--model", "m-invariance"),
        *("--m", "2", "--publish", "min-max", "--seed", "1", "--eligibility", "hybrid"),
    ]
    run(*how, "-o", "out.csv")
    run(*how, "-o", "out.xpt", "--report", "report.json")
    report = json.loads((tmp_path / "report.json").read_text())
    assert any("shares no code with what wrote it" in json.dumps(check) for check in report["audit"]["checks"])
    with open(tmp_path / "out.csv", newline="", encoding="utf-8") as file:
        names, *rows = list(csv.reader(file))
    short = lambda row: [cell.removesuffix(".0") for cell in row]
    frame, about = pyreadstat.read_xport(tmp_path / "out.xpt")
    assert [label or name for name, label in about.column_names_to_labels.items()] == names
    found = [short(shown(value) for value in row) for row in frame.itertuples(index=False)]
    assert found == [short(row) for row in rows]
    frame = pandas.read_sas(tmp_path / "out.xpt", format="xport", encoding="utf-8")
    assert [short(shown(value) for value in row) for row in frame.itertuples(index=False)] == found
    # Read by this program again, it is the same table.
    assert json.loads(run("describe", "out.xpt", "--json").stdout)["rows"] == len(rows)


def test_what_does_not_fit_into_xpt_is_refused_with_the_reason(run, tmp_path):
    (tmp_path / "in.csv").write_text("age,note\n" + f"30,{'x' * 201}\n" * 4)
    how = ["anonymize", "in.csv", "--quasi", "age", "--unchanged", "note", "--model", "k-anonymity", "--k", "2", "--seed", "1"]
    told = run(*how, "-o", "out.xpt", code=2).stderr
    assert "a text of more than 200 bytes" in told and not (tmp_path / "out.xpt").exists()


def test_one_row_and_no_row_of_sas(run, tmp_path):
    for rows in (0, 1):
        (tmp_path / "in.sas7bdat").write_bytes(
            sas_files.write([Column("age", [30.0] * rows), Column("sex", ["f"] * rows, text=1)])
        )
        frame = pandas.DataFrame({"age": [30.0] * rows, "sex": ["f"] * rows})
        pyreadstat.write_xport(frame, tmp_path / "in.xpt")
        for name in ("in.sas7bdat", "in.xpt"):
            told = run("describe", name, "--json", code=0 if rows else 2)
            if rows:
                assert json.loads(told.stdout)["rows"] == 1
            else:
                assert "no row of data" in told.stderr


def test_what_cannot_be_read_of_sas_is_said(run, tmp_path):
    whole = sas_files.write(columns())
    pyreadstat.write_xport(framed(), tmp_path / "in.xpt", file_format_version=5)
    xpt = (tmp_path / "in.xpt").read_bytes()
    files = {
        "cut.sas7bdat": (whole[:-100], "it ends before its last page"),
        "cut.xpt": (xpt[:-87], "it ends within a row"),
        "begun.xpt": (xpt[:300], "it ends before its rows"),
        "two.xpt": (xpt + xpt[240:], "holds 2 tables"),
        "unknown.sas7bdat": (whole[:70] + b"\x63" + whole[71:], "its encoding is"),
    }
    for name, (content, told) in files.items():
        (tmp_path / name).write_bytes(content)
        assert told in run("describe", name, code=2).stderr, name
    run("describe", "unknown.sas7bdat", "--encoding", "utf-8")
