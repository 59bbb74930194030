"""tamis: the few features that matter among many, and how sure.

Estimators for scikit-learn over the C++ library: a regressor for every method, and a classifier (same name +
``Classifier``) for those that fit two classes.

>>> import numpy as np, tamis
>>> X = np.asfortranarray(np.random.default_rng(0).standard_normal((100, 20)))
>>> model = tamis.VariationalGarrote().fit(X, 3 * X[:, 4])
>>> [s.name for s in model.select()]
['x5']
"""
from tamis import _core
from tamis._estimators import classes as _classes
from tamis._estimators import load

__version__ = _core.version
Fit = _core.Fit
methods = _core.methods

globals().update(_classes)
__all__ = ["Fit", "load", "methods", *_classes]
