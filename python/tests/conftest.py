"""Frames and files that the tests share."""

import csv
import datetime
import os
import shutil
import subprocess
from pathlib import Path

import pandas
import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def people():
    return pandas.DataFrame(
        {
            "age": [34, 36, 35, 61, 58, 64],
            "sex": ["f", "f", "m", "m", "m", "f"],
            "disease": ["flu", "hiv", "flu", "asthma", "flu", "hiv"],
        }
    )


@pytest.fixture
def hospital():
    frame = pandas.read_csv(ROOT / "samples/hospital.csv", dtype={"postcode": str}, na_values="?")
    return frame.dropna().astype({"age": int, "nights": int})


@pytest.fixture(scope="session")
def program():
    """The command line."""
    found = os.environ.get("LOOKALIKE_BIN") or shutil.which("lookalike")
    if not found:
        pytest.skip("the command line is not built (LOOKALIKE_BIN)")
    return found


#: All rows have this cell, so that any two of them are a class.
SAME = "same"


@pytest.fixture
def run(program, tmp_path):
    """Runs the command line in a folder of the test."""

    def run(*args, code=0):
        done = subprocess.run([program, *args], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == code, done.stderr
        return done

    return run


@pytest.fixture
def cells(run, tmp_path):
    """The cells of a file as the command line reads them: a list for each column, in the order of the column `row`."""

    def cells(name, columns, *flags):
        others = ",".join(f'"{column}"' for column in columns)
        run(
            *("anonymize", name, "--quasi", SAME, "--unchanged", f"row,{others}", "--model", "k-anonymity"),
            *("--k", "2", "--seed", "1", "--effort", "0", "-o", "cells.csv", *flags),
        )
        with open(tmp_path / "cells.csv", newline="", encoding="utf-8") as file:
            # What is published is separated as what was read.
            rows = list(csv.DictReader(file, delimiter="\t" if name.endswith(".tsv") else ","))
        rows.sort(key=lambda row: int(float(row["row"])))
        return {column: [row[column] for row in rows] for column in columns}

    return cells


def text(value):
    """A value of Python as a cell."""
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case datetime.datetime():
            return value.strftime("%Y-%m-%dT%H:%M:%S")
        case datetime.date():
            return value.isoformat()
        case datetime.time():
            return value.strftime("%H:%M:%S")
        case float():
            return "" if value != value else repr(value).replace("e+", "e")
        case _:
            return str(value)
