"""Releases over time, with a ledger in memory or in a file."""

import subprocess

import pandas
import pytest

import lookalike as la
from conftest import ROOT

RUN = {"quasi": ["sex", "age", "postcode"], "sensitive": "diagnosis", "m": 3}


def table(number):
    return pandas.read_csv(ROOT / f"samples/release-{number}.csv", dtype={"postcode": str})


def test_two_releases_keep_the_signatures_of_those_who_stay(tmp_path):
    ledger = tmp_path / "ledger.json"
    first = la.Series(ledger, id="patient", mode="tau-safety", **RUN)
    releases = [first.release(table(1), seed=1, effort=0.5)]
    # Another process goes on, which knows the ledger alone.
    releases.append(la.Series(ledger).release(table(2), seed=2, effort=0.5))
    assert [release.report["series"]["release"] for release in releases] == [1, 2]
    signatures = []
    for release in releases:
        published, key = release.table.to_pandas(), release.classes.to_pandas()
        values = published.groupby("class")["diagnosis"].agg(frozenset)
        source = table(len(signatures) + 1)
        # Counterfeits are "+1", "+2", and so on: they are in no source.
        key = key[~key["row"].str.startswith("+")]
        rows = source.iloc[key["row"].astype(int)]
        # Somebody with another value than before is somebody new.
        persons = zip(rows["patient"], rows["diagnosis"])
        signatures.append(dict(zip(persons, key["class"].map(values))))
    stay = signatures[0].keys() & signatures[1].keys()
    assert stay and all(signatures[0][one] == signatures[1][one] for one in stay)


def test_a_ledger_that_went_on_elsewhere_is_refused(tmp_path):
    ledger = tmp_path / "ledger.json"
    series = la.Series(ledger, id="patient", mode="tau-safety", **RUN)
    series.release(table(1), seed=1, effort=0)
    other = la.Series(ledger)
    other.release(table(2), seed=1, effort=0)
    with pytest.raises(la.SeriesError, match="was changed"):
        series.release(table(2), seed=1, effort=0)
    with pytest.raises(la.SeriesError, match="id="):
        la.Series(mode="tau-safety", **RUN).release(table(1))
    with pytest.raises(la.SettingsError):
        la.Series(id="patient", mode="tau-safety", quasi=["age"], sensitive="diagnosis", k=3).release(table(1))


def test_one_run_at_a_time_has_the_ledger(tmp_path, program):
    import fcntl

    ledger = tmp_path / "ledger.json"
    series = la.Series(ledger, id="patient", mode="tau-safety", **RUN)
    # As another run would hold it, the command line's or this package's.
    with open(f"{ledger}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(la.SeriesError, match="another run is under way"):
            series.release(table(1), seed=1, effort=0)
    series.release(table(1), seed=1, effort=0)
    assert not (tmp_path / "ledger.json.lock").exists(), "nothing is left"
    first = ledger.read_bytes()
    la.Series(ledger).release(table(2), seed=2, effort=0)
    # An old copy that was put back: by the package and by the command line it is known for what it is.
    ledger.write_bytes(first)
    with pytest.raises(la.SeriesError, match="was made from this state"):
        la.Series(ledger).release(table(2), seed=3, effort=0)
    run = ["republish", str(ROOT / "samples/release-2.csv"), "--ledger", str(ledger), "-o", str(tmp_path / "x.csv"), "--seed", "3"]
    refused = subprocess.run([program, *run], capture_output=True, text=True)
    assert refused.returncode == 2 and "ledger.json.used" in refused.stderr
    # And a state that the command line used is refused here.
    other = tmp_path / "other.json"
    begun = ["--begin", "--id", "patient", "--mode", "tau-safety", "--quasi", "sex,age,postcode", "--sensitive", "diagnosis"]
    run = ["republish", str(ROOT / "samples/release-1.csv"), "--ledger", str(other), "-o", str(tmp_path / "1.csv"), "--seed", "3", "--m", "3"]
    subprocess.run([program, *run, *begun], check=True, capture_output=True)
    other.unlink()
    with pytest.raises(la.SeriesError, match="was made from this state"):
        la.Series(other, id="patient", mode="tau-safety", **RUN).release(table(1), seed=1, effort=0)
    (tmp_path / "third.json.pending").write_bytes(first)
    with pytest.raises(la.SeriesError, match="interrupted"):
        la.Series(tmp_path / "third.json", id="patient", mode="tau-safety", **RUN).release(table(1), seed=1, effort=0)
