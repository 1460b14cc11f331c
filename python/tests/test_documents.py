"""What documents show is run: the examples of docstrings, the README, the notebook; the table of names is complete."""

import contextlib
import doctest
import importlib
import io
import json
import re
import subprocess

import pandas
import pytest

import lookalike as la
from conftest import ROOT
from lookalike import _core

MODULES = ["lookalike", *(f"lookalike.{name}" for name in ("_arguments", "_ask", "_attacks", "_release", "_series", "_solve", "errors", "sklearn"))]


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_docstrings(name, people, patients):
    shared = {public: getattr(la, public) for public in la.__all__} | {"people": people, "patients": patients}
    found = doctest.testmod(importlib.import_module(name), extraglobs=shared)
    assert found.failed == 0 and (found.attempted > 0 or name == "lookalike._series")


@pytest.fixture
def patients():
    diseases = ["flu", "asthma", "flu", "gout", "asthma", "gout"]
    return pandas.DataFrame({"name": list("abcdef"), "age": [30, 41, 35, 52, 38, 60], "disease": diseases})


# Documents whose Python blocks are run.
RUN = {"python/README.md", "docs/python.md", "docs/tutorials/research.md"}


def blocks(text):
    """Each Python block, and the block of text directly below it, which is what it prints."""
    return re.findall(r"```python\n(.*?)```(?:\n\n```text\n(.*?)```)?", text, flags=re.DOTALL)


@pytest.mark.parametrize("document", sorted(RUN))
def test_examples_of_documents(document, monkeypatch, tmp_path):
    (tmp_path / "samples").symlink_to(ROOT / "samples")
    monkeypatch.chdir(tmp_path)
    names = {}
    found = blocks((ROOT / document).read_text(encoding="utf-8"))
    assert found
    for block, shown in found:
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(compile(block, document, "exec"), names)
        assert not shown or printed.getvalue() == shown


def test_no_document_has_blocks_that_are_not_run():
    documents = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    with_blocks = {path.relative_to(ROOT).as_posix() for path in documents if "```python" in path.read_text(encoding="utf-8")}
    assert with_blocks <= RUN


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


def names():
    """The rows of the table of names: flag, property, argument, field of a job."""
    text = (ROOT / "docs/interfaces.md").read_text(encoding="utf-8")
    rows = [line for line in text.splitlines() if re.match(r"\| (`--|a condition|\|| )", line)]
    return text, [[cell.strip() for cell in line[1:-1].split("|")] for line in rows]


def test_the_table_of_names_has_every_setting():
    _, rows = names()
    settings, _ = _core.names()
    arguments = {name for row in rows for name in re.findall(r"`(\w+)`", row[2])}
    # Each property of a configuration is an argument of the same name, but for those that have a shorter way.
    shorter = {"model": {"k", "m"}, "budget": {"effort", "time_limit"}}
    for setting in settings:
        assert shorter.get(setting, {setting}) <= arguments, f"docs/interfaces.md lacks {setting}"
    further = {"k", "m", "effort", "time_limit", "seed", "identifiers", "threads", "config"}
    assert arguments <= {*settings, *further}


def test_the_table_of_names_has_the_arguments_that_messages_name():
    _, rows = names()
    otherwise = dict(_core.names()[1])
    flags = [row for row in rows if row[0].startswith("`--")]
    assert set(otherwise) <= {row[0].strip("`-") for row in flags}
    for flag, _, argument, _ in flags:
        name = flag.strip("`").removeprefix("--")
        expected = "k` or `m" if name == "model" else otherwise.get(name, name.replace("-", "_"))
        assert argument == f"`{expected}`", flag


def test_the_table_of_names_has_every_flag(program):
    text, _ = names()
    said = subprocess.run([program, "anonymize", "--help"], capture_output=True, text=True, check=True).stdout
    flags = re.findall(r"^ +(?:-\w, )?(--[a-z-]+)", said, flags=re.MULTILINE)
    assert len(flags) > 80
    assert [flag for flag in flags if f"`{flag}`" not in text and flag not in ("--help", "--version")] == []


def test_the_table_of_names_has_every_field_of_a_job():
    text, rows = names()
    api = json.loads((ROOT / "docs/openapi.json").read_text(encoding="utf-8"))
    fields = set(api["components"]["schemas"]["Job"]["properties"])
    named = {name for row in rows for name in re.findall(r"`(\w+)`", row[3])}
    assert named <= fields
    assert {field for field in fields - named if f"`{field}`" not in text.rpartition("Of a\njob alone")[2]} == set()


def commands():
    """The lines of the command line that documents show in blocks, with what follows a backslash: document, command, flags."""
    documents = [ROOT / "README.md", ROOT / "python/README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    for path in documents:
        text = re.sub(r"\\\n\s*", "", path.read_text(encoding="utf-8"))
        for command, rest in re.findall(r"^(?: {4}|\$ | {4}\$ )?lookalike ([a-z]+)(?= |$)(.*)$", text, flags=re.MULTILINE):
            if (command, rest) == ("chain", " 1"):
                continue  # The first line of what a link of a series is computed from.
            yield path.relative_to(ROOT).as_posix(), command, re.findall(r"(?<= )--[a-z][a-z-]*", rest.split(" # ")[0])


def test_commands_of_documents_have_flags_that_exist(program):
    shown = list(commands())
    assert len(shown) > 30
    known = {}
    for document, command, flags in shown:
        if command not in known:
            said = subprocess.run([program, command, "--help"], capture_output=True, text=True, check=True).stdout
            known[command] = set(re.findall(r"--[a-z][a-z-]*", said))
        assert set(flags) <= known[command], f"{document}: lookalike {command}"
