"""What stands beside a published CSV or within a published file: schemas, descriptions, labels of codes."""

import csv
import datetime
import json
import shutil
import subprocess

import pandas
import pyarrow.feather
import pyarrow.parquet
import pyreadstat
import pytest

import lookalike as la

HOW = ["--quasi", "age,born,sex", "--sensitive", "disease", "--k", "7", "--model", "k-anonymity", "--publish", "set", "--seed", "1"]


@pytest.fixture
def survey(tmp_path):
    """A file of SPSS whose columns have descriptions, and one of whose columns has codes with labels."""
    rows = 60
    frame = pandas.DataFrame(
        {
            "age": [20 + 3 * (row // 6) for row in range(rows)],
            "born": [datetime.date(1990, 1, 1 + row // 6) for row in range(rows)],
            "sex": [1 + row // 3 % 2 for row in range(rows)],
            "disease": [["flu", "cold, mild", 'the "grippe"'][row % 3] for row in range(rows)],
        }
    )
    pyreadstat.write_sav(
        frame,
        tmp_path / "in.sav",
        column_labels=["Age in years", "Day of birth", "Sex at birth", 'What is "it"'],
        variable_value_labels={"sex": {1: "male", 2: "female"}},
    )
    return frame


def cells(path):
    return list(csv.reader(path.open(newline="", encoding="utf-8")))


def test_descriptions_and_labels_stay_in_files_of_stata(run, survey, tmp_path):
    run("anonymize", "in.sav", *HOW, "-o", "out.csv")
    told = run("anonymize", "in.sav", *HOW, "-o", "out.dta").stderr
    assert 'what its file says of "age", "born", "sex", "disease"' in told
    header, *rows = cells(tmp_path / "out.csv")
    frame, meta = pyreadstat.read_dta(tmp_path / "out.dta", apply_value_formats=True)
    assert list(frame.columns) == header
    assert meta.column_names_to_labels["age"] == "Age in years"
    assert meta.column_names_to_labels["disease"] == 'What is "it"'
    # Codes are whole numbers from 1, and their labels are what is published.
    assert set(meta.variable_value_labels) == {"sex"}
    labels = meta.variable_value_labels["sex"]
    assert sorted(labels) == list(range(1, len(labels) + 1))
    assert sorted(labels.values()) == sorted({row[header.index("sex")] for row in rows})
    by_pandas = pandas.read_stata(tmp_path / "out.dta")
    for column, name in enumerate(header):
        wanted = [row[column] for row in rows]
        # Days are moments there.
        assert [str(cell).removesuffix(" 00:00:00") for cell in by_pandas[name]] == wanted


def test_descriptions_stay_in_files_of_sas(run, survey, tmp_path):
    run("anonymize", "in.sav", *HOW, "-o", "out.xpt")
    _, meta = pyreadstat.read_xport(tmp_path / "out.xpt")
    assert meta.column_names_to_labels["age"] == "Age in years"
    assert meta.column_names_to_labels["class"] in ("", None)


def test_a_table_schema_says_what_each_cell_is(run, survey, tmp_path):
    run("anonymize", "in.sav", *HOW, "-o", "out.csv", "--schema", "out.json", "--manifest", "manifest.json")
    schema = json.loads((tmp_path / "out.json").read_text())
    header, *rows = cells(tmp_path / "out.csv")
    assert [field["name"] for field in schema["fields"]] == header
    assert schema["fields"][0]["description"] == "Age in years"
    types = {
        "integer": int,
        "number": float,
        "date": datetime.date.fromisoformat,
        "string": str,
    }
    for column, field in enumerate(schema["fields"]):
        known = [row[column] for row in rows if row[column] not in schema["missingValues"]]
        for cell in known:
            types[field["type"]](cell)
        # No stricter type would have done.
        if field["type"] == "string":
            with pytest.raises(ValueError):
                [float(cell) for cell in known]
    assert [field["type"] for field in schema["fields"] if field["name"] == "class"] == ["integer"]
    told = run("verify", "manifest.json", "out.csv", "out.json")
    assert "the schema" in told.stdout


@pytest.mark.skipif(shutil.which("pspp") is None, reason="PSPP is not installed")
@pytest.mark.parametrize("delimiter", ["comma", "semicolon", "tab"])
def test_pspp_reads_the_csv_by_the_syntax(run, survey, tmp_path, delimiter):
    run("anonymize", "in.sav", *HOW, "-o", "out.csv", "--schema", "read.sps", "--output-delimiter", delimiter)
    sign = {"comma": ",", "semicolon": ";", "tab": "\t"}[delimiter]
    header, *rows = list(csv.reader((tmp_path / "out.csv").open(newline=""), delimiter=sign))
    syntax = (tmp_path / "read.sps").read_text() + "SAVE OUTFILE='read.sav'.\n"
    (tmp_path / "read.sps").write_text(syntax)
    done = subprocess.run(["pspp", "read.sps"], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    frame, meta = pyreadstat.read_sav(tmp_path / "read.sav")
    assert list(frame.columns) == header
    assert meta.column_names_to_labels["disease"] == 'What is "it"'
    for column, name in enumerate(header):
        found = frame[name].tolist()
        shown = [str(int(cell)) if isinstance(cell, float) else str(cell) for cell in found]
        assert shown == [row[column] for row in rows], name


def test_a_schema_that_cannot_be_is_refused(run, survey, tmp_path):
    (tmp_path / "spill").mkdir()
    for flags, told in [
        (["-o", "out.csv", "--schema", "out.yaml"], "ending .yaml"),
        (["-o", "out.parquet", "--schema", "out.json"], "types in itself"),
        (["-o", "out.csv", "--schema", "out.json", "--out-of-core", "spill"], "--out-of-core"),
    ]:
        assert told in run("anonymize", "in.sav", *HOW, *flags, code=2).stderr
        assert not (tmp_path / flags[1]).exists()


@pytest.mark.parametrize("name", ["out.parquet", "out.arrow"])
def test_out_of_core_writes_the_types_of_a_file_made_in_memory(run, hospital, tmp_path, name):
    hospital.to_csv(tmp_path / "in.csv", index=False)
    (tmp_path / "spill").mkdir()
    quasi = ",".join(hospital.columns[:3])
    how = ["anonymize", "in.csv", "--quasi", quasi, "--model", "k-anonymity", "--k", "3", "--seed", "1"]
    how += ["--missing-quasi", "value", "--out-of-core", "spill", "--block-rows", "200"]
    run(*how, "-o", "out.csv")
    run(*how, "-o", name, "--report", "report.json")
    header, *rows = cells(tmp_path / "out.csv")
    read = pyarrow.parquet.read_table if name.endswith("parquet") else pyarrow.feather.read_table
    table = read(tmp_path / name)
    assert table.column_names == header
    found = table.to_pylist()
    shown = lambda cell: "" if cell is None else str(cell)
    assert [[shown(row[column]) for column in header] for row in found] == rows
    assert str(table.schema.field("class").type) == "int64"
    checks = [check["name"] for check in json.loads((tmp_path / "report.json").read_text())["audit"]["checks"]]
    assert any("file" in str(check) or "WriteCheck" in json.dumps(check) for check in checks)


@pytest.mark.parametrize("ending", ["json", "sps", "do"])
def test_python_writes_the_schema_of_the_command_line(run, hospital, tmp_path, ending):
    release = la.anonymize(hospital, quasi=["sex", "age", "nights"], keep=["postcode"], k=5, loss="ncp", seed=1, effort=1)
    hospital.to_csv(tmp_path / "in.csv", index=False)
    (tmp_path / "settings.json").write_text(release.configuration, encoding="utf-8")
    run("anonymize", "in.csv", "--config", "settings.json", "--seed", "1", "-o", "out.csv", "--schema", f"out.{ending}")
    (tmp_path / "again").mkdir()
    release.save(tmp_path / "again/out.csv", schema=tmp_path / f"again/out.{ending}")
    for name in ("out.csv", f"out.{ending}"):
        assert (tmp_path / "again" / name).read_bytes() == (tmp_path / name).read_bytes()
    assert release.schema(ending, "out.csv") == (tmp_path / f"out.{ending}").read_text(encoding="utf-8")


def test_a_schema_that_cannot_be_is_refused_before_anything_is_written(people, tmp_path):
    people = people.assign(note="two\nlines")
    release = la.anonymize(people, quasi=["age", "sex"], keep=["note"], k=3, seed=1)
    with pytest.raises(la.SettingsError, match="json, sps or do, not \"yaml\""):
        release.save(tmp_path / "out.csv", schema=tmp_path / "out.yaml")
    with pytest.raises(la.TableError, match="line end within a cell of column 3"):
        release.save(tmp_path / "out.csv", schema=tmp_path / "out.sps")
    assert not list(tmp_path.iterdir())
