"""Made by tools/python_stubs.py."""
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin, TransformerMixin
from sklearn.feature_selection import SelectorMixin
from typing_extensions import Self

__version__: str
def methods() -> list[dict[str, Any]]: ...
def load(path: Any) -> Any: ...

class Selected(NamedTuple):
    feature: int
    name: str
    inclusion: float | None
    coefficient: float

class Summary:
    def to_frame(self) -> Any: ...
    def _repr_html_(self) -> str: ...

class Fit:
    alternatives: Any
    coefficients: Any
    components: Any
    def credible_sets(self, *args: Any, **more: Any) -> Any: ...
    family: Any
    feature_spreads: Any
    features: Any
    @staticmethod
    def from_json(*args: Any, **more: Any) -> Fit: ...
    hyper: Any
    inclusion: Any
    inclusion_error: Any
    inclusion_kind: Any
    intercept: Any
    levels: Any
    def linear_predictor(self, *args: Any, **more: Any) -> Any: ...
    @staticmethod
    def load(*args: Any, **more: Any) -> Fit: ...
    message: Any
    method: Any
    noise_variance: Any
    objective: Any
    options: Any
    path: Any
    def predict(self, *args: Any, **more: Any) -> Any: ...
    samples: Any
    def save(self, *args: Any, **more: Any) -> Any: ...
    seconds: Any
    def select(self, *args: Any, **more: Any) -> Any: ...
    standard_deviations: Any
    status: Any
    target: Any
    def targets(self, *args: Any, **more: Any) -> Any: ...
    def text(self, *args: Any, **more: Any) -> Any: ...
    def to_json(self, *args: Any, **more: Any) -> Any: ...
    trace: Any

class FactorFit:
    columns: Any
    ess: Any
    def explain(self, *args: Any, **more: Any) -> Any: ...
    factor_means: Any
    factor_rates: Any
    factor_variances: Any
    factors: Any
    family: Any
    @staticmethod
    def from_json(*args: Any, **more: Any) -> FactorFit: ...
    inclusion: Any
    intercept: Any
    @staticmethod
    def load(*args: Any, **more: Any) -> FactorFit: ...
    loadings: Any
    def means(self, *args: Any, **more: Any) -> Any: ...
    message: Any
    nlp_bits: Any
    noise_variances: Any
    options: Any
    prior: Any
    rhat: Any
    rmse: Any
    rows: Any
    def save(self, *args: Any, **more: Any) -> Any: ...
    scores: Any
    search: Any
    seconds: Any
    status: Any
    def text(self, *args: Any, **more: Any) -> Any: ...
    def to_json(self, *args: Any, **more: Any) -> Any: ...
    trace: Any

class BayesianVariableSelection(RegressorMixin, SelectorMixin, BaseEstimator):
    model_: Fit
    coef_: np.ndarray
    intercept_: Any
    inclusion_: np.ndarray | None
    inclusion_error_: np.ndarray | None
    inclusion_kind_: str
    credible_sets_: list[dict[str, Any]]
    alternatives_: list[dict[str, Any]]
    std_: np.ndarray | None
    noise_variance_: float | None
    objective_: float
    n_iter_: int
    path_: dict[str, np.ndarray]
    trace_: dict[str, np.ndarray]
    n_features_in_: int
    feature_names_in_: np.ndarray
    draws_: dict[str, Any]
    def __init__(
        self,
        *,
        precision: float = 0.02,
        chains: int = 4,
        max_steps: int | None = None,
        expected_features: str | None = None,
        prior_inclusion: float | None = None,
        slab: str | None = None,
        slab_variance: float | None = None,
        response: str = 'auto',
        feature_priors: ArrayLike | None = None,
        keep_draws: bool = False,
        fit_intercept: bool = True,
        standardize: bool = True,
        cv: int = 10,
        low_memory: bool = False,
        random_state: Any = 1,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None: ...
    def credible_sets(self, level: float | None = None) -> list[dict[str, Any]]: ...
    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, offset: ArrayLike | None = None, validation: tuple | None = None) -> Self: ...
    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray: ...
    def inverse_transform(self, X: Any) -> Any: ...
    def plot(self, kind: str | None = None, ax: Any = None, top: int = 30) -> Any: ...
    def predict(self, X: Any, return_std: bool = False, offset: ArrayLike | None = None) -> Any: ...
    def predict_interval(self, X: Any, offset: ArrayLike | None = None, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]: ...
    def save(self, path: Any) -> None: ...
    def select(self, *, fdr: float | None = None, threshold: float | None = None, top: int | None = None) -> list[Selected]: ...
    def summary(self) -> Summary: ...
    def to_arviz(self) -> Any: ...
    def transform(self, X: Any) -> Any: ...

class BayesianVariableSelectionClassifier(ClassifierMixin, SelectorMixin, BaseEstimator):
    model_: Fit
    coef_: np.ndarray
    intercept_: Any
    inclusion_: np.ndarray | None
    inclusion_error_: np.ndarray | None
    inclusion_kind_: str
    credible_sets_: list[dict[str, Any]]
    alternatives_: list[dict[str, Any]]
    std_: np.ndarray | None
    noise_variance_: float | None
    objective_: float
    n_iter_: int
    path_: dict[str, np.ndarray]
    trace_: dict[str, np.ndarray]
    n_features_in_: int
    feature_names_in_: np.ndarray
    classes_: np.ndarray
    draws_: dict[str, Any]
    def __init__(
        self,
        *,
        precision: float = 0.02,
        chains: int = 4,
        max_steps: int | None = None,
        expected_features: str | None = None,
        prior_inclusion: float | None = None,
        slab: str | None = None,
        slab_variance: float | None = None,
        response: str = 'auto',
        feature_priors: ArrayLike | None = None,
        keep_draws: bool = False,
        fit_intercept: bool = True,
        standardize: bool = True,
        cv: int = 10,
        low_memory: bool = False,
        random_state: Any = 1,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None: ...
    def credible_sets(self, level: float | None = None) -> list[dict[str, Any]]: ...
    def decision_function(self, X: Any, offset: ArrayLike | None = None) -> np.ndarray: ...
    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, offset: ArrayLike | None = None, validation: tuple | None = None) -> Self: ...
    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray: ...
    def inverse_transform(self, X: Any) -> Any: ...
    def plot(self, kind: str | None = None, ax: Any = None, top: int = 30) -> Any: ...
    def predict(self, X: Any, offset: ArrayLike | None = None) -> np.ndarray: ...
    def predict_proba(self, X: Any, offset: ArrayLike | None = None) -> np.ndarray: ...
    def save(self, path: Any) -> None: ...
    def select(self, *, fdr: float | None = None, threshold: float | None = None, top: int | None = None) -> list[Selected]: ...
    def summary(self) -> Summary: ...
    def to_arviz(self) -> Any: ...
    def transform(self, X: Any) -> Any: ...

class Lasso(RegressorMixin, SelectorMixin, BaseEstimator):
    model_: Fit
    coef_: np.ndarray
    intercept_: Any
    inclusion_: np.ndarray | None
    inclusion_error_: np.ndarray | None
    inclusion_kind_: str
    credible_sets_: list[dict[str, Any]]
    alternatives_: list[dict[str, Any]]
    std_: np.ndarray | None
    noise_variance_: float | None
    objective_: float
    n_iter_: int
    path_: dict[str, np.ndarray]
    trace_: dict[str, np.ndarray]
    n_features_in_: int
    feature_names_in_: np.ndarray
    def __init__(
        self,
        *,
        penalty: float | None = None,
        path_length: int = 100,
        path_ratio: float | None = None,
        rule: str = 'one-se',
        nonnegative: bool = False,
        tolerance: float = 1e-08,
        family: str = 'gaussian',
        penalty_factors: ArrayLike | None = None,
        fit_intercept: bool = True,
        standardize: bool = True,
        cv: int = 10,
        low_memory: bool = False,
        random_state: Any = 1,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None: ...
    def credible_sets(self, level: float | None = None) -> list[dict[str, Any]]: ...
    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, offset: ArrayLike | None = None, validation: tuple | None = None) -> Self: ...
    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray: ...
    def inverse_transform(self, X: Any) -> Any: ...
    def plot(self, kind: str | None = None, ax: Any = None, top: int = 30) -> Any: ...
    def predict(self, X: Any, return_std: bool = False, offset: ArrayLike | None = None) -> Any: ...
    def predict_interval(self, X: Any, offset: ArrayLike | None = None, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]: ...
    def save(self, path: Any) -> None: ...
    def select(self, *, fdr: float | None = None, threshold: float | None = None, top: int | None = None) -> list[Selected]: ...
    def summary(self) -> Summary: ...
    def to_arviz(self) -> Any: ...
    def transform(self, X: Any) -> Any: ...

class LassoClassifier(ClassifierMixin, SelectorMixin, BaseEstimator):
    model_: Fit
    coef_: np.ndarray
    intercept_: Any
    inclusion_: np.ndarray | None
    inclusion_error_: np.ndarray | None
    inclusion_kind_: str
    credible_sets_: list[dict[str, Any]]
    alternatives_: list[dict[str, Any]]
    std_: np.ndarray | None
    noise_variance_: float | None
    objective_: float
    n_iter_: int
    path_: dict[str, np.ndarray]
    trace_: dict[str, np.ndarray]
    n_features_in_: int
    feature_names_in_: np.ndarray
    classes_: np.ndarray
    def __init__(
        self,
        *,
        penalty: float | None = None,
        path_length: int = 100,
        path_ratio: float | None = None,
        rule: str = 'one-se',
        nonnegative: bool = False,
        tolerance: float = 1e-08,
        penalty_factors: ArrayLike | None = None,
        fit_intercept: bool = True,
        standardize: bool = True,
        cv: int = 10,
        low_memory: bool = False,
        random_state: Any = 1,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None: ...
    def credible_sets(self, level: float | None = None) -> list[dict[str, Any]]: ...
    def decision_function(self, X: Any, offset: ArrayLike | None = None) -> np.ndarray: ...
    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, offset: ArrayLike | None = None, validation: tuple | None = None) -> Self: ...
    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray: ...
    def inverse_transform(self, X: Any) -> Any: ...
    def plot(self, kind: str | None = None, ax: Any = None, top: int = 30) -> Any: ...
    def predict(self, X: Any, offset: ArrayLike | None = None) -> np.ndarray: ...
    def predict_proba(self, X: Any, offset: ArrayLike | None = None) -> np.ndarray: ...
    def save(self, path: Any) -> None: ...
    def select(self, *, fdr: float | None = None, threshold: float | None = None, top: int | None = None) -> list[Selected]: ...
    def summary(self) -> Summary: ...
    def to_arviz(self) -> Any: ...
    def transform(self, X: Any) -> Any: ...

class ElasticNet(RegressorMixin, SelectorMixin, BaseEstimator):
    model_: Fit
    coef_: np.ndarray
    intercept_: Any
    inclusion_: np.ndarray | None
    inclusion_error_: np.ndarray | None
    inclusion_kind_: str
    credible_sets_: list[dict[str, Any]]
    alternatives_: list[dict[str, Any]]
    std_: np.ndarray | None
    noise_variance_: float | None
    objective_: float
    n_iter_: int
    path_: dict[str, np.ndarray]
    trace_: dict[str, np.ndarray]
    n_features_in_: int
    feature_names_in_: np.ndarray
    def __init__(
        self,
        *,
        penalty: float | None = None,
        path_length: int = 100,
        path_ratio: float | None = None,
        rule: str = 'one-se',
        nonnegative: bool = False,
        tolerance: float = 1e-08,
        l1_ratio: float = 0.5,
        family: str = 'gaussian',
        penalty_factors: ArrayLike | None = None,
        fit_intercept: bool = True,
        standardize: bool = True,
        cv: int = 10,
        low_memory: bool = False,
        random_state: Any = 1,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None: ...
    def credible_sets(self, level: float | None = None) -> list[dict[str, Any]]: ...
    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, offset: ArrayLike | None = None, validation: tuple | None = None) -> Self: ...
    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray: ...
    def inverse_transform(self, X: Any) -> Any: ...
    def plot(self, kind: str | None = None, ax: Any = None, top: int = 30) -> Any: ...
    def predict(self, X: Any, return_std: bool = False, offset: ArrayLike | None = None) -> Any: ...
    def predict_interval(self, X: Any, offset: ArrayLike | None = None, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]: ...
    def save(self, path: Any) -> None: ...
    def select(self, *, fdr: float | None = None, threshold: float | None = None, top: int | None = None) -> list[Selected]: ...
    def summary(self) -> Summary: ...
    def to_arviz(self) -> Any: ...
    def transform(self, X: Any) -> Any: ...

class ElasticNetClassifier(ClassifierMixin, SelectorMixin, BaseEstimator):
    model_: Fit
    coef_: np.ndarray
    intercept_: Any
    inclusion_: np.ndarray | None
    inclusion_error_: np.ndarray | None
    inclusion_kind_: str
    credible_sets_: list[dict[str, Any]]
    alternatives_: list[dict[str, Any]]
    std_: np.ndarray | None
    noise_variance_: float | None
    objective_: float
    n_iter_: int
    path_: dict[str, np.ndarray]
    trace_: dict[str, np.ndarray]
    n_features_in_: int
    feature_names_in_: np.ndarray
    classes_: np.ndarray
    def __init__(
        self,
        *,
        penalty: float | None = None,
        path_length: int = 100,
        path_ratio: float | None = None,
        rule: str = 'one-se',
        nonnegative: bool = False,
        tolerance: float = 1e-08,
        l1_ratio: float = 0.5,
        penalty_factors: ArrayLike | None = None,
        fit_intercept: bool = True,
        standardize: bool = True,
        cv: int = 10,
        low_memory: bool = False,
        random_state: Any = 1,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None: ...
    def credible_sets(self, level: float | None = None) -> list[dict[str, Any]]: ...
    def decision_function(self, X: Any, offset: ArrayLike | None = None) -> np.ndarray: ...
    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, offset: ArrayLike | None = None, validation: tuple | None = None) -> Self: ...
    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray: ...
    def inverse_transform(self, X: Any) -> Any: ...
    def plot(self, kind: str | None = None, ax: Any = None, top: int = 30) -> Any: ...
    def predict(self, X: Any, offset: ArrayLike | None = None) -> np.ndarray: ...
    def predict_proba(self, X: Any, offset: ArrayLike | None = None) -> np.ndarray: ...
    def save(self, path: Any) -> None: ...
    def select(self, *, fdr: float | None = None, threshold: float | None = None, top: int | None = None) -> list[Selected]: ...
    def summary(self) -> Summary: ...
    def to_arviz(self) -> Any: ...
    def transform(self, X: Any) -> Any: ...

class Ridge(RegressorMixin, SelectorMixin, BaseEstimator):
    model_: Fit
    coef_: np.ndarray
    intercept_: Any
    inclusion_: np.ndarray | None
    inclusion_error_: np.ndarray | None
    inclusion_kind_: str
    credible_sets_: list[dict[str, Any]]
    alternatives_: list[dict[str, Any]]
    std_: np.ndarray | None
    noise_variance_: float | None
    objective_: float
    n_iter_: int
    path_: dict[str, np.ndarray]
    trace_: dict[str, np.ndarray]
    n_features_in_: int
    feature_names_in_: np.ndarray
    def __init__(
        self,
        *,
        penalty: float | None = None,
        path_length: int = 100,
        path_ratio: float = 1e-08,
        rule: str = 'min',
        tolerance: float = 1e-08,
        family: str = 'gaussian',
        penalty_factors: ArrayLike | None = None,
        fit_intercept: bool = True,
        standardize: bool = True,
        cv: int = 10,
        low_memory: bool = False,
        random_state: Any = 1,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None: ...
    def credible_sets(self, level: float | None = None) -> list[dict[str, Any]]: ...
    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, offset: ArrayLike | None = None, validation: tuple | None = None) -> Self: ...
    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray: ...
    def inverse_transform(self, X: Any) -> Any: ...
    def plot(self, kind: str | None = None, ax: Any = None, top: int = 30) -> Any: ...
    def predict(self, X: Any, return_std: bool = False, offset: ArrayLike | None = None) -> Any: ...
    def predict_interval(self, X: Any, offset: ArrayLike | None = None, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]: ...
    def save(self, path: Any) -> None: ...
    def select(self, *, fdr: float | None = None, threshold: float | None = None, top: int | None = None) -> list[Selected]: ...
    def summary(self) -> Summary: ...
    def to_arviz(self) -> Any: ...
    def transform(self, X: Any) -> Any: ...

class RidgeClassifier(ClassifierMixin, SelectorMixin, BaseEstimator):
    model_: Fit
    coef_: np.ndarray
    intercept_: Any
    inclusion_: np.ndarray | None
    inclusion_error_: np.ndarray | None
    inclusion_kind_: str
    credible_sets_: list[dict[str, Any]]
    alternatives_: list[dict[str, Any]]
    std_: np.ndarray | None
    noise_variance_: float | None
    objective_: float
    n_iter_: int
    path_: dict[str, np.ndarray]
    trace_: dict[str, np.ndarray]
    n_features_in_: int
    feature_names_in_: np.ndarray
    classes_: np.ndarray
    def __init__(
        self,
        *,
        penalty: float | None = None,
        path_length: int = 100,
        path_ratio: float = 1e-08,
        rule: str = 'min',
        tolerance: float = 1e-08,
        penalty_factors: ArrayLike | None = None,
        fit_intercept: bool = True,
        standardize: bool = True,
        cv: int = 10,
        low_memory: bool = False,
        random_state: Any = 1,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None: ...
    def credible_sets(self, level: float | None = None) -> list[dict[str, Any]]: ...
    def decision_function(self, X: Any, offset: ArrayLike | None = None) -> np.ndarray: ...
    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, offset: ArrayLike | None = None, validation: tuple | None = None) -> Self: ...
    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray: ...
    def inverse_transform(self, X: Any) -> Any: ...
    def plot(self, kind: str | None = None, ax: Any = None, top: int = 30) -> Any: ...
    def predict(self, X: Any, offset: ArrayLike | None = None) -> np.ndarray: ...
    def predict_proba(self, X: Any, offset: ArrayLike | None = None) -> np.ndarray: ...
    def save(self, path: Any) -> None: ...
    def select(self, *, fdr: float | None = None, threshold: float | None = None, top: int | None = None) -> list[Selected]: ...
    def summary(self) -> Summary: ...
    def to_arviz(self) -> Any: ...
    def transform(self, X: Any) -> Any: ...

class CappedL1(RegressorMixin, SelectorMixin, BaseEstimator):
    model_: Fit
    coef_: np.ndarray
    intercept_: Any
    inclusion_: np.ndarray | None
    inclusion_error_: np.ndarray | None
    inclusion_kind_: str
    credible_sets_: list[dict[str, Any]]
    alternatives_: list[dict[str, Any]]
    std_: np.ndarray | None
    noise_variance_: float | None
    objective_: float
    n_iter_: int
    path_: dict[str, np.ndarray]
    trace_: dict[str, np.ndarray]
    n_features_in_: int
    feature_names_in_: np.ndarray
    def __init__(
        self,
        *,
        penalty: float | None = None,
        cap: float | None = None,
        path_length: int = 100,
        path_ratio: float | None = None,
        rule: str = 'one-se',
        nonnegative: bool = False,
        tolerance: float = 1e-08,
        family: str = 'gaussian',
        penalty_factors: ArrayLike | None = None,
        fit_intercept: bool = True,
        standardize: bool = True,
        cv: int = 10,
        low_memory: bool = False,
        random_state: Any = 1,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None: ...
    def credible_sets(self, level: float | None = None) -> list[dict[str, Any]]: ...
    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, offset: ArrayLike | None = None, validation: tuple | None = None) -> Self: ...
    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray: ...
    def inverse_transform(self, X: Any) -> Any: ...
    def plot(self, kind: str | None = None, ax: Any = None, top: int = 30) -> Any: ...
    def predict(self, X: Any, return_std: bool = False, offset: ArrayLike | None = None) -> Any: ...
    def predict_interval(self, X: Any, offset: ArrayLike | None = None, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]: ...
    def save(self, path: Any) -> None: ...
    def select(self, *, fdr: float | None = None, threshold: float | None = None, top: int | None = None) -> list[Selected]: ...
    def summary(self) -> Summary: ...
    def to_arviz(self) -> Any: ...
    def transform(self, X: Any) -> Any: ...

class CappedL1Classifier(ClassifierMixin, SelectorMixin, BaseEstimator):
    model_: Fit
    coef_: np.ndarray
    intercept_: Any
    inclusion_: np.ndarray | None
    inclusion_error_: np.ndarray | None
    inclusion_kind_: str
    credible_sets_: list[dict[str, Any]]
    alternatives_: list[dict[str, Any]]
    std_: np.ndarray | None
    noise_variance_: float | None
    objective_: float
    n_iter_: int
    path_: dict[str, np.ndarray]
    trace_: dict[str, np.ndarray]
    n_features_in_: int
    feature_names_in_: np.ndarray
    classes_: np.ndarray
    def __init__(
        self,
        *,
        penalty: float | None = None,
        cap: float | None = None,
        path_length: int = 100,
        path_ratio: float | None = None,
        rule: str = 'one-se',
        nonnegative: bool = False,
        tolerance: float = 1e-08,
        penalty_factors: ArrayLike | None = None,
        fit_intercept: bool = True,
        standardize: bool = True,
        cv: int = 10,
        low_memory: bool = False,
        random_state: Any = 1,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None: ...
    def credible_sets(self, level: float | None = None) -> list[dict[str, Any]]: ...
    def decision_function(self, X: Any, offset: ArrayLike | None = None) -> np.ndarray: ...
    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, offset: ArrayLike | None = None, validation: tuple | None = None) -> Self: ...
    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray: ...
    def inverse_transform(self, X: Any) -> Any: ...
    def plot(self, kind: str | None = None, ax: Any = None, top: int = 30) -> Any: ...
    def predict(self, X: Any, offset: ArrayLike | None = None) -> np.ndarray: ...
    def predict_proba(self, X: Any, offset: ArrayLike | None = None) -> np.ndarray: ...
    def save(self, path: Any) -> None: ...
    def select(self, *, fdr: float | None = None, threshold: float | None = None, top: int | None = None) -> list[Selected]: ...
    def summary(self) -> Summary: ...
    def to_arviz(self) -> Any: ...
    def transform(self, X: Any) -> Any: ...

class NonnegativeGarrote(RegressorMixin, SelectorMixin, BaseEstimator):
    model_: Fit
    coef_: np.ndarray
    intercept_: Any
    inclusion_: np.ndarray | None
    inclusion_error_: np.ndarray | None
    inclusion_kind_: str
    credible_sets_: list[dict[str, Any]]
    alternatives_: list[dict[str, Any]]
    std_: np.ndarray | None
    noise_variance_: float | None
    objective_: float
    n_iter_: int
    path_: dict[str, np.ndarray]
    trace_: dict[str, np.ndarray]
    n_features_in_: int
    feature_names_in_: np.ndarray
    def __init__(
        self,
        *,
        start: str = 'auto',
        start_penalty: float | None = None,
        penalty: float | None = None,
        path_length: int = 100,
        path_ratio: float | None = None,
        rule: str = 'one-se',
        tolerance: float = 1e-08,
        family: str = 'gaussian',
        fit_intercept: bool = True,
        standardize: bool = True,
        cv: int = 10,
        low_memory: bool = False,
        random_state: Any = 1,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None: ...
    def credible_sets(self, level: float | None = None) -> list[dict[str, Any]]: ...
    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, offset: ArrayLike | None = None, validation: tuple | None = None) -> Self: ...
    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray: ...
    def inverse_transform(self, X: Any) -> Any: ...
    def plot(self, kind: str | None = None, ax: Any = None, top: int = 30) -> Any: ...
    def predict(self, X: Any, return_std: bool = False, offset: ArrayLike | None = None) -> Any: ...
    def predict_interval(self, X: Any, offset: ArrayLike | None = None, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]: ...
    def save(self, path: Any) -> None: ...
    def select(self, *, fdr: float | None = None, threshold: float | None = None, top: int | None = None) -> list[Selected]: ...
    def summary(self) -> Summary: ...
    def to_arviz(self) -> Any: ...
    def transform(self, X: Any) -> Any: ...

class NonnegativeGarroteClassifier(ClassifierMixin, SelectorMixin, BaseEstimator):
    model_: Fit
    coef_: np.ndarray
    intercept_: Any
    inclusion_: np.ndarray | None
    inclusion_error_: np.ndarray | None
    inclusion_kind_: str
    credible_sets_: list[dict[str, Any]]
    alternatives_: list[dict[str, Any]]
    std_: np.ndarray | None
    noise_variance_: float | None
    objective_: float
    n_iter_: int
    path_: dict[str, np.ndarray]
    trace_: dict[str, np.ndarray]
    n_features_in_: int
    feature_names_in_: np.ndarray
    classes_: np.ndarray
    def __init__(
        self,
        *,
        start: str = 'auto',
        start_penalty: float | None = None,
        penalty: float | None = None,
        path_length: int = 100,
        path_ratio: float | None = None,
        rule: str = 'one-se',
        tolerance: float = 1e-08,
        fit_intercept: bool = True,
        standardize: bool = True,
        cv: int = 10,
        low_memory: bool = False,
        random_state: Any = 1,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None: ...
    def credible_sets(self, level: float | None = None) -> list[dict[str, Any]]: ...
    def decision_function(self, X: Any, offset: ArrayLike | None = None) -> np.ndarray: ...
    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, offset: ArrayLike | None = None, validation: tuple | None = None) -> Self: ...
    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray: ...
    def inverse_transform(self, X: Any) -> Any: ...
    def plot(self, kind: str | None = None, ax: Any = None, top: int = 30) -> Any: ...
    def predict(self, X: Any, offset: ArrayLike | None = None) -> np.ndarray: ...
    def predict_proba(self, X: Any, offset: ArrayLike | None = None) -> np.ndarray: ...
    def save(self, path: Any) -> None: ...
    def select(self, *, fdr: float | None = None, threshold: float | None = None, top: int | None = None) -> list[Selected]: ...
    def summary(self) -> Summary: ...
    def to_arviz(self) -> Any: ...
    def transform(self, X: Any) -> Any: ...

class VariationalGarrote(RegressorMixin, SelectorMixin, BaseEstimator):
    model_: Fit
    coef_: np.ndarray
    intercept_: Any
    inclusion_: np.ndarray | None
    inclusion_error_: np.ndarray | None
    inclusion_kind_: str
    credible_sets_: list[dict[str, Any]]
    alternatives_: list[dict[str, Any]]
    std_: np.ndarray | None
    noise_variance_: float | None
    objective_: float
    n_iter_: int
    path_: dict[str, np.ndarray]
    trace_: dict[str, np.ndarray]
    n_features_in_: int
    feature_names_in_: np.ndarray
    def __init__(
        self,
        *,
        gamma: float | None = None,
        noise_precision: float | None = None,
        steps: int = 50,
        epsilon: float = 0.001,
        solver: str = 'auto',
        slab_variance: float = 0.0,
        rule: str = 'min',
        tolerance: float = 1e-05,
        fit_intercept: bool = True,
        standardize: bool = True,
        cv: int = 10,
        low_memory: bool = False,
        random_state: Any = 1,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None: ...
    def credible_sets(self, level: float | None = None) -> list[dict[str, Any]]: ...
    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, offset: ArrayLike | None = None, validation: tuple | None = None) -> Self: ...
    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray: ...
    def inverse_transform(self, X: Any) -> Any: ...
    def plot(self, kind: str | None = None, ax: Any = None, top: int = 30) -> Any: ...
    def predict(self, X: Any, return_std: bool = False, offset: ArrayLike | None = None) -> Any: ...
    def predict_interval(self, X: Any, offset: ArrayLike | None = None, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]: ...
    def save(self, path: Any) -> None: ...
    def select(self, *, fdr: float | None = None, threshold: float | None = None, top: int | None = None) -> list[Selected]: ...
    def summary(self) -> Summary: ...
    def to_arviz(self) -> Any: ...
    def transform(self, X: Any) -> Any: ...

class VariationalGarroteClassifier(ClassifierMixin, SelectorMixin, BaseEstimator):
    model_: Fit
    coef_: np.ndarray
    intercept_: Any
    inclusion_: np.ndarray | None
    inclusion_error_: np.ndarray | None
    inclusion_kind_: str
    credible_sets_: list[dict[str, Any]]
    alternatives_: list[dict[str, Any]]
    std_: np.ndarray | None
    noise_variance_: float | None
    objective_: float
    n_iter_: int
    path_: dict[str, np.ndarray]
    trace_: dict[str, np.ndarray]
    n_features_in_: int
    feature_names_in_: np.ndarray
    classes_: np.ndarray
    def __init__(
        self,
        *,
        gamma: float | None = None,
        noise_precision: float | None = None,
        steps: int = 50,
        epsilon: float = 0.001,
        solver: str = 'auto',
        slab_variance: float = 0.0,
        rule: str = 'min',
        tolerance: float = 1e-05,
        fit_intercept: bool = True,
        standardize: bool = True,
        cv: int = 10,
        low_memory: bool = False,
        random_state: Any = 1,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None: ...
    def credible_sets(self, level: float | None = None) -> list[dict[str, Any]]: ...
    def decision_function(self, X: Any, offset: ArrayLike | None = None) -> np.ndarray: ...
    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, offset: ArrayLike | None = None, validation: tuple | None = None) -> Self: ...
    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray: ...
    def inverse_transform(self, X: Any) -> Any: ...
    def plot(self, kind: str | None = None, ax: Any = None, top: int = 30) -> Any: ...
    def predict(self, X: Any, offset: ArrayLike | None = None) -> np.ndarray: ...
    def predict_proba(self, X: Any, offset: ArrayLike | None = None) -> np.ndarray: ...
    def save(self, path: Any) -> None: ...
    def select(self, *, fdr: float | None = None, threshold: float | None = None, top: int | None = None) -> list[Selected]: ...
    def summary(self) -> Summary: ...
    def to_arviz(self) -> Any: ...
    def transform(self, X: Any) -> Any: ...

class PairedMeanField(RegressorMixin, SelectorMixin, BaseEstimator):
    model_: Fit
    coef_: np.ndarray
    intercept_: Any
    inclusion_: np.ndarray | None
    inclusion_error_: np.ndarray | None
    inclusion_kind_: str
    credible_sets_: list[dict[str, Any]]
    alternatives_: list[dict[str, Any]]
    std_: np.ndarray | None
    noise_variance_: float | None
    objective_: float
    n_iter_: int
    path_: dict[str, np.ndarray]
    trace_: dict[str, np.ndarray]
    n_features_in_: int
    feature_names_in_: np.ndarray
    def __init__(
        self,
        *,
        prior_inclusion: float | None = None,
        slab_variance: float | None = None,
        noise_variance: float | None = None,
        anneal: bool = False,
        steps: int = 50,
        tolerance: float = 1e-05,
        fit_intercept: bool = True,
        standardize: bool = True,
        cv: int = 10,
        low_memory: bool = False,
        random_state: Any = 1,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None: ...
    def credible_sets(self, level: float | None = None) -> list[dict[str, Any]]: ...
    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, offset: ArrayLike | None = None, validation: tuple | None = None) -> Self: ...
    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray: ...
    def inverse_transform(self, X: Any) -> Any: ...
    def plot(self, kind: str | None = None, ax: Any = None, top: int = 30) -> Any: ...
    def predict(self, X: Any, return_std: bool = False, offset: ArrayLike | None = None) -> Any: ...
    def predict_interval(self, X: Any, offset: ArrayLike | None = None, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]: ...
    def save(self, path: Any) -> None: ...
    def select(self, *, fdr: float | None = None, threshold: float | None = None, top: int | None = None) -> list[Selected]: ...
    def summary(self) -> Summary: ...
    def to_arviz(self) -> Any: ...
    def transform(self, X: Any) -> Any: ...

class PairedMeanFieldClassifier(ClassifierMixin, SelectorMixin, BaseEstimator):
    model_: Fit
    coef_: np.ndarray
    intercept_: Any
    inclusion_: np.ndarray | None
    inclusion_error_: np.ndarray | None
    inclusion_kind_: str
    credible_sets_: list[dict[str, Any]]
    alternatives_: list[dict[str, Any]]
    std_: np.ndarray | None
    noise_variance_: float | None
    objective_: float
    n_iter_: int
    path_: dict[str, np.ndarray]
    trace_: dict[str, np.ndarray]
    n_features_in_: int
    feature_names_in_: np.ndarray
    classes_: np.ndarray
    def __init__(
        self,
        *,
        prior_inclusion: float | None = None,
        slab_variance: float | None = None,
        noise_variance: float | None = None,
        anneal: bool = False,
        steps: int = 50,
        tolerance: float = 1e-05,
        fit_intercept: bool = True,
        standardize: bool = True,
        cv: int = 10,
        low_memory: bool = False,
        random_state: Any = 1,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None: ...
    def credible_sets(self, level: float | None = None) -> list[dict[str, Any]]: ...
    def decision_function(self, X: Any, offset: ArrayLike | None = None) -> np.ndarray: ...
    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, offset: ArrayLike | None = None, validation: tuple | None = None) -> Self: ...
    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray: ...
    def inverse_transform(self, X: Any) -> Any: ...
    def plot(self, kind: str | None = None, ax: Any = None, top: int = 30) -> Any: ...
    def predict(self, X: Any, offset: ArrayLike | None = None) -> np.ndarray: ...
    def predict_proba(self, X: Any, offset: ArrayLike | None = None) -> np.ndarray: ...
    def save(self, path: Any) -> None: ...
    def select(self, *, fdr: float | None = None, threshold: float | None = None, top: int | None = None) -> list[Selected]: ...
    def summary(self) -> Summary: ...
    def to_arviz(self) -> Any: ...
    def transform(self, X: Any) -> Any: ...

class ARD(RegressorMixin, SelectorMixin, BaseEstimator):
    model_: Fit
    coef_: np.ndarray
    intercept_: Any
    inclusion_: np.ndarray | None
    inclusion_error_: np.ndarray | None
    inclusion_kind_: str
    credible_sets_: list[dict[str, Any]]
    alternatives_: list[dict[str, Any]]
    std_: np.ndarray | None
    noise_variance_: float | None
    objective_: float
    n_iter_: int
    path_: dict[str, np.ndarray]
    trace_: dict[str, np.ndarray]
    n_features_in_: int
    feature_names_in_: np.ndarray
    def __init__(
        self,
        *,
        algorithm: str = 'reweighted-l1',
        noise_variance: float | None = None,
        noise: str = 'robust',
        penalty: float | None = None,
        start: str = 'scale-free',
        anneal: bool = False,
        nonnegative: bool = False,
        groups: ArrayLike | None = None,
        iterations: int = 100,
        tolerance: float = 0.001,
        components: dict[str, ArrayLike] | None = None,
        fit_intercept: bool = True,
        standardize: bool = True,
        cv: int = 10,
        low_memory: bool = False,
        random_state: Any = 1,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None: ...
    def credible_sets(self, level: float | None = None) -> list[dict[str, Any]]: ...
    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, offset: ArrayLike | None = None, validation: tuple | None = None) -> Self: ...
    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray: ...
    def inverse_transform(self, X: Any) -> Any: ...
    def plot(self, kind: str | None = None, ax: Any = None, top: int = 30) -> Any: ...
    def predict(self, X: Any, return_std: bool = False, offset: ArrayLike | None = None) -> Any: ...
    def predict_interval(self, X: Any, offset: ArrayLike | None = None, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]: ...
    def save(self, path: Any) -> None: ...
    def select(self, *, fdr: float | None = None, threshold: float | None = None, top: int | None = None) -> list[Selected]: ...
    def summary(self) -> Summary: ...
    def to_arviz(self) -> Any: ...
    def transform(self, X: Any) -> Any: ...

class ARDClassifier(ClassifierMixin, SelectorMixin, BaseEstimator):
    model_: Fit
    coef_: np.ndarray
    intercept_: Any
    inclusion_: np.ndarray | None
    inclusion_error_: np.ndarray | None
    inclusion_kind_: str
    credible_sets_: list[dict[str, Any]]
    alternatives_: list[dict[str, Any]]
    std_: np.ndarray | None
    noise_variance_: float | None
    objective_: float
    n_iter_: int
    path_: dict[str, np.ndarray]
    trace_: dict[str, np.ndarray]
    n_features_in_: int
    feature_names_in_: np.ndarray
    classes_: np.ndarray
    def __init__(
        self,
        *,
        algorithm: str = 'reweighted-l1',
        noise_variance: float | None = None,
        noise: str = 'robust',
        penalty: float | None = None,
        start: str = 'scale-free',
        anneal: bool = False,
        nonnegative: bool = False,
        groups: ArrayLike | None = None,
        iterations: int = 100,
        tolerance: float = 0.001,
        fit_intercept: bool = True,
        standardize: bool = True,
        cv: int = 10,
        low_memory: bool = False,
        random_state: Any = 1,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None: ...
    def credible_sets(self, level: float | None = None) -> list[dict[str, Any]]: ...
    def decision_function(self, X: Any, offset: ArrayLike | None = None) -> np.ndarray: ...
    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, offset: ArrayLike | None = None, validation: tuple | None = None) -> Self: ...
    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray: ...
    def inverse_transform(self, X: Any) -> Any: ...
    def plot(self, kind: str | None = None, ax: Any = None, top: int = 30) -> Any: ...
    def predict(self, X: Any, offset: ArrayLike | None = None) -> np.ndarray: ...
    def predict_proba(self, X: Any, offset: ArrayLike | None = None) -> np.ndarray: ...
    def save(self, path: Any) -> None: ...
    def select(self, *, fdr: float | None = None, threshold: float | None = None, top: int | None = None) -> list[Selected]: ...
    def summary(self) -> Summary: ...
    def to_arviz(self) -> Any: ...
    def transform(self, X: Any) -> Any: ...

class BayesianMasking(RegressorMixin, SelectorMixin, BaseEstimator):
    model_: Fit
    coef_: np.ndarray
    intercept_: Any
    inclusion_: np.ndarray | None
    inclusion_error_: np.ndarray | None
    inclusion_kind_: str
    credible_sets_: list[dict[str, Any]]
    alternatives_: list[dict[str, Any]]
    std_: np.ndarray | None
    noise_variance_: float | None
    objective_: float
    n_iter_: int
    path_: dict[str, np.ndarray]
    trace_: dict[str, np.ndarray]
    n_features_in_: int
    feature_names_in_: np.ndarray
    def __init__(
        self,
        *,
        algorithm: str = 'collapsed',
        noise_variance: float | None = None,
        delta: float | None = None,
        masks: str | None = None,
        tolerance: float = 0.001,
        max_iterations: int | None = None,
        switch_after: int = 200,
        learning_rate: float = 0.1,
        reparametrise: bool = True,
        fit_intercept: bool = True,
        standardize: bool = True,
        cv: int = 10,
        low_memory: bool = False,
        random_state: Any = 1,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None: ...
    def credible_sets(self, level: float | None = None) -> list[dict[str, Any]]: ...
    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, offset: ArrayLike | None = None, validation: tuple | None = None) -> Self: ...
    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray: ...
    def inverse_transform(self, X: Any) -> Any: ...
    def plot(self, kind: str | None = None, ax: Any = None, top: int = 30) -> Any: ...
    def predict(self, X: Any, return_std: bool = False, offset: ArrayLike | None = None) -> Any: ...
    def predict_interval(self, X: Any, offset: ArrayLike | None = None, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]: ...
    def save(self, path: Any) -> None: ...
    def select(self, *, fdr: float | None = None, threshold: float | None = None, top: int | None = None) -> list[Selected]: ...
    def summary(self) -> Summary: ...
    def to_arviz(self) -> Any: ...
    def transform(self, X: Any) -> Any: ...

class BayesianMaskingClassifier(ClassifierMixin, SelectorMixin, BaseEstimator):
    model_: Fit
    coef_: np.ndarray
    intercept_: Any
    inclusion_: np.ndarray | None
    inclusion_error_: np.ndarray | None
    inclusion_kind_: str
    credible_sets_: list[dict[str, Any]]
    alternatives_: list[dict[str, Any]]
    std_: np.ndarray | None
    noise_variance_: float | None
    objective_: float
    n_iter_: int
    path_: dict[str, np.ndarray]
    trace_: dict[str, np.ndarray]
    n_features_in_: int
    feature_names_in_: np.ndarray
    classes_: np.ndarray
    def __init__(
        self,
        *,
        algorithm: str = 'collapsed',
        noise_variance: float | None = None,
        delta: float | None = None,
        masks: str | None = None,
        tolerance: float = 0.001,
        max_iterations: int | None = None,
        switch_after: int = 200,
        learning_rate: float = 0.1,
        reparametrise: bool = True,
        fit_intercept: bool = True,
        standardize: bool = True,
        cv: int = 10,
        low_memory: bool = False,
        random_state: Any = 1,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None: ...
    def credible_sets(self, level: float | None = None) -> list[dict[str, Any]]: ...
    def decision_function(self, X: Any, offset: ArrayLike | None = None) -> np.ndarray: ...
    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, offset: ArrayLike | None = None, validation: tuple | None = None) -> Self: ...
    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray: ...
    def inverse_transform(self, X: Any) -> Any: ...
    def plot(self, kind: str | None = None, ax: Any = None, top: int = 30) -> Any: ...
    def predict(self, X: Any, offset: ArrayLike | None = None) -> np.ndarray: ...
    def predict_proba(self, X: Any, offset: ArrayLike | None = None) -> np.ndarray: ...
    def save(self, path: Any) -> None: ...
    def select(self, *, fdr: float | None = None, threshold: float | None = None, top: int | None = None) -> list[Selected]: ...
    def summary(self) -> Summary: ...
    def to_arviz(self) -> Any: ...
    def transform(self, X: Any) -> Any: ...

class LaplaceSpikeSlab(RegressorMixin, SelectorMixin, BaseEstimator):
    model_: Fit
    coef_: np.ndarray
    intercept_: Any
    inclusion_: np.ndarray | None
    inclusion_error_: np.ndarray | None
    inclusion_kind_: str
    credible_sets_: list[dict[str, Any]]
    alternatives_: list[dict[str, Any]]
    std_: np.ndarray | None
    noise_variance_: float | None
    objective_: float
    n_iter_: int
    path_: dict[str, np.ndarray]
    trace_: dict[str, np.ndarray]
    n_features_in_: int
    feature_names_in_: np.ndarray
    def __init__(
        self,
        *,
        variant: str = 'marginal',
        prior_inclusion: float | None = None,
        selection_a: float | None = None,
        selection_b: float | None = None,
        spike_variance: float | None = None,
        slab_variance: float | None = None,
        noise_precision: float | None = None,
        hessian: str = 'auto',
        nystrom_sets: int | None = None,
        nystrom_columns: int | None = None,
        start: str = 'evidence',
        inclusion: str = 'laplace',
        search: str = 'evidence',
        tolerance: float = 1e-06,
        fit_intercept: bool = True,
        standardize: bool = True,
        cv: int = 10,
        low_memory: bool = False,
        random_state: Any = 1,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None: ...
    def credible_sets(self, level: float | None = None) -> list[dict[str, Any]]: ...
    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, offset: ArrayLike | None = None, validation: tuple | None = None) -> Self: ...
    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray: ...
    def inverse_transform(self, X: Any) -> Any: ...
    def plot(self, kind: str | None = None, ax: Any = None, top: int = 30) -> Any: ...
    def predict(self, X: Any, return_std: bool = False, offset: ArrayLike | None = None) -> Any: ...
    def predict_interval(self, X: Any, offset: ArrayLike | None = None, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]: ...
    def save(self, path: Any) -> None: ...
    def select(self, *, fdr: float | None = None, threshold: float | None = None, top: int | None = None) -> list[Selected]: ...
    def summary(self) -> Summary: ...
    def to_arviz(self) -> Any: ...
    def transform(self, X: Any) -> Any: ...

class LaplaceSpikeSlabClassifier(ClassifierMixin, SelectorMixin, BaseEstimator):
    model_: Fit
    coef_: np.ndarray
    intercept_: Any
    inclusion_: np.ndarray | None
    inclusion_error_: np.ndarray | None
    inclusion_kind_: str
    credible_sets_: list[dict[str, Any]]
    alternatives_: list[dict[str, Any]]
    std_: np.ndarray | None
    noise_variance_: float | None
    objective_: float
    n_iter_: int
    path_: dict[str, np.ndarray]
    trace_: dict[str, np.ndarray]
    n_features_in_: int
    feature_names_in_: np.ndarray
    classes_: np.ndarray
    def __init__(
        self,
        *,
        variant: str = 'marginal',
        prior_inclusion: float | None = None,
        selection_a: float | None = None,
        selection_b: float | None = None,
        spike_variance: float | None = None,
        slab_variance: float | None = None,
        noise_precision: float | None = None,
        hessian: str = 'auto',
        nystrom_sets: int | None = None,
        nystrom_columns: int | None = None,
        start: str = 'evidence',
        inclusion: str = 'laplace',
        search: str = 'evidence',
        tolerance: float = 1e-06,
        fit_intercept: bool = True,
        standardize: bool = True,
        cv: int = 10,
        low_memory: bool = False,
        random_state: Any = 1,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None: ...
    def credible_sets(self, level: float | None = None) -> list[dict[str, Any]]: ...
    def decision_function(self, X: Any, offset: ArrayLike | None = None) -> np.ndarray: ...
    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, offset: ArrayLike | None = None, validation: tuple | None = None) -> Self: ...
    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray: ...
    def inverse_transform(self, X: Any) -> Any: ...
    def plot(self, kind: str | None = None, ax: Any = None, top: int = 30) -> Any: ...
    def predict(self, X: Any, offset: ArrayLike | None = None) -> np.ndarray: ...
    def predict_proba(self, X: Any, offset: ArrayLike | None = None) -> np.ndarray: ...
    def save(self, path: Any) -> None: ...
    def select(self, *, fdr: float | None = None, threshold: float | None = None, top: int | None = None) -> list[Selected]: ...
    def summary(self) -> Summary: ...
    def to_arviz(self) -> Any: ...
    def transform(self, X: Any) -> Any: ...

class FullVariationalBayes(RegressorMixin, SelectorMixin, BaseEstimator):
    model_: Fit
    coef_: np.ndarray
    intercept_: Any
    inclusion_: np.ndarray | None
    inclusion_error_: np.ndarray | None
    inclusion_kind_: str
    credible_sets_: list[dict[str, Any]]
    alternatives_: list[dict[str, Any]]
    std_: np.ndarray | None
    noise_variance_: float | None
    objective_: float
    n_iter_: int
    path_: dict[str, np.ndarray]
    trace_: dict[str, np.ndarray]
    n_features_in_: int
    feature_names_in_: np.ndarray
    def __init__(
        self,
        *,
        prior_inclusion: float | None = None,
        slab_variance: float | None = None,
        spike_variance: float | None = None,
        noise_variance: float | None = None,
        start: str = 'best',
        tolerance: float = 0.0001,
        rounds: int = 1000,
        fit_intercept: bool = True,
        standardize: bool = True,
        cv: int = 10,
        low_memory: bool = False,
        random_state: Any = 1,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None: ...
    def credible_sets(self, level: float | None = None) -> list[dict[str, Any]]: ...
    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, offset: ArrayLike | None = None, validation: tuple | None = None) -> Self: ...
    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray: ...
    def inverse_transform(self, X: Any) -> Any: ...
    def plot(self, kind: str | None = None, ax: Any = None, top: int = 30) -> Any: ...
    def predict(self, X: Any, return_std: bool = False, offset: ArrayLike | None = None) -> Any: ...
    def predict_interval(self, X: Any, offset: ArrayLike | None = None, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]: ...
    def save(self, path: Any) -> None: ...
    def select(self, *, fdr: float | None = None, threshold: float | None = None, top: int | None = None) -> list[Selected]: ...
    def summary(self) -> Summary: ...
    def to_arviz(self) -> Any: ...
    def transform(self, X: Any) -> Any: ...

class FullVariationalBayesClassifier(ClassifierMixin, SelectorMixin, BaseEstimator):
    model_: Fit
    coef_: np.ndarray
    intercept_: Any
    inclusion_: np.ndarray | None
    inclusion_error_: np.ndarray | None
    inclusion_kind_: str
    credible_sets_: list[dict[str, Any]]
    alternatives_: list[dict[str, Any]]
    std_: np.ndarray | None
    noise_variance_: float | None
    objective_: float
    n_iter_: int
    path_: dict[str, np.ndarray]
    trace_: dict[str, np.ndarray]
    n_features_in_: int
    feature_names_in_: np.ndarray
    classes_: np.ndarray
    def __init__(
        self,
        *,
        prior_inclusion: float | None = None,
        slab_variance: float | None = None,
        spike_variance: float | None = None,
        noise_variance: float | None = None,
        start: str = 'best',
        tolerance: float = 0.0001,
        rounds: int = 1000,
        fit_intercept: bool = True,
        standardize: bool = True,
        cv: int = 10,
        low_memory: bool = False,
        random_state: Any = 1,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None: ...
    def credible_sets(self, level: float | None = None) -> list[dict[str, Any]]: ...
    def decision_function(self, X: Any, offset: ArrayLike | None = None) -> np.ndarray: ...
    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, offset: ArrayLike | None = None, validation: tuple | None = None) -> Self: ...
    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray: ...
    def inverse_transform(self, X: Any) -> Any: ...
    def plot(self, kind: str | None = None, ax: Any = None, top: int = 30) -> Any: ...
    def predict(self, X: Any, offset: ArrayLike | None = None) -> np.ndarray: ...
    def predict_proba(self, X: Any, offset: ArrayLike | None = None) -> np.ndarray: ...
    def save(self, path: Any) -> None: ...
    def select(self, *, fdr: float | None = None, threshold: float | None = None, top: int | None = None) -> list[Selected]: ...
    def summary(self) -> Summary: ...
    def to_arviz(self) -> Any: ...
    def transform(self, X: Any) -> Any: ...

class SpikeSlabMM(RegressorMixin, SelectorMixin, BaseEstimator):
    model_: Fit
    coef_: np.ndarray
    intercept_: Any
    inclusion_: np.ndarray | None
    inclusion_error_: np.ndarray | None
    inclusion_kind_: str
    credible_sets_: list[dict[str, Any]]
    alternatives_: list[dict[str, Any]]
    std_: np.ndarray | None
    noise_variance_: float | None
    objective_: float
    n_iter_: int
    path_: dict[str, np.ndarray]
    trace_: dict[str, np.ndarray]
    n_features_in_: int
    feature_names_in_: np.ndarray
    def __init__(
        self,
        *,
        cost: float | None = None,
        slab_variance: float | None = None,
        noise_variance: float | None = None,
        start_penalty: float | None = None,
        rule: str = 'min',
        tolerance: float = 1e-06,
        fit_intercept: bool = True,
        standardize: bool = True,
        cv: int = 10,
        low_memory: bool = False,
        random_state: Any = 1,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None: ...
    def credible_sets(self, level: float | None = None) -> list[dict[str, Any]]: ...
    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, offset: ArrayLike | None = None, validation: tuple | None = None) -> Self: ...
    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray: ...
    def inverse_transform(self, X: Any) -> Any: ...
    def plot(self, kind: str | None = None, ax: Any = None, top: int = 30) -> Any: ...
    def predict(self, X: Any, return_std: bool = False, offset: ArrayLike | None = None) -> Any: ...
    def predict_interval(self, X: Any, offset: ArrayLike | None = None, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]: ...
    def save(self, path: Any) -> None: ...
    def select(self, *, fdr: float | None = None, threshold: float | None = None, top: int | None = None) -> list[Selected]: ...
    def summary(self) -> Summary: ...
    def to_arviz(self) -> Any: ...
    def transform(self, X: Any) -> Any: ...

class SpikeSlabMMClassifier(ClassifierMixin, SelectorMixin, BaseEstimator):
    model_: Fit
    coef_: np.ndarray
    intercept_: Any
    inclusion_: np.ndarray | None
    inclusion_error_: np.ndarray | None
    inclusion_kind_: str
    credible_sets_: list[dict[str, Any]]
    alternatives_: list[dict[str, Any]]
    std_: np.ndarray | None
    noise_variance_: float | None
    objective_: float
    n_iter_: int
    path_: dict[str, np.ndarray]
    trace_: dict[str, np.ndarray]
    n_features_in_: int
    feature_names_in_: np.ndarray
    classes_: np.ndarray
    def __init__(
        self,
        *,
        cost: float | None = None,
        slab_variance: float | None = None,
        noise_variance: float | None = None,
        start_penalty: float | None = None,
        rule: str = 'min',
        tolerance: float = 1e-06,
        fit_intercept: bool = True,
        standardize: bool = True,
        cv: int = 10,
        low_memory: bool = False,
        random_state: Any = 1,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None: ...
    def credible_sets(self, level: float | None = None) -> list[dict[str, Any]]: ...
    def decision_function(self, X: Any, offset: ArrayLike | None = None) -> np.ndarray: ...
    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, offset: ArrayLike | None = None, validation: tuple | None = None) -> Self: ...
    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray: ...
    def inverse_transform(self, X: Any) -> Any: ...
    def plot(self, kind: str | None = None, ax: Any = None, top: int = 30) -> Any: ...
    def predict(self, X: Any, offset: ArrayLike | None = None) -> np.ndarray: ...
    def predict_proba(self, X: Any, offset: ArrayLike | None = None) -> np.ndarray: ...
    def save(self, path: Any) -> None: ...
    def select(self, *, fdr: float | None = None, threshold: float | None = None, top: int | None = None) -> list[Selected]: ...
    def summary(self) -> Summary: ...
    def to_arviz(self) -> Any: ...
    def transform(self, X: Any) -> Any: ...

class ExpectationPropagation(RegressorMixin, SelectorMixin, BaseEstimator):
    model_: Fit
    coef_: np.ndarray
    intercept_: Any
    inclusion_: np.ndarray | None
    inclusion_error_: np.ndarray | None
    inclusion_kind_: str
    credible_sets_: list[dict[str, Any]]
    alternatives_: list[dict[str, Any]]
    std_: np.ndarray | None
    noise_variance_: float | None
    objective_: float
    n_iter_: int
    path_: dict[str, np.ndarray]
    trace_: dict[str, np.ndarray]
    n_features_in_: int
    feature_names_in_: np.ndarray
    def __init__(
        self,
        *,
        prior_inclusion: float | None = None,
        slab_variance: float | None = None,
        spike_variance: float = 0.0,
        noise_variance: float | None = None,
        factorised: bool = False,
        damping: float = 0.5,
        tolerance: float = 1e-05,
        sweeps: int = 200,
        fit_intercept: bool = True,
        standardize: bool = True,
        cv: int = 10,
        low_memory: bool = False,
        random_state: Any = 1,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None: ...
    def credible_sets(self, level: float | None = None) -> list[dict[str, Any]]: ...
    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, offset: ArrayLike | None = None, validation: tuple | None = None) -> Self: ...
    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray: ...
    def inverse_transform(self, X: Any) -> Any: ...
    def plot(self, kind: str | None = None, ax: Any = None, top: int = 30) -> Any: ...
    def predict(self, X: Any, return_std: bool = False, offset: ArrayLike | None = None) -> Any: ...
    def predict_interval(self, X: Any, offset: ArrayLike | None = None, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]: ...
    def save(self, path: Any) -> None: ...
    def select(self, *, fdr: float | None = None, threshold: float | None = None, top: int | None = None) -> list[Selected]: ...
    def summary(self) -> Summary: ...
    def to_arviz(self) -> Any: ...
    def transform(self, X: Any) -> Any: ...

class ExpectationPropagationClassifier(ClassifierMixin, SelectorMixin, BaseEstimator):
    model_: Fit
    coef_: np.ndarray
    intercept_: Any
    inclusion_: np.ndarray | None
    inclusion_error_: np.ndarray | None
    inclusion_kind_: str
    credible_sets_: list[dict[str, Any]]
    alternatives_: list[dict[str, Any]]
    std_: np.ndarray | None
    noise_variance_: float | None
    objective_: float
    n_iter_: int
    path_: dict[str, np.ndarray]
    trace_: dict[str, np.ndarray]
    n_features_in_: int
    feature_names_in_: np.ndarray
    classes_: np.ndarray
    def __init__(
        self,
        *,
        prior_inclusion: float | None = None,
        slab_variance: float | None = None,
        spike_variance: float = 0.0,
        noise_variance: float | None = None,
        factorised: bool = False,
        damping: float = 0.5,
        tolerance: float = 1e-05,
        sweeps: int = 200,
        fit_intercept: bool = True,
        standardize: bool = True,
        cv: int = 10,
        low_memory: bool = False,
        random_state: Any = 1,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None: ...
    def credible_sets(self, level: float | None = None) -> list[dict[str, Any]]: ...
    def decision_function(self, X: Any, offset: ArrayLike | None = None) -> np.ndarray: ...
    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, offset: ArrayLike | None = None, validation: tuple | None = None) -> Self: ...
    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray: ...
    def inverse_transform(self, X: Any) -> Any: ...
    def plot(self, kind: str | None = None, ax: Any = None, top: int = 30) -> Any: ...
    def predict(self, X: Any, offset: ArrayLike | None = None) -> np.ndarray: ...
    def predict_proba(self, X: Any, offset: ArrayLike | None = None) -> np.ndarray: ...
    def save(self, path: Any) -> None: ...
    def select(self, *, fdr: float | None = None, threshold: float | None = None, top: int | None = None) -> list[Selected]: ...
    def summary(self) -> Summary: ...
    def to_arviz(self) -> Any: ...
    def transform(self, X: Any) -> Any: ...

class GibbsSpikeSlab(RegressorMixin, SelectorMixin, BaseEstimator):
    model_: Fit
    coef_: np.ndarray
    intercept_: Any
    inclusion_: np.ndarray | None
    inclusion_error_: np.ndarray | None
    inclusion_kind_: str
    credible_sets_: list[dict[str, Any]]
    alternatives_: list[dict[str, Any]]
    std_: np.ndarray | None
    noise_variance_: float | None
    objective_: float
    n_iter_: int
    path_: dict[str, np.ndarray]
    trace_: dict[str, np.ndarray]
    n_features_in_: int
    feature_names_in_: np.ndarray
    draws_: dict[str, Any]
    def __init__(
        self,
        *,
        prior_inclusion: float | None = None,
        slab_variance: float | None = None,
        spike_variance: float = 0.0,
        noise_variance: float | None = None,
        chains: int = 4,
        samples: int | None = None,
        burn_in: int | None = None,
        feature_priors: ArrayLike | None = None,
        keep_draws: bool = False,
        fit_intercept: bool = True,
        standardize: bool = True,
        cv: int = 10,
        low_memory: bool = False,
        random_state: Any = 1,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None: ...
    def credible_sets(self, level: float | None = None) -> list[dict[str, Any]]: ...
    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, offset: ArrayLike | None = None, validation: tuple | None = None) -> Self: ...
    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray: ...
    def inverse_transform(self, X: Any) -> Any: ...
    def plot(self, kind: str | None = None, ax: Any = None, top: int = 30) -> Any: ...
    def predict(self, X: Any, return_std: bool = False, offset: ArrayLike | None = None) -> Any: ...
    def predict_interval(self, X: Any, offset: ArrayLike | None = None, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]: ...
    def save(self, path: Any) -> None: ...
    def select(self, *, fdr: float | None = None, threshold: float | None = None, top: int | None = None) -> list[Selected]: ...
    def summary(self) -> Summary: ...
    def to_arviz(self) -> Any: ...
    def transform(self, X: Any) -> Any: ...

class GibbsSpikeSlabClassifier(ClassifierMixin, SelectorMixin, BaseEstimator):
    model_: Fit
    coef_: np.ndarray
    intercept_: Any
    inclusion_: np.ndarray | None
    inclusion_error_: np.ndarray | None
    inclusion_kind_: str
    credible_sets_: list[dict[str, Any]]
    alternatives_: list[dict[str, Any]]
    std_: np.ndarray | None
    noise_variance_: float | None
    objective_: float
    n_iter_: int
    path_: dict[str, np.ndarray]
    trace_: dict[str, np.ndarray]
    n_features_in_: int
    feature_names_in_: np.ndarray
    classes_: np.ndarray
    draws_: dict[str, Any]
    def __init__(
        self,
        *,
        prior_inclusion: float | None = None,
        slab_variance: float | None = None,
        spike_variance: float = 0.0,
        noise_variance: float | None = None,
        chains: int = 4,
        samples: int | None = None,
        burn_in: int | None = None,
        feature_priors: ArrayLike | None = None,
        keep_draws: bool = False,
        fit_intercept: bool = True,
        standardize: bool = True,
        cv: int = 10,
        low_memory: bool = False,
        random_state: Any = 1,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None: ...
    def credible_sets(self, level: float | None = None) -> list[dict[str, Any]]: ...
    def decision_function(self, X: Any, offset: ArrayLike | None = None) -> np.ndarray: ...
    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, offset: ArrayLike | None = None, validation: tuple | None = None) -> Self: ...
    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray: ...
    def inverse_transform(self, X: Any) -> Any: ...
    def plot(self, kind: str | None = None, ax: Any = None, top: int = 30) -> Any: ...
    def predict(self, X: Any, offset: ArrayLike | None = None) -> np.ndarray: ...
    def predict_proba(self, X: Any, offset: ArrayLike | None = None) -> np.ndarray: ...
    def save(self, path: Any) -> None: ...
    def select(self, *, fdr: float | None = None, threshold: float | None = None, top: int | None = None) -> list[Selected]: ...
    def summary(self) -> Summary: ...
    def to_arviz(self) -> Any: ...
    def transform(self, X: Any) -> Any: ...

class ExactSpikeSlab(RegressorMixin, SelectorMixin, BaseEstimator):
    model_: Fit
    coef_: np.ndarray
    intercept_: Any
    inclusion_: np.ndarray | None
    inclusion_error_: np.ndarray | None
    inclusion_kind_: str
    credible_sets_: list[dict[str, Any]]
    alternatives_: list[dict[str, Any]]
    std_: np.ndarray | None
    noise_variance_: float | None
    objective_: float
    n_iter_: int
    path_: dict[str, np.ndarray]
    trace_: dict[str, np.ndarray]
    n_features_in_: int
    feature_names_in_: np.ndarray
    def __init__(
        self,
        *,
        prior_inclusion: float | None = None,
        slab_variance: float | None = None,
        noise_variance: float | None = None,
        fit_intercept: bool = True,
        standardize: bool = True,
        cv: int = 10,
        low_memory: bool = False,
        random_state: Any = 1,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None: ...
    def credible_sets(self, level: float | None = None) -> list[dict[str, Any]]: ...
    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, offset: ArrayLike | None = None, validation: tuple | None = None) -> Self: ...
    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray: ...
    def inverse_transform(self, X: Any) -> Any: ...
    def plot(self, kind: str | None = None, ax: Any = None, top: int = 30) -> Any: ...
    def predict(self, X: Any, return_std: bool = False, offset: ArrayLike | None = None) -> Any: ...
    def predict_interval(self, X: Any, offset: ArrayLike | None = None, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]: ...
    def save(self, path: Any) -> None: ...
    def select(self, *, fdr: float | None = None, threshold: float | None = None, top: int | None = None) -> list[Selected]: ...
    def summary(self) -> Summary: ...
    def to_arviz(self) -> Any: ...
    def transform(self, X: Any) -> Any: ...

class SparseFactorModel(TransformerMixin, BaseEstimator):
    model_: FactorFit
    components_: np.ndarray
    intercept_: np.ndarray | None
    scores_: np.ndarray
    inclusion_: np.ndarray | None
    imputed_: dict[str, np.ndarray]
    factor_rates_: np.ndarray
    factor_means_: np.ndarray
    factor_variances_: np.ndarray
    noise_variances_: np.ndarray | None
    trace_: dict[str, np.ndarray]
    search_: dict[str, np.ndarray]
    nlp_bits_: float | None
    rmse_: float | None
    rhat_: float | None
    ess_: float | None
    n_factors_: int
    family_: str
    n_iter_: int
    n_features_in_: int
    feature_names_in_: np.ndarray
    def __init__(
        self,
        *,
        n_factors: int | list[int] = 1,
        prior: str = 'spike-slab',
        family: str | None = None,
        chains: int | None = None,
        samples: int | None = None,
        burn_in: int | None = None,
        inclusion_active: float | None = None,
        inclusion_inactive: float | None = None,
        start: str | None = None,
        iterations: int | None = None,
        starts: int | None = None,
        tolerance: float | None = None,
        leapfrog_steps: int | None = None,
        target_acceptance: float | None = None,
        penalty: float | None = None,
        loading_regularizer: str | None = None,
        loading_penalty: float | None = None,
        path_length: int | None = None,
        search: str | None = None,
        fit_intercept: bool = True,
        standardize: bool = True,
        holdout: float = 0.0,
        random_state: Any = 1,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None: ...
    def fit(self, X: Any, y: Any = None) -> Self: ...
    def fit_impute(self, X: Any, return_std: bool = False, return_interval: bool = False) -> Any: ...
    def impute(self, X: Any, return_std: bool = False, return_interval: bool = False) -> Any: ...
    def inverse_transform(self, X: ArrayLike) -> np.ndarray: ...
    def plot(self, kind: str = loadings, ax: Any = None, top: int = 30) -> Any: ...
    def save(self, path: Any) -> None: ...
    def summary(self) -> Summary: ...
    def transform(self, X: Any) -> np.ndarray: ...
    def transform_inclusion(self, X: Any) -> np.ndarray | None: ...
