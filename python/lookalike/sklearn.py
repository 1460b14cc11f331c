"""Microaggregation as a scikit-learn transformer: ``from lookalike.sklearn import Microaggregation``.

It is for matrices of numbers inside a pipeline. A table about people that is to be published goes through
:func:`lookalike.anonymize`, which has roles, recoding and an audit."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.preprocessing import StandardScaler
from sklearn.utils.validation import check_is_fitted, validate_data

from ._solve import solve


class Microaggregation(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Replaces each row by the mean of its class of at least ``k`` rows, with the least sum of squared distances that is found.

    ``k`` is the least number of rows of a class, ``effort``, ``method`` and ``bound`` are as for :func:`lookalike.solve`.
    ``scale`` standardises the columns for the distances, so that units do not matter; means are in the units that were given.

    After ``fit``: ``labels_`` has the class of each row, ``cluster_centers_`` the means, ``loss_`` the sum of squared distances (of
    the scaled columns), ``bound_`` what no partition can be below (``None`` if nothing is proven), ``gap_percent_`` how far apart
    they are.

    ``fit_transform(X)`` gives the rows of ``X`` by their own classes. ``transform(X)`` gives each row the nearest mean: for rows
    that were not in ``fit`` this says which class they are most like, and does not protect them.

    >>> points = [[0.0, 1.0], [0.2, 1.1], [9.0, 5.0], [9.4, 5.2]]
    >>> Microaggregation(k=2).fit_transform(points).round(2).tolist()
    [[0.1, 1.05], [0.1, 1.05], [9.2, 5.1], [9.2, 5.1]]
    """

    def __init__(
        self,
        k: int = 5,
        *,
        effort: float | None = None,
        method: str | None = None,
        bound: str | None = None,
        scale: bool = True,
        random_state: int = 0,
    ) -> None:
        self.k = k
        self.effort = effort
        self.method = method
        self.bound = bound
        self.scale = scale
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> Microaggregation:
        """Finds the classes of the rows of ``X`` (numbers, n x d). ``y`` is ignored."""
        X = validate_data(self, X, dtype=np.float64, ensure_min_samples=max(2, self.k))
        self._scaler = StandardScaler().fit(X) if self.scale else None
        further = {name: value for name, value in {"method": self.method, "bound": self.bound}.items() if value is not None}
        solution = solve(self._scaled(X), k=self.k, effort=self.effort, seed=self.random_state, **further)
        self.labels_ = np.asarray(solution.labels)
        counts = np.bincount(self.labels_)
        sums = np.zeros((len(counts), X.shape[1]))
        np.add.at(sums, self.labels_, X)
        self.cluster_centers_ = sums / counts[:, None]
        self.loss_, self.bound_, self.gap_percent_ = solution.loss, solution.bound, solution.gap_percent
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """The means of the rows' own classes (n x d): what ``k`` protects."""
        self.fit(X, y)
        return self.cluster_centers_[self.labels_]

    def transform(self, X: Any) -> Any:
        """For each row the nearest mean (n x d)."""
        return self.cluster_centers_[self.predict(X)]

    def predict(self, X: Any) -> Any:
        """For each row the class with the nearest mean (n)."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        centres = self._scaled(self.cluster_centers_)
        # A chunk at a time: n x classes distances at once would not fit for large tables.
        chunk = max(1, 10_000_000 // max(1, centres.size))
        parts = (self._scaled(X[at : at + chunk]) for at in range(0, len(X), chunk))
        nearest = [((part[:, None, :] - centres[None, :, :]) ** 2).sum(axis=2).argmin(axis=1) for part in parts]
        return np.concatenate(nearest)

    def _scaled(self, X: Any) -> Any:
        return X if self._scaler is None else self._scaler.transform(X)
