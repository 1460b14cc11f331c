"""Errors are of classes by what they mean, name the argument, and have the identity of their message."""

import warnings

import pytest

import lookalike as la


def refused(people, kind, **given):
    with pytest.raises(kind) as caught:
        la.anonymize(people, **({"quasi": ["age", "sex"], "seed": 1} | given))
    return caught.value


def test_arguments_that_nobody_knows_name_the_nearest(people):
    assert "did you mean weights?" in str(refused(people, la.SettingsError, k=3, wieghts={"age": 1}))
    assert "did you mean time_limit?" in str(refused(people, la.SettingsError, k=3, timelimit=3))
    assert "known arguments" in str(refused(people, la.SettingsError, k=3, zzz=3))


def test_settings_that_exclude_each_other(people):
    error = refused(people, la.SettingsError, m=2, sensitive="disease", conditions=[{"name": "t-closeness", "t": 0.4}])
    assert error.code == "core.Conflict.ConditionsUnderMInvariance" and error.kind == "input"
    assert isinstance(error, ValueError)
    refused(people, la.SettingsError, k=3, m=2)
    refused(people, la.SettingsError, k=3, effort=1, time_limit=1)
    refused(people, la.SettingsError, k=3, eligibility="add")
    assert "(k or m)" in str(refused(people, la.SettingsError))


def test_what_no_release_can_give(people):
    assert refused(people, la.InfeasibleError, k=9).code == "core.Impossible.TooFew"
    error = refused(people, la.NotEligibleError, m=3, sensitive="disease")
    assert isinstance(error, la.InfeasibleError) and error.kind == "infeasible"


def test_a_question_names_the_argument_that_answers_it(people):
    events = people.assign(patient=["a", "a", "b", "c", "d", "e"])
    with pytest.raises(la.NeedsAnswerError) as caught:
        la.anonymize(events, quasi=["age", "sex"], k=2, seed=1)
    assert 'rows_are={"events-of": "patient"}' in str(caught.value) and "--" not in str(caught.value)
    release = la.anonymize(events, quasi=["age", "sex"], k=2, seed=1, rows_are={"events-of": "patient"})
    assert release.audit["passed"]


def test_columns_and_kinds_that_are_not_there(people):
    error = refused(people, la.TableError, k=3, quasi=["agee"])
    assert "agee" in str(error)
    assert str(refused(people, la.SettingsError, k=3, kinds={"age": "nr"})).startswith("kinds: ")


def test_a_seed_that_is_out_of_range_names_the_range(people):
    for seed in (2**64, -1, 1.5, "1"):
        assert "from 0 to 18446744073709551615 (2**64 - 1)" in str(refused(people, la.SettingsError, k=3, seed=seed))
    assert la.anonymize(people, quasi=["age", "sex"], k=3, seed=2**64 - 1).seed == 2**64 - 1


def test_a_seed_that_is_found_by_trying_is_warned_of(people):
    given = {"quasi": ["age", "sex"], "k": 3}
    with pytest.warns(la.SmallSeed, match="seed=281474976710655 is found by trying") as caught:
        la.anonymize(people, seed=2**48 - 1, **given)
    assert [warning.filename for warning in caught] == [__file__]
    with warnings.catch_warnings():
        warnings.simplefilter("error", la.SmallSeed)
        la.anonymize(people, seed=2**48, **given)
        la.anonymize(people, **given)
        # Points are not a table that is published.
        la.solve([[0.0], [1.0], [10.0], [11.0]], k=2, seed=1)
