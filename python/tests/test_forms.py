"""Files whose columns have types, as the command line reads and writes them, beside pyarrow, pandas and pyreadstat."""

import csv
import datetime
import decimal
import io
import json
import re
import shlex

import pandas
import pyarrow
import pyarrow.feather
import pyarrow.parquet
import pytest

from conftest import SAME, text

pyreadstat = pytest.importorskip("pyreadstat")

def published(folder):
    """The lines of the published table without its class labels, sorted."""
    return sorted(line.rpartition(",")[0] for line in (folder / "out.csv").read_text().splitlines())


def framed(columns):
    """Columns with the two that every test has."""
    rows = len(next(iter(columns.values())))
    return {"row": pyarrow.array(range(rows), pyarrow.int64()), SAME: pyarrow.array(["x"] * rows), **columns}


def every_type():
    """A column of each type that has a text, with its extremes, a null and texts that look like something else."""
    moments = [datetime.datetime(1969, 12, 31, 23, 59, 59), datetime.datetime(2024, 2, 29, 12, 30), None]
    days = [datetime.date(1899, 12, 31), datetime.date(2024, 2, 29), None]
    clocks = [datetime.time(0, 0, 1), datetime.time(23, 59, 59), None]
    money = [decimal.Decimal("-1.50"), decimal.Decimal("20.00"), None]
    texts = ["a,b", 'say "ä"\nB', None]
    columns = {
        "truth": pyarrow.array([True, False, None]),
        "f32": pyarrow.array([0.5, -1.25, None], pyarrow.float32()),
        "f64": pyarrow.array([0.1, 1234.5, None]),
        "money": pyarrow.array(money, pyarrow.decimal128(9, 2)),
        "wide": pyarrow.array(money, pyarrow.decimal256(50, 2)),
        "text": pyarrow.array(texts),
        "large": pyarrow.array(texts, pyarrow.large_string()),
        "zip": pyarrow.array(["01067", "10115", ""]),
        "label": pyarrow.array(["c", "d", None]).dictionary_encode(),
        "day": pyarrow.array(days),
        "clock": pyarrow.array(clocks, pyarrow.time64("us")),
        "clock32": pyarrow.array(clocks, pyarrow.time32("s")),
        "gone": pyarrow.array([None, None, None], pyarrow.string()),
    }
    for bits in (8, 16, 32, 64):
        signed, unsigned = getattr(pyarrow, f"int{bits}")(), getattr(pyarrow, f"uint{bits}")()
        columns[f"i{bits}"] = pyarrow.array([-(2 ** (bits - 1)), 2 ** (bits - 1) - 1, None], signed)
        columns[f"u{bits}"] = pyarrow.array([0, 2**bits - 1, None], unsigned)
    for unit in ("ms", "us", "ns"):
        columns[f"at_{unit}"] = pyarrow.array(moments, pyarrow.timestamp(unit))
    return columns


def expected(columns):
    return {name: [text(value) for value in column.to_pylist()] for name, column in columns.items()}


PARQUET = {
    "plain": {"compression": "none", "use_dictionary": False},
    "snappy": {"compression": "snappy"},
    "gzip": {"compression": "gzip", "data_page_version": "2.0"},
    "zstd": {"compression": "zstd"},
    "zstd2": {"compression": "zstd", "data_page_version": "2.0", "use_dictionary": False},
    "lz4": {"compression": "lz4", "row_group_size": 1},
    "old": {"compression": "snappy", "version": "1.0", "use_deprecated_int96_timestamps": True},
    "foreign": {"compression": "zstd", "store_schema": False, "row_group_size": 2},
}


@pytest.mark.parametrize("how", PARQUET)
def test_parquet_is_read_as_pyarrow_reads_it(cells, tmp_path, how):
    columns = every_type()
    pyarrow.parquet.write_table(pyarrow.table(framed(columns)), tmp_path / "in.parquet", **PARQUET[how])
    read = pyarrow.parquet.read_table(tmp_path / "in.parquet")
    assert cells("in.parquet", list(columns)) == expected({name: read[name] for name in columns})


@pytest.mark.parametrize("how", ["file", "lz4", "stream"])
def test_arrow_is_read_as_pyarrow_reads_it(cells, tmp_path, how):
    columns = every_type()
    table = pyarrow.table(framed(columns))
    if how == "stream":
        with pyarrow.ipc.new_stream(tmp_path / "in.arrow", table.schema) as stream:
            stream.write_table(table, max_chunksize=2)
    else:
        packed = "lz4" if how == "lz4" else "uncompressed"
        pyarrow.feather.write_feather(table, tmp_path / "in.arrow", compression=packed)
    assert cells("in.arrow", list(columns)) == expected(columns)


def test_numbers_and_moments_are_short_where_no_cell_needs_more(cells, tmp_path):
    columns = {
        "whole": pyarrow.array([1.0, None, -20.0]),
        "half": pyarrow.array([1.0, float("nan"), 0.5]),
        "midnight": pyarrow.array([datetime.datetime(1960, 1, 1), None, datetime.datetime(2000, 1, 1)]),
    }
    pyarrow.parquet.write_table(pyarrow.table(framed(columns)), tmp_path / "in.parquet", row_group_size=1)
    assert cells("in.parquet", list(columns)) == {
        "whole": ["1", "", "-20"],
        "half": ["1.0", "", "0.5"],
        "midnight": ["1960-01-01", "", "2000-01-01"],
    }


def test_only_the_columns_that_are_used_are_read(cells, run, tmp_path):
    columns = {f"c{at}": pyarrow.array([at, at + 1]) for at in range(5_000)}
    columns["tags"] = pyarrow.array([["a"], ["b"]])
    pyarrow.parquet.write_table(pyarrow.table(framed(columns)), tmp_path / "in.parquet")
    assert cells("in.parquet", ["c4999", "c0"]) == {"c4999": ["4999", "5000"], "c0": ["0", "1"]}
    told = run("describe", "in.parquet", code=2).stderr
    assert 'column "tags" is of the Arrow type List' in told and "remove it" in told


@pytest.mark.parametrize("version", [114, 117, 118, 119])
def test_stata_is_read_as_pandas_reads_it(cells, tmp_path, version):
    frame = pandas.DataFrame(
        {
            "row": range(4),
            SAME: "x",
            "small": pandas.array([1, -127, 100, None], dtype="Int8"),
            "whole": pandas.array([1, 32_740, -32_767, None], dtype="Int16"),
            "wide": pandas.array([2_147_483_620, -5, None, 0], dtype="Int32"),
            "single": pandas.Series([0.5, -1.25, None, 3.0], dtype="float32"),
            "real": [0.1, None, 1e300, -2.5],
            "text": ["ä" if version > 117 else "\xe4", "b, c", "", 'q"'],
            "day": pandas.to_datetime(["1959-12-31", "2024-02-29", None, "1960-01-01"]),
            "moment": pandas.to_datetime(["1959-12-31T23:59:59", "2024-02-29T12:30:00", None, "1970-01-01T00:00:00"]),
            "month": pandas.to_datetime(["1959-12-01", "2024-02-01", None, "1960-01-01"]),
            "group": pandas.Categorical(["low", "high", None, "low"], categories=["low", "high"]),
        }
    )
    strls = {"convert_strl": ["text"]} if version >= 117 else {}
    kinds = {"day": "td", "moment": "tc", "month": "tm"}
    labels = {"text": "What they said", "group": "Income"}
    frame.to_stata(
        tmp_path / "in.dta", version=version, write_index=False, convert_dates=kinds, variable_labels=labels, **strls
    )
    read = pandas.read_stata(tmp_path / "in.dta", preserve_dtypes=True)
    wanted = {}
    for name in ("small", "whole", "wide"):
        wanted[name] = ["" if value != value else str(int(value)) for value in read[name]]
    for name in ("single", "real"):
        wanted[name] = [text(float(value)) for value in read[name]]
    wanted["text"] = list(read["text"])
    wanted["day"] = ["" if at is pandas.NaT else at.strftime("%Y-%m-%d") for at in read["day"]]
    wanted["moment"] = ["" if at is pandas.NaT else at.strftime("%Y-%m-%dT%H:%M:%S") for at in read["moment"]]
    wanted["month"] = ["" if at is pandas.NaT else at.strftime("%Y-%m") for at in read["month"]]
    wanted["group"] = ["" if value != value else value for value in read["group"]]
    assert cells("in.dta", list(wanted)) == wanted


def test_stata_names_what_is_declared_missing(run, tmp_path):
    frame = pandas.DataFrame({"row": [1.0, 2.0, 3.0, 4.0], SAME: "x", "income": [100.0, "a", "a", 200.0]})
    pyreadstat.write_dta(
        frame, tmp_path / "in.dta", missing_user_values={"income": ["a"]}, column_labels={"income": "Euro a month"}
    )
    told = run(
        *("anonymize", "in.dta", "--quasi", SAME, "--unchanged", "income", "--model", "k-anonymity", "--k", "2"),
        *("-o", "out.csv", "--seed", "1"),
    ).stderr
    assert "codes that the file declares missing: '.a' in \"income\", 2 cells" in told
    assert "\"income\" = 'Euro a month'" in told
    assert published(tmp_path) == ["same,income", "x,", "x,", "x,100", "x,200"]


SPSS = {
    "plain.sav": {},
    "packed.sav": {"row_compress": True},
    "packed.zsav": {"compress": True},
}


@pytest.mark.parametrize("name", SPSS)
def test_spss_is_read_as_pyreadstat_reads_it(cells, tmp_path, name):
    rows = 3_000
    long, longer = "ä" * 200, "x" * 600
    frame = pandas.DataFrame(
        {
            "row": [float(row) for row in range(rows)],
            SAME: "x",
            "whole": [float(row % 300 - 120) for row in range(rows)],
            "real": [row / 7 for row in range(rows)],
            "gone": [None if row % 3 else float(row) for row in range(rows)],
            "text": ["" if row % 5 == 0 else f"ö{row}, b" for row in range(rows)],
            "a_name_of_more_than_eight": [long if row % 2 else "short" for row in range(rows)],
            "longer": [longer + str(row) for row in range(rows)],
            "day": [datetime.date(1950, 1, 1) + datetime.timedelta(days=row) for row in range(rows)],
            "moment": [datetime.datetime(1999, 12, 31, 23, 59, 59) + datetime.timedelta(hours=row) for row in range(rows)],
            "sex": [float(1 + row % 3) for row in range(rows)],
        }
    )
    pyreadstat.write_sav(
        frame, tmp_path / name, variable_value_labels={"sex": {1: "male", 2: "female"}}, **SPSS[name]
    )
    read, _ = pyreadstat.read_sav(tmp_path / name, apply_value_formats=True, formats_as_category=False)
    real = lambda values: ["" if value != value else text(float(value)) for value in values]
    short = lambda values: ["" if value != value else str(int(value)) for value in values]
    wanted = {
        "whole": short(read["whole"]),
        "real": real(read["real"]),
        "gone": short(read["gone"]),
        "text": list(read["text"]),
        "a_name_of_more_than_eight": list(read["a_name_of_more_than_eight"]),
        "longer": list(read["longer"]),
        "day": [at.isoformat() for at in read["day"]],
        "moment": [at.strftime("%Y-%m-%dT%H:%M:%S") for at in read["moment"]],
        "sex": [value if isinstance(value, str) else str(int(value)) for value in read["sex"]],
    }
    assert cells(name, list(wanted)) == wanted


def test_spss_names_what_is_declared_missing(run, tmp_path):
    frame = pandas.DataFrame({SAME: "x", "age": [30.0, 999.0, 998.0, 40.0, -3.0], "sex": ["f", "9", "m", "f", "9"]})
    pyreadstat.write_sav(
        frame,
        tmp_path / "in.sav",
        missing_ranges={"age": [{"lo": 998, "hi": 999}, -3], "sex": ["9"]},
        variable_value_labels={"age": {999: "refused"}, "sex": {"f": "female", "m": "male"}},
        column_labels={"age": "Age in years"},
    )
    told = run(
        *("anonymize", "in.sav", "--quasi", SAME, "--unchanged", "age,sex", "--model", "k-anonymity", "--k", "5"),
        *("-o", "out.csv", "--seed", "1"),
    ).stderr
    assert "codes that the file declares missing: '-3', '998', '999 refused' in \"age\", 3 cells" in told
    assert "codes that the file declares missing: '9' in \"sex\", 2 cells" in told
    assert 'labels from the file in place of codes: "sex", 3 cells' in told and "\"age\" = 'Age in years'" in told
    assert published(tmp_path) == ["same,age,sex", "x,,", "x,,", "x,,male", "x,30,female", "x,40,female"]


def people_with_weights():
    return pandas.DataFrame(
        {
            "age": [float(18 + row % 40) for row in range(120)],
            "sex": ["f" if row % 2 else "m" for row in range(120)],
            "design": [10.5 + row % 7 for row in range(120)],
        }
    )


def weighs(run, folder, name, column):
    """That `describe` proposes the column that the file weights by, that its line runs, and that nothing else does."""
    about = json.loads(run("describe", name, "--json").stdout)
    [found] = [of for of in about["columns"] if of.get("weight")]
    assert found["name"] == column and found["suggestion"]["role"] == "unchanged"
    assert f"--sampling-weight {column} " in about["anonymize"]
    [note] = [note for note in about["notes"] if note.startswith("The file weights its rows by")]
    assert f"--sampling-weight {column} publishes it as it is" in note
    shown = run("describe", name)
    assert re.search(rf"^{column} .* sampling weight \(probably\) .*the file weights its rows by it", shown.stdout, re.M)
    assert f'sampling weight: the file weights its rows by column "{column}"' in shown.stderr
    line = shlex.split(about["anonymize"].replace("OUT.csv", "out.csv"))
    assert line[0] == "lookalike"
    run(*line[1:], "--seed", "1", "--effort", "0", "--report", "report.json")
    assert json.loads((folder / "report.json").read_text())["sample"]["weight"] == column
    # A line without the flag publishes none.
    run("anonymize", name, "--quasi", "age,sex", "--model", "k-anonymity", "--k", "2", "--effort", "0", "-o", "none.csv")
    assert column not in (folder / "none.csv").read_text().splitlines()[0]


@pytest.mark.parametrize("name", SPSS)
def test_the_weight_of_spss_is_proposed(run, tmp_path, name):
    frame = people_with_weights()
    pyreadstat.write_sav(frame, tmp_path / name, **SPSS[name])
    assert not any(of.get("weight") for of in json.loads(run("describe", name, "--json").stdout)["columns"])
    # The header names the piece of 8 bytes of a row that holds the weight, from 1 on: each text here has one.
    content = bytearray((tmp_path / name).read_bytes())
    content[76:80] = (3).to_bytes(4, "little")
    (tmp_path / name).write_bytes(content)
    read, _ = pyreadstat.read_sav(tmp_path / name)
    assert list(read["design"]) == list(frame["design"])
    weighs(run, tmp_path, name, "design")


def test_a_weight_that_cannot_be_one_is_named_and_not_proposed(run, tmp_path):
    frame = people_with_weights()
    frame.loc[5, "design"] = 0.0
    pyreadstat.write_sav(frame, tmp_path / "in.sav")
    content = bytearray((tmp_path / "in.sav").read_bytes())
    content[76:80] = (3).to_bytes(4, "little")
    (tmp_path / "in.sav").write_bytes(content)
    about = json.loads(run("describe", "in.sav", "--json").stdout)
    assert "--sampling-weight" not in about["anonymize"]
    assert any('by "design", which the command leaves out' in note for note in about["notes"])


def with_characteristic(content, name, value):
    """A file of Stata from release 117 on with one more characteristic of its data set; the places behind it are moved."""
    width = 129 if b"<release>118" in content or b"<release>119" in content else 33
    pad = lambda text: text.encode().ljust(width, b"\0")
    said = pad("_dta") + pad(name) + value.encode() + b"\0"
    more = b"<ch>" + len(said).to_bytes(4, "little") + said + b"</ch>"
    at = content.index(b"<characteristics>") + len(b"<characteristics>")
    begin = content.index(b"<map>") + len(b"<map>")
    places = [int.from_bytes(content[begin + 8 * i : begin + 8 * i + 8], "little") for i in range(14)]
    moved = b"".join((place + len(more) * (place >= at)).to_bytes(8, "little") for place in places)
    return content[:begin] + moved + content[begin + 112 : at] + more + content[at:]


@pytest.mark.parametrize("release", [117, 118])
def test_the_weight_that_svyset_names_is_proposed(run, tmp_path, release):
    frame = people_with_weights()
    frame.to_stata(tmp_path / "in.dta", write_index=False, version=release)
    content = (tmp_path / "in.dta").read_bytes()
    assert b"<byteorder>LSF" in content
    (tmp_path / "in.dta").write_bytes(with_characteristic(content, "_svy_wvar", "design"))
    assert list(pandas.read_stata(tmp_path / "in.dta")["design"]) == list(frame["design"])
    weighs(run, tmp_path, "in.dta", "design")
    # Of a column that is not there, nothing is said.
    (tmp_path / "in.dta").write_bytes(with_characteristic(content, "_svy_wvar", "gone"))
    assert not any(of.get("weight") for of in json.loads(run("describe", "in.dta", "--json").stdout)["columns"])


@pytest.mark.parametrize("name", ["out.parquet", "out.arrow", "out.jsonl", "out.dta"])
def test_what_is_written_is_read_by_others_as_the_csv(run, hospital, tmp_path, name):
    hospital.to_csv(tmp_path / "in.csv", index=False)
    how = [
        *("anonymize", "in.csv", "--quasi", "age,postcode,nights", "--sensitive", "diagnosis", "--model", "m-invariance"),
        *("--m", "2", "--publish", "min-max", "--seed", "1", "--eligibility", "hybrid"),
    ]
    run(*how, "-o", "out.csv")
    run(*how, "-o", name, "--report", "report.json")
    report = json.loads((tmp_path / "report.json").read_text())
    assert any("read back by a public decoder" in json.dumps(check) for check in report["audit"]["checks"])
    with open(tmp_path / "out.csv", newline="", encoding="utf-8") as file:
        names, *rows = list(csv.reader(file))
    if name.endswith("jsonl"):
        read = [json.loads(line) for line in (tmp_path / name).read_text().splitlines()]
        assert [list(row) for row in read] == [names] * len(rows)
        found = [[text(value) for value in row.values()] for row in read]
    elif name.endswith("dta"):
        frame, about = pyreadstat.read_dta(tmp_path / name)
        assert list(frame.columns) == names and set(about.column_labels) <= {None, ""}
        whole = {at for at, kind in about.readstat_variable_types.items() if kind == "int32"}
        assert {"age_min", "nights_max"} <= whole and "postcode_min" not in whole
        found = [[text(value) for value in row] for row in frame.itertuples(index=False)]
        shown = lambda cell: cell.removesuffix(".0")
        found, rows = [list(map(shown, row)) for row in found], [list(map(shown, row)) for row in rows]
    else:
        reader = pyarrow.parquet.read_table if name.endswith("parquet") else pyarrow.feather.read_table
        table = reader(tmp_path / name)
        assert table.column_names == names
        found = [[text(value) for value in row.values()] for row in table.to_pylist()]
        assert table.schema.field("age_min").type == pyarrow.int64()
    assert found == rows
    # Read by this program again, it is the same table.
    again = run("describe", name, "--json").stdout
    assert json.loads(again)["rows"] == len(rows)


def test_what_cannot_be_read_is_said_with_the_way_out(run, tmp_path):
    table = pyarrow.table({"age": [1, 2, 3], "sex": ["f", "m", "f"]})
    parquet, arrow, stream, sav = io.BytesIO(), io.BytesIO(), io.BytesIO(), tmp_path / "in.sav"
    pyarrow.parquet.write_table(table, parquet)
    pyarrow.feather.write_feather(table, arrow, compression="zstd")
    with pyarrow.ipc.new_stream(stream, table.schema) as writer:
        writer.write_table(table)
    frame = table.to_pandas()
    pyreadstat.write_sav(frame, sav)
    frame.to_stata(tmp_path / "in.dta", write_index=False)
    pyarrow.parquet.write_table(table, tmp_path / "brotli.parquet", compression="brotli")
    files = {
        "cut.parquet": (parquet.getvalue()[:-10], "the Parquet file is damaged"),
        "zstd.arrow": (arrow.getvalue(), "packed by Zstandard, which is not read here: write it with LZ4"),
        "cut.arrow": (arrow.getvalue()[:-10], "the Arrow file is damaged"),
        "cut.arrows": (stream.getvalue()[:200], "the Arrow stream is damaged"),
        "cut.sav": (sav.read_bytes()[:-3], "the SPSS file is damaged"),
        "cut.dta": ((tmp_path / "in.dta").read_bytes()[:300], "the Stata file is damaged"),
        "brotli.parquet": (None, "packed by Brotli, which is not read here"),
        "locked.parquet": (b"PARE\x15\0\0\0", "the Parquet file is encrypted"),
        "locked.sav": (b"\x1c" + bytes(7) + b"ENCRYPTEDSAV" + bytes(99), "the SPSS file is encrypted: decrypt it"),
        "wrong.parquet": (b"PAR2" + parquet.getvalue()[4:], "binary data, not text"),
        "newer.dta": (b"<stata_dta><header><release>129</release>", "the Stata file is of version 129, which is not read here"),
    }
    for name, (content, told) in files.items():
        if content is not None:
            (tmp_path / name).write_bytes(content)
        assert told in run("describe", name, code=2).stderr, name
    (tmp_path / "in.parquet").write_bytes(parquet.getvalue())
    for flags in (["--delimiter", ";"], ["--header", "no"], ["--skip-rows", "1"], ["--sheet", "a"]):
        assert "has columns with names and types" in run("describe", "in.parquet", *flags, code=2).stderr


def test_an_ending_that_no_form_has_is_refused(run, people, tmp_path):
    people.to_csv(tmp_path / "in.csv", index=False)
    how = ["anonymize", "in.csv", "--quasi", "age,sex", "--model", "k-anonymity", "--k", "2", "--seed", "1"]
    for name in ("out.sav", "out.xls", "out.json"):
        told = run(*how, "-o", name, code=2).stderr
        assert "has the ending" in told and ".parquet" in told and not (tmp_path / name).exists()
    for name in ("out", "OUT.TXT"):
        run(*how, "-o", name)
        assert (tmp_path / name).read_text().startswith("age,")


def test_a_tsv_is_separated_by_tabs(run, people, tmp_path):
    people.to_csv(tmp_path / "in.csv", index=False)
    how = ["anonymize", "in.csv", "--quasi", "age,sex", "--model", "k-anonymity", "--k", "2", "--seed", "1"]
    run(*how, "-o", "out.csv")
    run(*how, "-o", "OUT.TSV")
    read = lambda name, delimiter: list(csv.reader((tmp_path / name).open(newline=""), delimiter=delimiter))
    assert read("OUT.TSV", "\t") == read("out.csv", ",")
    told = run(*how, "-o", "out.tsv", "--output-delimiter", "comma", code=2).stderr
    assert ".tsv is separated by tabs" in told


def test_one_row_and_no_row(run, tmp_path):
    for rows in (0, 1):
        table = pyarrow.table({"age": list(range(rows)), "sex": ["f"] * rows})
        pyarrow.parquet.write_table(table, tmp_path / "in.parquet")
        pyarrow.feather.write_feather(table, tmp_path / "in.arrow")
        table.to_pandas().to_stata(tmp_path / "in.dta", write_index=False)
        pyreadstat.write_sav(table.to_pandas(), tmp_path / "in.sav")
        for name in ("in.parquet", "in.arrow", "in.dta", "in.sav"):
            told = run("describe", name, "--json", code=0 if rows else 2)
            if rows:
                assert json.loads(told.stdout)["rows"] == 1
            else:
                assert "no row of data" in told.stderr
