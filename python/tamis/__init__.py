"""tamis: sparse Bayesian regression, variable selection and factor models.

scikit-learn estimators on top of the C++ library: a regressor for every method, a classifier (same name +
``Classifier``) for methods that support two classes, and ``SparseFactorModel`` for tables with missing cells.

>>> import numpy as np, tamis
>>> X = np.asfortranarray(np.random.default_rng(0).standard_normal((100, 20)))
>>> model = tamis.VariationalGarrote().fit(X, 3 * X[:, 4])
>>> [s.name for s in model.select()]
['x5']
"""
from tamis import _core
from tamis._names import estimator_names

__version__ = _core.version
FactorFit = _core.FactorFit
Fit = _core.Fit
methods = _core.methods

_LAZY = (*estimator_names(), "SparseFactorModel", "load")
__all__ = ["FactorFit", "Fit", "methods", *_LAZY]


def __getattr__(name):
    """Estimators are made when one is asked for: scikit-learn takes longer to import than all of tamis."""
    if name not in _LAZY:
        raise AttributeError(f"module 'tamis' has no attribute {name!r}")
    from tamis import _estimators, _factor, _files

    globals().update(_estimators.classes, SparseFactorModel=_factor.SparseFactorModel, load=_files.load)
    return globals()[name]


def __dir__():
    return sorted({*globals(), *_LAZY})
