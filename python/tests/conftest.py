"""Frames that the tests share."""

import os
import shutil
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
