"""The regression estimators: scikit-learn's conventions around one call of the library, without numerical code."""
from __future__ import annotations

import os
import warnings
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from tamis import _core
from tamis._arguments import folds_of, options_of, seed_of, threads_of, word_of
from tamis._families import families_of
from tamis._names import estimator_kinds, estimator_name
from tamis._parameters import ATTRIBUTES, docstring, initializer, parameters
from tamis._progress import progress_of
from tamis._sparse import check_sparse
from tamis._state import plain, take_model
from tamis._summary import Selected, Summary, selected
from tamis._validation import LAYOUT, checked, component_arrays, design, held_out, names_of, numbers, target_names

# Attributes made from the model: they are not pickled beside it.
_DERIVED = ("coef_", "intercept_", "inclusion_", "inclusion_error_", "inclusion_kind_", "credible_sets_", "alternatives_",
            "std_", "noise_variance_", "objective_", "n_iter_", "path_", "trace_")


class _SparseEstimator(SelectorMixin, BaseEstimator):
    _method = None  # the library's description of the method

    def _fit_model(self, X, y, family, *, names, sample_weight, offset, validation, targets=()):
        """y: numbers, one column for each target; `validation` as the library takes it."""
        rows, columns = X.shape
        options = options_of(self, [field["name"] for field in self._method["fields"] if field["name"] != "groups"])
        groups = getattr(self, "groups", None)
        factors = numbers(getattr(self, "penalty_factors", None), columns, "penalty_factors", of="columns")
        priors = getattr(self, "feature_priors", None)
        priors = None if priors is None else np.asarray(priors, dtype=np.float64)
        folds = folds_of(self.cv, X, y[:, 0])
        with progress_of(self.verbose) as progress:
            model, draws = _core.fit(
                self._method["name"], family, design(X, self.low_memory), y[:, 0], options,
                weights=numbers(sample_weight, rows, "sample_weight"), offset=numbers(offset, rows, "offset"),
                penalty_factors=factors, feature_priors=priors, more_responses=y[:, 1:], more_targets=targets,
                groups=[] if groups is None else np.unique(groups, return_inverse=True)[1].tolist(),
                components=component_arrays(getattr(self, "components", None)), feature_names=names, validation=validation,
                intercept=bool(self.fit_intercept), standardize=bool(self.standardize), seed=seed_of(self.random_state),
                threads=threads_of(self.n_jobs), progress=progress, keep_draws=getattr(self, "keep_draws", False), **folds)
        self._take(model)
        if draws is not None:
            self.draws_ = draws
        if model.status != "converged":
            warnings.warn(f"{self._method['name']} {model.status}: {model.message}", ConvergenceWarning, stacklevel=3)
        return self

    def _family(self, binary):
        """The parameter, or the only family there is."""
        return word_of("family", getattr(self, "family", families_of(self._method, binary)[0]))

    def _take(self, model):
        self.model_ = model
        self.coef_, self.intercept_ = self._shaped(model)
        self.inclusion_ = model.inclusion
        self.inclusion_error_ = model.inclusion_error
        self.inclusion_kind_ = model.inclusion_kind
        self.credible_sets_ = model.credible_sets()
        self.alternatives_ = model.alternatives
        self.std_ = model.standard_deviations
        self.noise_variance_ = model.noise_variance
        self.objective_ = model.objective
        self.path_ = model.path
        self.trace_ = model.trace
        iterations = self.trace_["iteration"]
        self.n_iter_ = max(1, int(iterations[-1])) if len(iterations) else 1

    def _new_rows(self, X, offset):
        """X and the offset of its rows as the library takes them."""
        check_is_fitted(self)
        X = checked(self, X, reset=False, **LAYOUT)
        return design(X, self.low_memory), numbers(offset, X.shape[0], "offset")

    def _get_support_mask(self):
        check_is_fitted(self)
        mask = np.zeros(self.n_features_in_, dtype=bool)
        mask[[feature for feature, _, _ in self.model_.select()]] = True
        return mask

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Names of the selected features, which ``transform`` keeps; the same as in the summary."""
        check_is_fitted(self)
        if input_features is None:
            input_features = getattr(self, "feature_names_in_", np.array(self.model_.features, dtype=object))
        return super().get_feature_names_out(input_features)

    def transform(self, X: Any) -> Any:
        """The columns of X whose features are selected."""
        check_sparse(X)
        return super().transform(X)

    def inverse_transform(self, X: Any) -> Any:
        """The columns of selected features among columns of zeros, as they were before ``transform``."""
        check_sparse(X)
        return super().inverse_transform(X)

    def select(self, *, fdr: float | None = None, threshold: float | None = None,
               top: int | None = None) -> list[Selected]:
        """Selected features, strongest first, by one of three rules: the largest set with an expected false discovery
        rate of at most `fdr`; features with inclusion probability at least `threshold` (default 0.5; for methods
        without inclusion probabilities: all nonzero coefficients); the `top` strongest features."""
        check_is_fitted(self)
        return selected(self.model_, fdr=fdr, threshold=threshold, top=top)

    def credible_sets(self, level: float | None = None) -> list[dict[str, Any]]:
        """Sets of few features, at least one of which matters with probability `level` (0.5 to 1; None: that of the
        fit, ``credible_sets_``). Of methods that draw models; for others the list is empty."""
        check_is_fitted(self)
        return self.model_.credible_sets(level)

    def summary(self) -> Summary:
        """Table of the selected features: print it, display it in a notebook, or call its ``to_frame()``."""
        check_is_fitted(self)
        return Summary(self.model_)

    def plot(self, kind: str | None = None, ax: Any = None, top: int = 30) -> Any:
        """Plot with matplotlib and return the axes. `kind`: ``coefficients`` with 95% intervals, ``effects``
        (coefficients times the standard deviation of the feature), ``inclusion`` probabilities, the ``path`` over the
        tuning parameter, or the ``trace`` of the objective; None: inclusion if defined, else coefficients. Shows at most
        the `top` strongest features."""
        from tamis import _plots

        check_is_fitted(self)
        return _plots.plot(self.model_, kind, ax, top)

    def to_arviz(self) -> Any:
        """Posterior draws as an arviz.InferenceData (xarray.DataTree from ArviZ 1 on); requires ``keep_draws=True`` and
        arviz. ``draws_`` contains the same draws as arrays with dimensions chain, draw and feature."""
        from tamis import _draws

        check_is_fitted(self)
        return _draws.to_arviz(self)

    def save(self, path: Any) -> None:
        """Write the model file that ``tamis predict``, ``tamis select`` and ``tamis.load`` read."""
        check_is_fitted(self)
        self.model_.save(os.fspath(path))

    def __getstate__(self):
        return plain(super().__getstate__(), _DERIVED)

    def __setstate__(self, state):
        super().__setstate__(state)
        take_model(self, _core.Fit)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


class _Regressor(RegressorMixin, _SparseEstimator):
    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, offset: ArrayLike | None = None,
            validation: tuple | None = None) -> Self:
        """Fit the model. X is not copied if it is a float64 array in Fortran order or a sparse CSC matrix.

        offset: added to the linear predictor of each row. validation: (X, y[, sample_weight[, offset]]), data on which
        to choose the tuning parameter instead of by cross-validation. y may have several columns if the method supports
        multiple targets (ARD)."""
        several = self._method["takes_several_targets"]
        targets, given = target_names(y), X
        X, y = checked(self, X, y, y_numeric=True, multi_output=several, **LAYOUT)
        self._flat = y.ndim == 1
        y = np.asfortranarray(y.reshape(len(y), -1), dtype=np.float64)
        self._fit_model(X, y, self._family(binary=False), names=names_of(self, given), sample_weight=sample_weight,
                        offset=offset, validation=held_out(self, validation, np.asarray), targets=targets[1:])
        self.model_.target = targets[0] if targets else ""
        return self

    def _shaped(self, model):
        if getattr(self, "_flat", True):
            return model.coefficients, model.intercept
        targets = model.targets()
        return np.vstack([each.coefficients for each in targets]), np.array([each.intercept for each in targets])

    def predict(self, X: Any, return_std: bool = False, offset: ArrayLike | None = None) -> Any:
        """Predicted mean of the response; with `return_std`, also the standard deviation of a new observation."""
        rows = self._new_rows(X, offset)
        targets = [self.model_] if self._is_flat() else self.model_.targets()
        found = [each.predict(*rows) for each in targets]
        mean = self._as_y([each["mean"] for each in found])
        if not return_std:
            return mean
        if found[0]["sd"] is None:
            raise ValueError(f"return_std: not available for family {self.model_.family}; use predict_interval")
        return mean, self._as_y([each["sd"] for each in found])

    def predict_interval(self, X: Any, offset: ArrayLike | None = None, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
        """(lower, upper): bounds of the prediction interval of a new observation for each row, which holds it with
        probability `level`."""
        rows = self._new_rows(X, offset)
        found = self.model_.predict(*rows, level=level)
        return found["lower"], found["upper"]

    def _is_flat(self):
        return getattr(self, "_flat", True)

    def _as_y(self, columns):
        return columns[0] if self._is_flat() else np.column_stack(columns)

    def _more_tags(self):
        return {"multioutput": self._method["takes_several_targets"]}

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = self._method["takes_several_targets"]
        return tags


class _Classifier(ClassifierMixin, _SparseEstimator):
    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, offset: ArrayLike | None = None,
            validation: tuple | None = None) -> Self:
        """Fit the model to two classes. X is not copied if it is a float64 array in Fortran order or a sparse CSC matrix.

        offset: added to the log odds of each row. validation: (X, y[, sample_weight[, offset]]), data on which to choose
        the tuning parameter instead of by cross-validation."""
        targets, given = target_names(y), X
        X, y = checked(self, X, y, **LAYOUT)
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(f"y contains only one class, {self.classes_.tolist()[0]!r}; expected two: choose another "
                             "target or add rows")
        if len(self.classes_) > 2:
            raise ValueError(f"Only binary classification is supported: y has {len(self.classes_)} classes; "
                             "wrap the estimator in sklearn.multiclass.OneVsRestClassifier")
        self._fit_model(X, codes.astype(np.float64).reshape(-1, 1), self._family(binary=True), names=names_of(self, given),
                        sample_weight=sample_weight, offset=offset, validation=held_out(self, validation, self._codes))
        self.model_.target = targets[0] if targets else ""
        if self.classes_.tolist() != [0, 1]:
            self.model_.levels = [str(each) for each in self.classes_]
        return self

    def _codes(self, y):
        """Classes coded as 0 and 1, as in the fit."""
        known = np.isin(y, self.classes_)
        if not np.all(known):
            raise ValueError(f"validation y: '{np.asarray(y)[~known][0]}' is not one of the classes of y")
        return np.searchsorted(self.classes_, y).astype(np.float64)

    def _shaped(self, model):
        return model.coefficients.reshape(1, -1), np.array([model.intercept])

    def decision_function(self, X: Any, offset: ArrayLike | None = None) -> np.ndarray:
        """Log odds of the second class, ``classes_[1]``."""
        rows = self._new_rows(X, offset)
        return self.model_.linear_predictor(*rows)

    def predict_proba(self, X: Any, offset: ArrayLike | None = None) -> np.ndarray:
        """Probabilities of the two classes, in the order of ``classes_``."""
        rows = self._new_rows(X, offset)
        second = self.model_.predict(*rows)["mean"]
        return np.column_stack([1 - second, second])

    def predict(self, X: Any, offset: ArrayLike | None = None) -> np.ndarray:
        """Predicted class of each row: the more probable one."""
        log_odds = self.decision_function(X, offset)
        return self.classes_[(log_odds > 0).astype(int)]

    def _more_tags(self):
        return {"binary_only": True}

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags


def _example(name, binary):
    made = "X[:, 2] > 0" if binary else "4 * X[:, 2] + 0.1 * draw.standard_normal(60)"
    return [">>> import numpy as np, tamis", ">>> draw = np.random.default_rng(0)",
            ">>> X = np.asfortranarray(draw.standard_normal((60, 5)))",
            f">>> model = tamis.{name}().fit(X, {made})", ">>> model.select(top=1)[0].name", "'x3'"]


def make_class(method, binary):
    """The estimator of a method, as the library describes it: a classifier for two classes, or a regressor."""
    name = estimator_name(method, binary)
    base = _Classifier if binary else _Regressor
    described = parameters(method, binary)
    summary = f"{method['summary'][:1].upper()}{method['summary'][1:]} (method ``{method['name']}``)."
    return type(name, (base,), {
        "__init__": initializer(name, described), "__doc__": docstring(summary, described, _example(name, binary), ATTRIBUTES),
        "__module__": "tamis", "_method": method})


classes = {each.__name__: each for each in (
    make_class(method, binary) for method in _core.methods() for binary in estimator_kinds(method))}
