"""What documents show is run: the examples of docstrings, the README, the notebook; the table of names is complete."""

import doctest
import importlib
import json
import re

import pandas
import pytest

import lookalike as la
from conftest import ROOT
from lookalike import _core

MODULES = ["lookalike", *(f"lookalike.{name}" for name in ("_arguments", "_ask", "_release", "_series", "_solve", "errors"))]


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_docstrings(name, people, patients):
    shared = {public: getattr(la, public) for public in la.__all__} | {"people": people, "patients": patients}
    found = doctest.testmod(importlib.import_module(name), extraglobs=shared)
    assert found.failed == 0 and (found.attempted > 0 or name == "lookalike._series")


@pytest.fixture
def patients():
    diseases = ["flu", "asthma", "flu", "gout", "asthma", "gout"]
    return pandas.DataFrame({"name": list("abcdef"), "age": [30, 41, 35, 52, 38, 60], "disease": diseases})


def blocks(text):
    return re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)


@pytest.mark.parametrize("document", ["python/README.md", "docs/python.md"])
def test_examples_of_documents(document, monkeypatch, tmp_path):
    (tmp_path / "samples").symlink_to(ROOT / "samples")
    monkeypatch.chdir(tmp_path)
    names = {}
    found = blocks((ROOT / document).read_text(encoding="utf-8"))
    assert found
    for block in found:
        exec(compile(block, document, "exec"), names)


def test_the_notebook_runs_from_file_to_statement(monkeypatch, tmp_path):
    notebook = json.loads((ROOT / "docs/examples/hospital.ipynb").read_text(encoding="utf-8"))
    (tmp_path / "samples").symlink_to(ROOT / "samples")
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    (tmp_path / "work" / "samples").symlink_to(ROOT / "samples")
    names = {}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), "hospital.ipynb", "exec"), names)
    assert names["release"].audit["passed"] and (tmp_path / "work" / "statement.html").is_file()


def test_the_table_of_names_has_every_setting():
    text = (ROOT / "docs/interfaces.md").read_text(encoding="utf-8")
    settings, otherwise = _core.names()
    rows = [[cell.strip().strip("`") for cell in line.strip("|\n").split("|")] for line in text.splitlines() if line.startswith("| `")]
    arguments = {row[2] for row in rows}
    # Each property of a configuration is an argument of the same name, but for those that have a shorter way.
    shorter = {"model": {"k", "m"}, "budget": {"effort", "time_limit"}}
    for setting in settings:
        assert shorter.get(setting, {setting}) <= arguments, f"docs/interfaces.md lacks {setting}"
    of_flag = {row[0].lstrip("-").split(" ")[0]: row[2] for row in rows}
    for flag, argument in otherwise:
        assert of_flag[flag] == argument, flag
