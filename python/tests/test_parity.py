"""The same table, kinds, seed and effort give the same bytes through Python and through the command line."""

import json
import subprocess

import pandas
import pytest

import lookalike as la

RUNS = [
    {"quasi": ["sex", "age", "postcode"], "sensitive": "diagnosis", "m": 3},
    {"quasi": ["sex", "age", "nights"], "k": 5, "loss": "ncp", "publish": "set"},
    {"quasi": ["age", "nights"], "keep": ["sex"], "k": 4, "method": {"name": "decompose", "blocks": 2}},
    {
        "quasi": ["sex", "age"],
        "sensitive": "diagnosis",
        "k": 6,
        "conditions": [{"name": "t-closeness", "t": 0.4}],
        "unchanged": ["nights"],
        "weights": {"sex": 0.25, "age": 0.75},
    },
]


def by_command_line(program, folder, frame, release, seed):
    """Published bytes, report and private record of the command line, asked for the same."""
    frame.to_csv(folder / "in.csv", index=False)
    (folder / "settings.json").write_text(release.configuration, encoding="utf-8")
    files = {flag: folder / f"{flag}.txt" for flag in ("output", "report", "private", "classes")}
    command = [program, "anonymize", folder / "in.csv", "--config", folder / "settings.json", "--seed", str(seed)]
    for flag, file in files.items():
        command += [f"--{flag}", file]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return {flag: file.read_bytes() for flag, file in files.items()}


def timeless(record):
    """A report without what differs from run to run: times, and the salt of the source's digest."""
    record = json.loads(record) if isinstance(record, bytes) else dict(record)
    record.pop("seconds", None)
    record.pop("source", None)
    return record


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.get("loss", "-".join(run)))
def test_bytes_are_those_of_the_command_line(program, tmp_path, hospital, run):
    release = la.anonymize(hospital, seed=7, effort=1, **run)
    written = by_command_line(program, tmp_path, hospital, release, 7)
    assert written["output"] == release.csv
    assert written["classes"] == release.classes.csv
    assert timeless(written["report"]) == timeless(release.report)


def test_dates_fractions_and_gaps_cross_as_a_csv_has_them(program, tmp_path):
    rows = 60
    frame = pandas.DataFrame(
        {
            "born": pandas.date_range("1950-03-01", periods=rows, freq="211D"),
            "weight": [50 + (7 * i % 45) / 4 for i in range(rows)],
            "smokes": [i % 3 == 0 for i in range(rows)],
            "town": pandas.Categorical(["Bath, Somerset" if i % 4 else 'the "Hull"' for i in range(rows)]),
            "score": [None if i == 5 else i % 9 for i in range(rows)],
        }
    )
    release = la.anonymize(
        frame, quasi=["born", "weight", "smokes", "town", "score"], k=5, seed=3, effort=1, missing={"quasi": "drop"}
    )
    plain = frame.assign(smokes=frame["smokes"].map({True: "true", False: "false"}))
    plain["score"] = plain["score"].astype("Int64")
    written = by_command_line(program, tmp_path, plain, release, 3)
    assert written["output"] == release.csv
    assert release.report["input"]["rows"] == rows - 1


def test_a_configuration_of_the_command_line_is_one_of_python(hospital, tmp_path):
    run = RUNS[0]
    first = la.anonymize(hospital, seed=7, effort=1, **run)
    first.save(tmp_path / "out.csv", config=tmp_path / "settings.json", report=tmp_path / "report.json")
    again = la.anonymize(hospital, seed=7, config=tmp_path / "settings.json")
    assert again.csv == first.csv == (tmp_path / "out.csv").read_bytes()
    assert la.anonymize(hospital, seed=7, config=tmp_path / "settings.json", m=2).csv != first.csv
