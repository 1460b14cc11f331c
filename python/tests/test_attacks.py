"""Attacks through Python reach what they reach on the command line; on small tables, what can be counted by hand."""

import json

import pandas
import pytest

import lookalike as la

QUASI = ["sex", "age", "postcode"]


@pytest.fixture
def tables(hospital, run, tmp_path):
    """Half of the patients, published in groups, and the other half, held back; as frames and as files."""
    original, held_back = hospital.iloc[::2], hospital.iloc[1::2]
    release = la.anonymize(original, quasi=QUASI, sensitive="diagnosis", k=5, seed=3, effort=1)
    (tmp_path / "out.csv").write_bytes(release.csv)
    original.to_csv(tmp_path / "in.csv", index=False)
    held_back.to_csv(tmp_path / "control.csv", index=False)
    return release.table, original, held_back


def without_words(record):
    """A record but for its messages, which are objects on the command line and texts in Python."""
    record = dict(record)
    return record, [said if isinstance(said, str) else said["text"] for said in record.pop("findings")]


ASKED = [
    ({}, []),
    ({"seed": 7, "number": 120}, ["--attacks-seed", "7", "--attacks-number", "120"]),
    (
        {"secret": "postcode", "first": "age", "confidence": 0.9, "neighbours": 3, "columns": 2, "tolerance": 0.2},
        [
            *("--attacks-secret", "postcode", "--attacks-first", "age", "--attacks-confidence", "0.9"),
            *("--attacks-neighbours", "3", "--attacks-columns", "2", "--attacks-tolerance", "0.2"),
        ],
    ),
]


@pytest.mark.parametrize("with_control", [False, True])
@pytest.mark.parametrize(("asked", "flags"), ASKED)
def test_figures_are_those_of_the_command_line(tables, run, asked, flags, with_control):
    published, original, held_back = tables
    flags = [*flags, *(["--control", "control.csv"] if with_control else [])]
    told = run(
        *("check", "out.csv", "--quasi", ",".join(QUASI), "--sensitive", "diagnosis", "--attacks", "--json"),
        *("--original", "in.csv", *flags),
    )
    theirs, words = without_words(json.loads(told.stdout)["attacks"])
    found = la.check(
        published, quasi=QUASI, sensitive="diagnosis", original=original,
        attacks=asked or True, control=held_back if with_control else None,
    )  # fmt: skip
    ours, said = without_words(found.attacks)
    assert ours == theirs
    assert said == words
    assert all(line in found.text for line in said) and "--" not in found.text
    assert ours["control_rows"] == (len(held_back) if with_control else None)
    assert ours["linkability"]["main"]["attacks"] > 0 and ours["inference"]["main"]["rate"] is not None


def test_a_table_published_as_it_is_tells_everybody():
    """No two people have the same age or ward: each row is its person's, by either of them, and strangers have other illnesses."""
    people = pandas.DataFrame(
        {"age": range(20, 60), "ward": [f"W{i}" for i in range(40)], "illness": [f"I{i * 7 % 40}" for i in range(40)]}
    )
    strangers = people.assign(illness="none")
    given = {"quasi": ["age", "ward"], "sensitive": "illness", "original": people}
    found = la.check(people, attacks=True, control=strangers, **given).attacks
    inferred, linked = found["inference"], found["linkability"]
    assert (inferred["main"]["attacks"], inferred["main"]["successes"]) == (40, 40)
    assert (inferred["control"]["attacks"], inferred["control"]["successes"]) == (40, 0)
    assert inferred["residual_risk"]["value"] > 0.8
    # Controls that are the same people in all but the secret are linked as well: nothing is left.
    assert linked["main"] == linked["control"] and linked["main"]["successes"] == 40
    assert linked["residual_risk"]["value"] == 0
    assert la.check(people, **given, k=2).attacks is None
    assert not la.check(people, **given, k=2, attacks=True), "an attack is asked for beside a guarantee"
    assert la.check(people, **given, attacks=True).passed, "attacks neither pass nor fail"


def test_what_means_nothing_is_refused(people):
    given = {"quasi": ["age", "sex"], "sensitive": "disease"}
    refused = [
        ({"attacks": True}, "attacks need original"),
        ({"original": people, "k": 2, "control": people}, "say attacks=True"),
        ({"original": people, "attacks": {"sead": 1}}, "sead"),
        ({"original": people, "attacks": {"seed": -1}}, "seed|-1"),
        ({"original": people, "attacks": {"number": 0}}, "at least one attack"),
        ({"original": people, "attacks": {"confidence": 1}}, "between 0 and 1"),
        ({"original": people, "attacks": {"first": ["disease"]}}, "disease"),
        ({"original": people, "attacks": 3}, "must be True, False or a dictionary"),
        ({"original": people, "attacks": True, "control": people[["age"]]}, "control has no column"),
    ]
    for more, why in refused:
        with pytest.raises(la.InputError, match=why) as error:
            la.check(people, **given, **more)
        assert " at line " not in str(error.value)
    assert la.check(people, **given, original=people, attacks=False, k=2).attacks is None
