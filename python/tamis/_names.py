"""What the estimator of each method is called."""
from tamis import _core

_NAMES = {
    "lasso": "Lasso", "elastic-net": "ElasticNet", "ridge": "Ridge", "capped-l1": "CappedL1",
    "vg": "VariationalGarrote", "pmf": "PairedMeanField", "ard": "ARD", "bm": "BayesianMasking",
    "flas": "LaplaceSpikeSlab", "ep": "ExpectationPropagation", "gibbs": "GibbsSpikeSlab", "exact": "ExactSpikeSlab",
}


def estimator_name(method, family):
    """Of the library's method for a family of responses."""
    return _NAMES[method] + ("Classifier" if family == "bernoulli" else "")


def estimator_names():
    """All of them, in the order of the library's list."""
    found = []
    for method in _core.methods():
        found += [estimator_name(method["name"], family) for family in (None, "bernoulli")
                  if family is None or family in method["families"]]
    return found
