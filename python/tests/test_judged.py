"""What is published is judged by others: by pyCANON, by hand, by our own check."""

import itertools

import pandas
import pytest

import lookalike as la


def test_pycanon_confirms_a_table_from_python(hospital):
    anonymity = pytest.importorskip("pycanon.anonymity")
    quasi = ["sex", "age", "postcode"]
    release = la.anonymize(
        hospital, quasi=quasi, sensitive="diagnosis", k=5, seed=3, effort=1,
        conditions=[{"name": "distinct-diversity", "l": 3}],
    )  # fmt: skip
    frame = release.table.to_pandas()
    assert anonymity.k_anonymity(frame, quasi) >= 5
    assert anonymity.l_diversity(frame, quasi, ["diagnosis"]) >= 3
    unique = la.anonymize(hospital, quasi=quasi, sensitive="diagnosis", m=3, seed=3, effort=1).table.to_pandas()
    assert anonymity.k_anonymity(unique, quasi) >= 3 and anonymity.l_diversity(unique, quasi, ["diagnosis"]) >= 3


def test_sets_have_at_least_their_k_alike_in_the_published_cells(hospital):
    sets = [{"columns": ["age", "sex"], "k": 20}, {"columns": ["postcode"], "k": 12}]
    quasi = ["sex", "age", "postcode"]
    given = {"quasi": quasi, "k": 3, "loss": "ncp", "seed": 3, "effort": 0.3}
    release = la.anonymize(hospital, sets=sets, **given)
    frame = release.table.to_pandas()
    assert frame.groupby(quasi).size().min() >= 3
    found = [int(frame.groupby(wanted["columns"]).size().min()) for wanted in sets]
    assert found[0] >= 20 and found[1] >= 12
    assert [told["smallest"] for told in release.report["sets"]] == found
    assert la.check(frame, quasi=quasi, k=3, sets=sets)
    assert not la.check(frame, quasi=quasi, k=3, sets=[{"columns": ["age", "sex"], "k": found[0] + 1}])
    with pytest.raises(la.InputError, match="age"):
        la.anonymize(hospital, sets=[*sets, {"columns": ["age"], "k": 9}], **given)


def test_check_finds_what_a_count_finds(hospital):
    quasi = ["sex", "nights"]
    least = hospital.groupby(quasi).size().min()
    found = la.check(hospital, quasi=quasi, k=2)
    assert found.findings[0].reached == least and bool(found) == (least >= 2)
    assert "--" not in found.text


def test_check_states_the_risk_in_the_population(hospital):
    frame = hospital.assign(weight=10, home=[row // 2 for row in range(len(hospital))])
    found = la.check(frame, quasi=["sex"], k=2, sample={"weight": "weight", "household": "home"})
    assert found.sample["people"] == 10 * len(hospital) and found.sample["highest"] < found.risk["prosecutor_highest"]
    assert found.sample["households"]["column"] == "home"
    assert "no population is known" not in found.text
    assert la.check(frame, quasi=["sex"], k=2).sample is None


def test_check_reads_the_linking_key(people):
    release = la.anonymize(people, quasi=["age", "sex"], k=3, seed=1)
    given = {"quasi": ["age", "sex"], "k": 3, "original": people}
    assert la.check(release.table, classes=release.classes, **given)
    key = release.classes.to_pandas()
    key.loc[0, "class"] = "2"
    assert not la.check(release.table, classes=key.to_csv(index=False).encode(), **given)
    with pytest.raises(la.InputError, match="linking key"):
        la.check(release.table, classes=key[1:].to_csv(index=False).encode(), **given)


def test_check_compares_sensitive_values_class_by_class(people):
    release = la.anonymize(people, quasi=["age", "sex"], sensitive="disease", k=3, seed=1)
    given = {"quasi": ["age", "sex"], "sensitive": "disease", "k": 3, "original": people, "classes": release.classes}
    assert la.check(release.table, **given)
    published = release.table.to_pandas()
    published.loc[0, "disease"] = "angina"
    found = la.check(published, **given)
    assert not found and all(finding.passed for finding in found.findings)
    assert "1 published row has 'angina', row 1" in found.text


def best(points, k):
    """The least sum of squared distances over all partitions, by trying them all."""

    def partitions(rest):
        if not rest:
            yield []
            return
        first, others = rest[0], rest[1:]
        for size in range(k - 1, len(others) + 1):
            for mates in itertools.combinations(others, size):
                for more in partitions([other for other in others if other not in mates]):
                    yield [[first, *mates], *more]

    def cost(block):
        return sum(
            sum((points[i][d] - sum(points[j][d] for j in block) / len(block)) ** 2 for i in block)
            for d in range(len(points[0]))
        )

    return min(sum(map(cost, blocks)) for blocks in partitions(list(range(len(points)))))


def test_solve_proves_what_trying_all_partitions_finds():
    points = [[3.0 * (i * i % 7), float(i * 5 % 11)] for i in range(9)]
    solution = la.solve(points, k=3, method="column-generation")
    assert solution.loss == pytest.approx(best(points, 3)) and solution.status == "optimal"
    assert solution.bound <= solution.loss * (1 + 1e-9) and solution.gap_percent < 1e-3


def test_solve_takes_colours_of_any_kind_and_arrays():
    numpy = pytest.importorskip("numpy")
    points = numpy.arange(12.0).reshape(6, 2)
    colours = numpy.array(["red", "blue"] * 3)
    solution = la.solve(points, colours, m=2)
    for label in set(solution.labels):
        of = [colours[i] for i, found in enumerate(solution.labels) if found == label]
        assert len(of) == len(set(of)) == 2
    with pytest.raises(la.SettingsError, match="as many coordinates"):
        la.solve([[1.0], [2.0, 3.0]], k=2)
    with pytest.raises(la.InfeasibleError):
        la.solve(points, ["red"] * 6, m=2)


def test_records_are_written(people, tmp_path):
    release = la.anonymize(people, quasi=["age", "sex"], k=3, seed=1)
    files = {name: tmp_path / name for name in ("report", "private", "classes", "statement", "statement_json", "config")}
    release.save(tmp_path / "out.csv", **files)
    assert (tmp_path / "out.csv").read_bytes() == release.csv
    assert "<html" in files["statement"].read_text(encoding="utf-8") and "out.csv" in release.statement(table="out.csv")
    assert files["private"].stat().st_mode & 0o077 == 0 and not list(tmp_path.glob("*.part"))
    assert release.seed == 1 and release.private["settings"]["seed"] == 1
    assert "<table>" in release._repr_html_() and pandas.read_csv(files["classes"]).shape[0] == 6
