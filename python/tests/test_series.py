"""Releases over time, with a ledger in memory or in a file."""

import re
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


def test_releases_and_sources_that_are_none_are_named(tmp_path):
    series = la.Series(id="patient", mode="tau-safety", **RUN)
    with pytest.warns(la.SmallSeed):
        first = series.release(table(1), seed=1, effort=0)
    (tmp_path / "1.csv").write_bytes(first.csv)
    for call in (series.release, series.dry_run):
        for releases in (tmp_path / "nowhere", tmp_path / "1.csv", 7, [tmp_path]):
            with pytest.raises(la.SettingsError, match="^releases"):
                call(table(2), releases=releases, effort=0)
        for sources in (7, "1.csv", tmp_path, table(1)):
            with pytest.raises(la.SettingsError, match="^sources must be a list of the tables"):
                call(table(2), releases=tmp_path, sources=sources, effort=0)
        with pytest.raises(la.TableError, match="^sources, table 2: a str has no Arrow stream"):
            call(table(2), releases=tmp_path, sources=[table(1), "2.csv"], effort=0)
    assert series.number == 1 and series.dry_run(table(2), releases=tmp_path, sources=[table(1)], effort=0).release == 2


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


def begun(program, folder):
    """A series of the command line whose first release is out, the flags of its next one, and the same series in Python."""
    (folder / "out").mkdir()
    (folder / "none").mkdir()
    for number in (1, 2):
        table(number).to_csv(folder / f"{number}.csv", index=False)
    ledger = folder / "ledger.json"
    # The table's types say that a postcode is a label; a file is told.
    first = ["--begin", "--id", "patient", "--mode", "tau-safety", "--quasi", "sex,age,postcode", "--sensitive", "diagnosis", "--m", "3"]
    first += ["--kind", "postcode=category", "--releases", folder / "none", "--seed", "1", "--effort", "0.2", "-o", folder / "out/1.csv"]
    said = subprocess.run([program, "republish", folder / "1.csv", "--ledger", ledger, *first], capture_output=True, text=True)
    assert said.returncode == 0, said.stderr
    later = [program, "republish", folder / "2.csv", "--ledger", ledger, "--releases", folder / "out", "--sources", folder / "1.csv"]
    return ledger, [*later, "--seed", "2", "--effort", "0.2"]


def files(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_dry_run_says_what_the_command_line_says_and_writes_nothing(tmp_path, program):
    ledger, later = begun(program, tmp_path)
    before = files(tmp_path)
    series = la.Series(ledger)
    told = {"seed": 2, "effort": 0.2, "releases": tmp_path / "out", "sources": [table(1)]}
    dry = series.dry_run(table(2), **told)
    assert files(tmp_path) == before and series.ledger == ledger.read_bytes() and series.number == 0
    said = subprocess.run([*later, "--dry-run", "--people"], capture_output=True, text=True)
    assert said.returncode == 0, said.stderr
    counted = re.search(r"from release 1 to release (\d+): (\d+) came \((\d+) of .*\), (\d+) left, (\d+) have another value, (\d+) stayed", said.stderr)
    assert [int(number) for number in counted.groups()] == [dry.release, dry.came, dry.back, dry.left, dry.changed, dry.stayed]
    # And as the tables themselves say it.
    ids = [dict(zip(table(number)["patient"].astype(str), table(number)["diagnosis"])) for number in (1, 2)]
    changed = {name for name in ids[0].keys() & ids[1].keys() if ids[0][name] != ids[1][name]}
    assert (dry.came, dry.left, dry.changed) == (len(ids[1].keys() - ids[0].keys()), len(ids[0].keys() - ids[1].keys()), len(changed))
    assert dry.came and dry.left
    assert dry.people is None
    named = series.dry_run(table(2), people=True, **told).people
    assert {"came": ids[1].keys() - ids[0].keys(), "left": ids[0].keys() - ids[1].keys(), "changed": changed} == {
        what: set(names) for what, names in named.items()
    }
    assert all(name in said.stderr for names in named.values() for name in names)
    checks = re.search(r"2 releases judged together from their bytes and the tables .*: all (\d+) checks hold", said.stderr)
    assert dry.audit == {"passed": True, "releases": 2, "checks": int(checks[1]), "sources": True}
    # What it says is what the release is then, through both doors.
    made = series.release(table(2), **told)
    by_line = tmp_path / "other"
    by_line.mkdir()
    for path, content in before.items():
        target = by_line / path.relative_to(tmp_path)
        target.parent.mkdir(exist_ok=True)
        target.write_bytes(content)
    moved = [str(part).replace(str(tmp_path), str(by_line)) for part in later[1:]]
    wrote = subprocess.run([program, *moved, "-o", by_line / "2-published.csv"], capture_output=True, text=True)
    assert wrote.returncode == 0, wrote.stderr
    assert made.csv == (by_line / "2-published.csv").read_bytes()
    assert ledger.read_bytes() == (by_line / "ledger.json").read_bytes()
    assert (dry.loss, dry.counterfeits) == (made.loss, made.exact["changes"]["counterfeits"])
    assert dry.seed == 2 and dry.audit == made.private["chain"]["audit"]


def test_releases_that_are_not_there_or_do_not_hold_end_the_run(tmp_path, program):
    ledger, _ = begun(program, tmp_path)
    before = files(tmp_path)
    series = la.Series(ledger)
    with pytest.raises(la.AuditError, match="release 1 is in no file"):
        series.release(table(2), releases=tmp_path / "none", seed=2, effort=0)
    with pytest.raises(la.SettingsError, match="2 sources for 1"):
        series.release(table(2), releases=tmp_path / "out", sources=[table(1), table(2)], seed=2, effort=0)
    with pytest.raises(la.SettingsError, match="sources go with releases"):
        series.dry_run(table(2), sources=[table(1)], seed=2, effort=0)
    # A source that takes people with one diagnosis for each other: their classes had other values than those of the second release.
    other = table(1)
    moved = other.groupby("diagnosis")["patient"].transform(lambda names: pandas.Series([*names[1:], *names[:1]], index=names.index))
    assert (moved != other["patient"]).sum() > 50
    other["patient"] = moved
    with pytest.raises(la.AuditError, match="all 2 releases together failed"):
        series.release(table(2), releases=tmp_path / "out", sources=[other], seed=2, effort=0)
    assert files(tmp_path) == before


def test_a_key_puts_pseudonyms_in_the_place_of_names(tmp_path, run):
    run("ledger", "key", "series.key")
    path, key = tmp_path / "ledger.json", tmp_path / "series.key"
    given = {"id": "patient", "mode": "tau-safety", **RUN}
    series = la.Series(path, pseudonym_key=key, **given)
    series.release(table(1), seed=11, effort=0.2)
    assert not any(f'"{name}"'.encode() in series.ledger for name in table(1)["patient"])
    with pytest.raises(la.InputError, match="pseudonyms in place of names"):
        la.Series(path, **given).release(table(2), seed=12, effort=0.2)
    with pytest.raises(la.SeriesError, match="64 hexadecimal digits"):
        la.Series(path, pseudonym_key=path, **given).release(table(2), seed=12, effort=0.2)
    with pytest.raises(la.SettingsError, match="pseudonym_key"):
        la.Series(path, pseudonym_key=tmp_path / "gone", **given)
    assert la.Series(path, pseudonym_key=key, **given).release(table(2), seed=12, effort=0.2).audit["passed"]
