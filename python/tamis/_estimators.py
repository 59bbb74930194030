"""The estimators: scikit-learn's conventions around one call of the library. Nothing numerical happens here."""
import warnings

import joblib
import numpy as np
import scipy.sparse
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from tamis import _core
from tamis._parameters import docstring, initializer, parameters
from tamis._summary import Summary, selected

try:
    from sklearn.utils.validation import validate_data as _validate_data
except ImportError:  # before scikit-learn 1.6
    def _validate_data(estimator, *arrays, **checks):
        return estimator._validate_data(*arrays, **checks)

# The layout in which X is not copied: columns of float64 side by side, or compressed sparse columns.
_LAYOUT = {"accept_sparse": "csc", "dtype": np.float64, "order": "F"}
# Attributes made from the model: they are not pickled beside it.
_DERIVED = ("coef_", "intercept_", "inclusion_", "std_", "noise_variance_", "objective_", "n_iter_", "path_", "trace_")
_NAMES = {
    "lasso": "Lasso", "elastic-net": "ElasticNet", "ridge": "Ridge", "capped-l1": "CappedL1",
    "vg": "VariationalGarrote", "pmf": "PairedMeanField", "ard": "ARD", "bm": "BayesianMasking",
    "flas": "LaplaceSpikeSlab", "ep": "ExpectationPropagation", "gibbs": "GibbsSpikeSlab", "exact": "ExactSpikeSlab",
}


def _design(X):
    """X as the library takes it."""
    if not scipy.sparse.issparse(X):
        return X
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    return (*X.shape, X.indptr, X.indices, X.data)


def _plain(value):
    """An option as the library takes it: all its numbers are real."""
    value = value.item() if isinstance(value, np.generic) else value
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


class _SparseEstimator(SelectorMixin, BaseEstimator):
    _method = None  # the library's description of the method

    def _fit_model(self, X, y, family, sample_weight):
        weights = None if sample_weight is None else _check_sample_weight(sample_weight, X, dtype=np.float64)
        options = {f["name"]: _plain(getattr(self, f["name"])) for f in self._method["fields"] if f["name"] != "groups"}
        groups = getattr(self, "groups", None)
        seed = self.random_state
        if not isinstance(seed, (int, np.integer)):
            seed = check_random_state(seed).randint(np.iinfo(np.int32).max)
        model = _core.fit(
            self._method["name"], family, _design(X), y,
            options={name: value for name, value in options.items() if value is not None},
            weights=weights, penalty_factors=getattr(self, "penalty_factors", None),
            groups=[] if groups is None else np.unique(groups, return_inverse=True)[1].tolist(),
            feature_names=list(getattr(self, "feature_names_in_", [])),
            intercept=bool(self.fit_intercept), standardize=bool(self.standardize),
            seed=int(seed), threads=joblib.effective_n_jobs(self.n_jobs), folds=int(self.cv))
        self._take(model)
        if model.status != "converged":
            warnings.warn(f"{self._method['name']} {model.status}: {model.message}", ConvergenceWarning, stacklevel=3)
        return self

    def _take(self, model):
        self.model_ = model
        self.coef_, self.intercept_ = self._shaped(model.coefficients, model.intercept)
        self.inclusion_ = model.inclusion
        self.std_ = model.standard_deviations
        self.noise_variance_ = model.noise_variance
        self.objective_ = model.objective
        self.path_ = model.path
        self.trace_ = model.trace
        iterations = self.trace_["iteration"]
        self.n_iter_ = max(1, int(iterations[-1])) if len(iterations) else 1

    def _new_rows(self, X):
        check_is_fitted(self)
        return _design(_validate_data(self, X, reset=False, **_LAYOUT))

    def _get_support_mask(self):
        check_is_fitted(self)
        mask = np.zeros(self.n_features_in_, dtype=bool)
        mask[[feature for feature, _, _ in self.model_.select()]] = True
        return mask

    def select(self, *, fdr=None, threshold=None, top=None):
        """The selected features, strongest first, by one rule: the largest set whose expected share of false features
        is at most `fdr`; inclusion of at least `threshold` (default 0.5; a method without probabilities: all that are
        not zero); the `top` strongest."""
        check_is_fitted(self)
        return selected(self.model_, fdr=fdr, threshold=threshold, top=top)

    def summary(self):
        """A table of what was found: print it, show it in a notebook, or take its ``to_frame()``."""
        check_is_fitted(self)
        return Summary(self.model_)

    def save(self, path):
        """Writes the model file that ``tamis predict``, ``tamis select`` and ``tamis.load`` read."""
        check_is_fitted(self)
        self.model_.save(str(path))

    def __getstate__(self):
        return {name: value for name, value in super().__getstate__().items() if name not in _DERIVED}

    def __setstate__(self, state):
        super().__setstate__(state)
        if "model_" in self.__dict__:
            self._take(self.model_)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


class _Regressor(RegressorMixin, _SparseEstimator):
    def fit(self, X, y, sample_weight=None):
        """Fits the method to the rows of X; an X of float64 in Fortran order is not copied."""
        X, y = _validate_data(self, X, y, y_numeric=True, **_LAYOUT)
        family = getattr(self, "family", self._method["families"][0])
        return self._fit_model(X, np.asarray(y, dtype=np.float64), family, sample_weight)

    @staticmethod
    def _shaped(coefficients, intercept):
        return coefficients, intercept

    def predict(self, X, return_std=False):
        """The mean of the response for every row; with `return_std` also the standard deviation of a new observation."""
        rows = self._new_rows(X)
        prediction = self.model_.predict(rows)
        if not return_std:
            return prediction["mean"]
        if prediction["sd"] is None:
            raise ValueError(f"return_std: the family {self.model_.family} has no standard deviation of its own")
        return prediction["mean"], prediction["sd"]


class _Classifier(ClassifierMixin, _SparseEstimator):
    def fit(self, X, y, sample_weight=None):
        """Fits the method to the rows of X and their two classes; an X of float64 in Fortran order is not copied."""
        X, y = _validate_data(self, X, y, **_LAYOUT)
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) > 2:
            raise ValueError(f"Only binary classification is supported: y has {len(self.classes_)} classes; "
                             "wrap the estimator in sklearn.multiclass.OneVsRestClassifier")
        self._fit_model(X, codes.astype(np.float64), "bernoulli", sample_weight)
        if self.classes_.tolist() != [0, 1]:
            self.model_.levels = [str(each) for each in self.classes_]
        return self

    @staticmethod
    def _shaped(coefficients, intercept):
        return coefficients.reshape(1, -1), np.array([intercept])

    def decision_function(self, X):
        """The log odds of the second class."""
        rows = self._new_rows(X)
        return self.model_.linear_predictor(rows)

    def predict_proba(self, X):
        """The probabilities of the two classes, in the order of ``classes_``."""
        rows = self._new_rows(X)
        second = self.model_.predict(rows)["mean"]
        return np.column_stack([1 - second, second])

    def predict(self, X):
        """The likelier class of every row."""
        log_odds = self.decision_function(X)
        return self.classes_[(log_odds > 0).astype(int)]

    def _more_tags(self):
        return {"binary_only": True}

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags


def _make_class(method, base, name, family):
    described = parameters(method, family)
    return type(name, (base,), {
        "__init__": initializer(described), "__doc__": docstring(method, described), "__module__": "tamis",
        "_method": method})


def _make_classes():
    found = {}
    for method in _core.methods():
        name = _NAMES[method["name"]]
        found[name] = _make_class(method, _Regressor, name, None)
        if "bernoulli" in method["families"]:
            found[name + "Classifier"] = _make_class(method, _Classifier, name + "Classifier", "bernoulli")
    return found


classes = _make_classes()


def load(path):
    """The fitted estimator of a model file, whether Python or the command line wrote it."""
    model = _core.Fit.load(str(path))
    binary = model.family == "bernoulli"
    estimator = classes[_NAMES[model.method] + ("Classifier" if binary else "")]()
    renamed = {"intercept": "fit_intercept", "folds": "cv", "seed": "random_state"}
    known = estimator.get_params()
    values = {renamed.get(name, name): value for name, value in model.options.items()}
    values["family"] = model.family
    # Numbers of a model file have no type of their own: whole where the default is.
    estimator.set_params(**{name: int(value) if isinstance(value, float) and isinstance(known[name], int) else value
                            for name, value in values.items() if name in known})
    estimator.n_features_in_ = len(model.features)
    if model.features != [f"x{j + 1}" for j in range(len(model.features))]:
        estimator.feature_names_in_ = np.array(model.features, dtype=object)
    if binary:
        estimator.classes_ = np.array(model.levels or [0, 1])
    estimator._take(model)
    return estimator
