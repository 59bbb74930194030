"""SparseFactorModel: sparse factor models of tables with missing cells, without numerical code."""
from __future__ import annotations

import os
import warnings
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_array, check_is_fitted

from tamis import _core
from tamis._arguments import factors_of, options_of, seed_of, threads_of, word_of
from tamis._parameters import docstring, factor_options, factor_parameters, initializer
from tamis._progress import progress_of
from tamis._state import plain, take_model
from tamis._summary import Summary
from tamis._validation import WITH_HOLES, checked, design, names_of

_PRIORS = _core.factor_priors()
_OPTIONS = tuple(factor_options(_PRIORS))
# Attributes made from the model: they are not pickled beside it.
_DERIVED = ("components_", "intercept_", "scores_", "inclusion_", "factor_rates_", "factor_means_", "factor_variances_",
            "noise_variances_", "trace_", "search_", "nlp_bits_", "rmse_", "rhat_", "ess_", "n_iter_", "n_factors_",
            "family_")


def _completed(X, cells, return_std, return_interval):
    """A dense copy of X with missing cells imputed, and optionally their standard deviations and intervals. Held-out
    cells are predicted too, but keep their values."""
    X = np.array(X.toarray() if hasattr(X, "toarray") else X, order="F")
    holes = np.isnan(X[cells["row"], cells["column"]])
    places = cells["row"][holes], cells["column"][holes]

    def with_cells(base, name):
        filled = base.copy(order="F")
        filled[places] = cells[name][holes]
        return filled

    found = [with_cells(X, "mean")]
    if return_std:
        found.append(with_cells(np.zeros_like(X), "sd"))
    if return_interval:
        found += [with_cells(X, "lower"), with_cells(X, "upper")]
    return found[0] if len(found) == 1 else tuple(found)


class _SparseFactorModel(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    def fit(self, X: Any, y: Any = None) -> Self:
        """Fit the model to the cells of X that are not NaN."""
        self._fit_table(X)
        return self

    def _fit_table(self, X):
        given = X
        X = checked(self, X, **WITH_HOLES)
        with progress_of(self.verbose) as progress:
            model, self.imputed_ = _core.fit_factors(
                word_of("prior", self.prior), None if self.family is None else word_of("family", self.family),
                design(X), factors_of(self.n_factors), options_of(self, _OPTIONS),
                intercept=bool(self.fit_intercept), standardize=bool(self.standardize), holdout=float(self.holdout),
                column_names=names_of(self, given), seed=seed_of(self.random_state),
                threads=threads_of(self.n_jobs), progress=progress)
        self._take(model)
        if model.status != "converged":
            warnings.warn(f"{self.prior} {model.status}: {model.message}", ConvergenceWarning, stacklevel=4)
        return X

    def _take(self, model):
        self.model_ = model
        self.components_ = model.loadings
        self.intercept_ = model.intercept
        self.scores_, self.inclusion_ = model.scores, model.inclusion
        self.factor_rates_, self.factor_means_ = model.factor_rates, model.factor_means
        self.factor_variances_, self.noise_variances_ = model.factor_variances, model.noise_variances
        self.trace_, self.search_ = model.trace, model.search
        self.nlp_bits_, self.rmse_ = model.nlp_bits, model.rmse
        self.rhat_, self.ess_ = model.rhat, model.ess
        self.n_factors_ = model.factors
        self.family_ = model.family
        iterations = self.trace_["iteration"]
        self.n_iter_ = max(1, int(iterations[-1])) if len(iterations) else 1

    @property
    def _n_features_out(self):
        return self.n_factors_

    def _explain(self, X):
        check_is_fitted(self)
        X = checked(self, X, reset=False, **WITH_HOLES)
        return X, self.model_.explain(design(X), threads_of(self.n_jobs))

    def transform(self, X: Any) -> np.ndarray:
        """Scores of the rows of X (rows x factors): posterior means given the fitted loadings, row by row.
        ``scores_`` contains those of the training rows, which also average over the uncertainty of the loadings."""
        return self._explain(X)[1][0]

    def transform_inclusion(self, X: Any) -> np.ndarray | None:
        """Probability that each score is nonzero; None if the prior has no spike."""
        return self._explain(X)[1][1]

    def inverse_transform(self, X: ArrayLike) -> np.ndarray:
        """Mean of every cell, given the scores of each row."""
        check_is_fitted(self)
        return self.model_.means(check_array(X, dtype=np.float64))

    def impute(self, X: Any, return_std: bool = False, return_interval: bool = False) -> Any:
        """Impute the missing cells (NaN) of X by their predictive means. With `return_std`, also return an array of
        standard deviations (0 for observed cells); with `return_interval`, also the lower and upper bounds of 95%
        prediction intervals (the value itself for observed cells)."""
        X, (_, _, cells) = self._explain(X)
        return _completed(X, cells, return_std, return_interval)

    def fit_impute(self, X: Any, return_std: bool = False, return_interval: bool = False) -> Any:
        """Fit the model to X and impute its missing cells; see `impute`. The predictions account for the uncertainty of
        the loadings and are therefore better than those of ``fit(X).impute(X)``."""
        X = self._fit_table(X)
        return _completed(X, self.imputed_, return_std, return_interval)

    def summary(self) -> Summary:
        """Table of the factors: print it, display it in a notebook, or call its ``to_frame()``."""
        check_is_fitted(self)
        return Summary(self.model_)

    def plot(self, kind: str = "loadings", ax: Any = None, top: int = 30) -> Any:
        """Plot with matplotlib and return the axes. `kind`: ``loadings`` (factors x columns), ``rates`` (proportion of
        rows in which each factor is active), or the ``trace`` of the objective. Shows at most `top` factors."""
        from tamis import _plots

        check_is_fitted(self)
        return _plots.plot_factors(self.model_, kind, ax, top)

    def save(self, path: Any) -> None:
        """Write the model file of ``tamis factor``, which ``tamis.load`` reads."""
        check_is_fitted(self)
        self.model_.save(os.fspath(path))

    def __getstate__(self):
        return plain(super().__getstate__(), _DERIVED)

    def __setstate__(self, state):
        super().__setstate__(state)
        take_model(self, _core.FactorFit)

    def _more_tags(self):
        return {"allow_nan": True, "preserves_dtype": [np.float64]}

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        tags.transformer_tags.preserves_dtype = ["float64"]
        return tags


_EXAMPLE = [
    ">>> import numpy as np, tamis", ">>> draw = np.random.default_rng(0)",
    ">>> table = np.outer(draw.standard_normal(40), [1, 2, 0, -1]) + 0.1 * draw.standard_normal((40, 4))",
    ">>> truth, table[3, 1] = table[3, 1], np.nan", '>>> model = tamis.SparseFactorModel(n_factors=1, prior="vb")',
    ">>> filled, sd = model.fit_impute(table, return_std=True)", ">>> bool(abs(filled[3, 1] - truth) < 3 * sd[3, 1])", "True"]


def _make_class():
    described = factor_parameters(_PRIORS)
    text = docstring("Sparse factor model of a table with missing cells (NaN): x ~ family(intercept + scores loadings), "
                     "with a sparse prior on the scores.", described, _EXAMPLE)
    return type("SparseFactorModel", (_SparseFactorModel,),
                {"__init__": initializer("SparseFactorModel", described), "__doc__": text, "__module__": "tamis"})


SparseFactorModel = _make_class()
