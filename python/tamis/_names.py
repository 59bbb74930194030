"""What the estimator of each method is called."""
from tamis import _core
from tamis._families import families_of

_NAMES = {
    "lasso": "Lasso", "elastic-net": "ElasticNet", "ridge": "Ridge", "capped-l1": "CappedL1",
    "vg": "VariationalGarrote", "pmf": "PairedMeanField", "ard": "ARD", "bm": "BayesianMasking",
    "flas": "LaplaceSpikeSlab", "ep": "ExpectationPropagation", "gibbs": "GibbsSpikeSlab", "exact": "ExactSpikeSlab",
}


def estimator_name(method, binary):
    """Of the library's method; binary: for responses of two classes."""
    return _NAMES[method] + ("Classifier" if binary else "")


def estimator_names():
    """All of them, in the order of the library's list."""
    found = []
    for method in _core.methods():
        found += [estimator_name(method["name"], binary) for binary in (False, True) if families_of(method, binary)]
    return found
