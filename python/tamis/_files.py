"""Model files as fitted estimators."""
import numpy as np

from tamis import _core
from tamis._estimators import classes
from tamis._factor import SparseFactorModel
from tamis._families import is_binary
from tamis._names import estimator_name

_RENAMED = {"intercept": "fit_intercept", "folds": "cv", "seed": "random_state", "factors": "n_factors"}


def _with_options(estimator, model, **more):
    """The estimator with the parameters that the model was fitted with."""
    known = estimator.get_params()
    values = {_RENAMED.get(name, name): value for name, value in model.options.items()} | more
    # Numbers of a model file have no type of their own: whole where they are and the default is not a fraction.
    whole = {name: isinstance(value, float) and value.is_integer() and not isinstance(known.get(name), float)
             for name, value in values.items()}
    return estimator.set_params(**{name: int(value) if whole[name] else value
                                   for name, value in values.items() if name in known})


def _name_features(estimator, names):
    estimator.n_features_in_ = len(names)
    if names != [f"x{j + 1}" for j in range(len(names))]:
        estimator.feature_names_in_ = np.array(names, dtype=object)


def _regression(model):
    binary = is_binary(model.family)
    names = [estimator_name(method, binary) for method in _core.methods() if method["name"] == model.method]
    if not names or names[0] not in classes:
        raise ValueError(f"there is no estimator for models of the method {model.method} and the family {model.family}; "
                         f"there are {', '.join(classes)}")
    estimator = classes[names[0]]()
    _with_options(estimator, model, family=model.family)
    _name_features(estimator, model.features)
    if binary:
        estimator.classes_ = np.array(model.levels or [0, 1])
    else:
        estimator._flat = len(model.targets()) == 1
    estimator._take(model)
    return estimator


def _factors(model):
    estimator = SparseFactorModel()
    _with_options(estimator, model, prior=model.prior, family=model.family, n_factors=model.factors)
    _name_features(estimator, model.columns)
    estimator._take(model)
    return estimator


def load(path):
    """Load a model file, written by Python or by the command line, as a fitted estimator."""
    with open(path, encoding="utf-8", errors="replace") as file:
        beginning = file.read(200)
    is_factors = '"tamis.factor/' in beginning
    return _factors(_core.FactorFit.load(str(path))) if is_factors else _regression(_core.Fit.load(str(path)))
