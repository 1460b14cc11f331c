"""Texts of fixed width, ODS workbooks and packed files with types, as the command line reads them, beside pandas."""

import gzip
import zipfile

import pandas
import pytest

from conftest import SAME

LAYOUT = "name start width\nrow 1 3\nsame 4 1\nage 6 3\nzip 9 5 text\ncity 15 8\n"
SPANS = {"row": (0, 3), SAME: (3, 4), "age": (5, 8), "zip": (8, 13), "city": (14, 22)}


def lines():
    rows = [("34", "01067", "Köln"), ("9", "10115", "Bonn, am"), ("", "", '"x"'), ("40", "00001", "")]
    return [f"{at:>3}x {age:>3}{code:<5} {city:<8}" for at, (age, code, city) in enumerate(rows)]


@pytest.mark.parametrize("encoding", ["utf-8", "windows-1252", "utf-16"])
def test_fixed_width_is_read_as_pandas_reads_it(cells, tmp_path, encoding):
    (tmp_path / "layout.txt").write_text(LAYOUT)
    (tmp_path / "in.txt").write_bytes(("\r\n".join(lines()) + "\r\n").encode(encoding))
    frame = pandas.read_fwf(
        tmp_path / "in.txt",
        colspecs=list(SPANS.values()),
        names=list(SPANS),
        dtype=str,
        keep_default_na=False,
        encoding=encoding,
    )
    names = ["age", "zip", "city"]
    assert cells("in.txt", names, "--layout", "layout.txt") == {name: list(frame[name]) for name in names}


def test_a_dictionary_of_stata_is_a_layout(cells, tmp_path):
    (tmp_path / "in.dct").write_text(
        "infile dictionary using in.raw {\n"
        "    _column(1)  int   row   %3f\n    str1 same %1s\n"
        '    _column(6)  byte  age   %3f  "Age in years"\n    str5 zip %5s\n'
        "    _column(15) str8  city  %8s\n}\n"
    )
    (tmp_path / "layout.txt").write_text(LAYOUT)
    (tmp_path / "in.txt").write_text("\n".join(lines()), encoding="utf-8")
    names = ["age", "zip", "city"]
    assert cells("in.txt", names, "--layout", "in.dct") == cells("in.txt", names, "--layout", "layout.txt")


def test_what_is_wrong_with_a_layout_is_said_with_its_place(run, tmp_path):
    (tmp_path / "in.txt").write_text("\n".join(lines()) + "\n  4x\n", encoding="utf-8")
    for layout, told in {
        "age 6 3\nzip nine 5\n": "line 2, character 5 of the layout",
        "infile dictionary {\n _column(1) age %5.2f\n}\n": "%5.2f is not supported in a dictionary",
        LAYOUT: 'line 5 of the file ends after 4 characters, before column "age", which begins at character 6',
    }.items():
        (tmp_path / "layout.txt").write_text(layout)
        assert told in run("describe", "in.txt", "--layout", "layout.txt", code=2).stderr
    run("describe", "in.txt", "--layout", "layout.txt", "--ragged", "pad")
    assert "--ragged pad" in run("describe", "in.txt", "--layout", "layout.txt", code=2).stderr
    assert "with a layout" in run("describe", "in.txt", "--layout", "layout.txt", "--delimiter", ";", code=2).stderr


def test_an_ods_workbook_is_read_as_pandas_reads_it(cells, run, tmp_path):
    pytest.importorskip("odf")
    frame = pandas.DataFrame(
        {
            "row": range(4),
            SAME: "x",
            "whole": [1, -2, 30_000_000, 0],
            "real": [0.5, -1.25, 1e15 + 0.5, 3.0],
            "text": ["ä & <b>", "two  blanks", "a\tb", "01067"],
            "day": pandas.to_datetime(["1999-12-31", "2024-02-29", "1960-01-01", "2000-01-01"]).date,
            "moment": pandas.to_datetime(["1999-12-31T23:59:59", "2024-02-29T12:30:00"] * 2),
            "truth": [True, False, True, False],
        }
    )
    with pandas.ExcelWriter(tmp_path / "in.ods", engine="odf") as book:
        pandas.DataFrame({"other": [1]}).to_excel(book, sheet_name="first", index=False)
        frame.to_excel(book, sheet_name="people & more", index=False)
    names = ["whole", "real", "text", "day", "moment", "truth"]
    read = pandas.read_excel(tmp_path / "in.ods", sheet_name="people & more", engine="odf")
    number = lambda value: str(value).removesuffix(".0").replace("1000000000000000.5", "1000000000000000.5")
    wanted = {
        "whole": [number(value) for value in read["whole"]],
        "real": [number(value) for value in read["real"]],
        "text": list(read["text"].astype(str)),
        "day": [str(pandas.Timestamp(value).date()) for value in read["day"]],
        "moment": [value.strftime("%Y-%m-%dT%H:%M:%S") for value in read["moment"]],
        "truth": ["TRUE" if value else "FALSE" for value in read["truth"]],
    }
    assert cells("in.ods", names, "--sheet", "people & more") == wanted
    assert 'workbook: ODS, sheet "first"' in run("describe", "in.ods").stderr
    assert "people & more" in run("describe", "in.ods", "--sheet", "none", code=2).stderr


def test_packed_files_with_types_are_read_as_they_are(cells, run, tmp_path):
    frame = pandas.DataFrame({"row": range(4), SAME: "x", "age": [1, 2, 3, 4], "zip": ["01067", "1", "", "2"]})
    frame.to_parquet(tmp_path / "in.parquet")
    frame.to_stata(tmp_path / "in.dta", write_index=False)
    for name in ("in.parquet", "in.dta"):
        wanted = cells(name, ["age", "zip"])
        content = (tmp_path / name).read_bytes()
        (tmp_path / "in.gz").write_bytes(gzip.compress(content))
        assert cells("in.gz", ["age", "zip"]) == wanted
        with zipfile.ZipFile(tmp_path / "in.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("a/" + name, content)
            archive.writestr("readme.txt", "x")
        assert cells("in.zip", ["age", "zip"], "--member", "a/" + name) == wanted
        assert "--member" in run("describe", "in.zip", code=2).stderr
        (tmp_path / "cut.gz").write_bytes(gzip.compress(content)[:-20])
        assert "gzip" in run("describe", "cut.gz", code=2).stderr
