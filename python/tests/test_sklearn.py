"""Microaggregation as a transformer: scikit-learn's own checks, and its answer beside brute force."""

from itertools import combinations

import numpy as np
import pytest

sklearn = pytest.importorskip("sklearn")

from sklearn.linear_model import LinearRegression  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.utils.estimator_checks import check_estimator  # noqa: E402

from lookalike.sklearn import Microaggregation  # noqa: E402


def test_scikit_learn_takes_it_for_one_of_its_own():
    # Its transformers give the same for `fit_transform` and `transform`; here only the former's classes have k rows.
    own = "fit_transform gives each row its own class, transform the nearest mean, which may be another one"
    expected = {"check_transformer_general": own, "check_transformer_data_not_an_array": own}
    failed = [
        result["check_name"]
        for result in check_estimator(Microaggregation(k=2, effort=0.1), expected_failed_checks=expected, on_fail=None, on_skip=None)
        if result["status"] == "failed"
    ]
    assert failed == []


def partitions(rows, k):
    if not rows:
        yield []
        return
    first, rest = rows[0], rows[1:]
    for size in range(k - 1, len(rest) + 1):
        for others in combinations(rest, size):
            for further in partitions([row for row in rest if row not in others], k):
                yield [(first, *others), *further]


def test_small_problems_are_solved_to_the_optimum():
    generator = np.random.default_rng(1)
    for _ in range(10):
        X = generator.normal(size=(8, 2)).round(2)
        found = Microaggregation(k=2, scale=False, method="column-generation").fit(X)
        loss = lambda part: sum(((X[list(rows)] - X[list(rows)].mean(axis=0)) ** 2).sum() for rows in part)  # noqa: E731
        best = min(loss(part) for part in partitions(list(range(8)), 2))
        assert abs(found.loss_ - best) < 1e-9 and found.bound_ <= best + 1e-9
        assert np.bincount(found.labels_).min() >= 2
        assert np.allclose(((X - found.cluster_centers_[found.labels_]) ** 2).sum(), best)


def test_it_stands_in_a_pipeline():
    generator = np.random.default_rng(2)
    X = generator.normal(size=(300, 3)) * [1, 100, 0.01]
    y = X @ [1.0, 0.01, 100.0]
    means = Microaggregation(k=3, effort=0.5).fit_transform(X)
    assert np.unique(means, axis=0, return_counts=True)[1].min() >= 3
    assert np.allclose(means.mean(axis=0), X.mean(axis=0))
    score = make_pipeline(Microaggregation(k=3, effort=0.5), LinearRegression()).fit(X, y).score(X, y)
    assert score > 0.9
