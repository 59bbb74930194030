"""Parameters of the estimators, made from the library's own description of a method (its Fields)."""
import inspect

from tamis._families import families_of, family_names

# Parameters that all estimators share: name, default, meaning.
_RUNNING = [
    ("random_state", 1, "random seed: an integer, a numpy RandomState, or None for a different seed in every fit"),
    ("n_jobs", None, "number of threads, as in joblib (None: 1, -1: all); results do not depend on it"),
    ("verbose", 0, "1: show a progress bar, in the terminal or the notebook"),
]
_COMMON = [
    ("fit_intercept", True, "whether to fit an intercept"),
    ("standardize", True, "whether to standardize the columns; results are on the original scale"),
    ("cv", 10, "cross-validation, for methods that choose a tuning parameter: a number of folds (0: no cross-validation; "
               "return the last point of the path), a scikit-learn splitter, or a list of (train, test) row indices"),
    ("low_memory", False, "whether to use an X in C order without a copy; by default it is copied once to Fortran order, "
                          "which makes the fit five to eight times as fast"),
    *_RUNNING,
]
_FACTOR = [
    ("n_factors", 1, "number of factors, or a list of candidates: each is fitted to nine tenths of the cells and scored on "
                     "the rest (held-out cells excluded), and the best is refitted to all cells"),
    ("prior", "spike-slab", "prior of the scores: {priors}"),
    ("family", None, "distribution of the cells ({families}); None: guessed from the cells, see family_"),
]
_FACTOR_COMMON = [
    ("fit_intercept", True, "whether to fit column intercepts"),
    ("standardize", True, "whether to standardize the columns (gaussian only); results are on the original scale"),
    ("holdout", 0.0, "fraction of the observed cells to hold out and score: nlp_bits_, rmse_"),
    *_RUNNING,
]
# Attributes after a fit, the same for every estimator.
ATTRIBUTES = {
    "coef_": "coefficients on the original scale of X (posterior means for Bayesian methods)",
    "intercept_": "intercept of the linear predictor",
    "inclusion_": "inclusion probabilities of the features; None if the method does not define them",
    "inclusion_error_": "Monte Carlo standard errors of inclusion_; None if the method does not draw",
    "inclusion_kind_": "what inclusion_ is: posterior, approximate, none or unknown",
    "credible_sets_": "sets of few features, at least one of which matters; empty for methods that draw no models",
    "alternatives_": "unselected features that are correlated with a selected one and may stand in for it",
    "std_": "posterior standard deviations of the coefficients; None if the method does not define them",
    "noise_variance_": "noise variance; None if the family has none",
    "objective_": "final value of the objective of the method",
    "n_iter_": "number of iterations",
    "path_": "path over the tuning parameter, as columns: value, objective, validation_error, active",
    "trace_": "convergence trace, as columns: iteration, objective, change, active",
    "model_": "the underlying Fit, with the content of the model file",
}
_FAMILY = "distribution of the response"
_PENALTY_FACTORS = "factor that multiplies the penalty of each feature (0: not penalized); None: all ones"
_FEATURE_PRIORS = "prior inclusion probability of each feature, NaN where it has none of its own; None: none has"
_GROUPS = "group label of each feature: features of a group share one prior; None: no groups"
_COMPONENTS = ("covariance components of the prior, a dictionary of arrays by name: one row per feature for a factor L "
               "(covariance L L' of the coefficients), rows x rows for a kernel of the rows of X, such as a kinship matrix; "
               "a name may say which by the prefix features: or rows:; None: every feature has its own variance")
_KEEP_DRAWS = "whether to keep all draws, for draws_ and to_arviz()"


def _default(field):
    value = field["default"]
    whole = field["type"] == "integer" and value is not None
    return int(value) if whole else value


def parameters(method, binary):
    """(name, default, meaning) of every parameter of the estimator of `method`; binary: for two classes."""
    found = []
    for field in method["fields"]:
        if field["name"] == "groups" and method["uses_groups"]:
            found.append(("groups", None, _GROUPS))
        else:
            found.append((field["name"], _default(field), f"{field['meaning']} ({field['range']})"))
    families = families_of(method, binary)
    if len(families) > 1:
        found.append(("family", families[0], f"{_FAMILY} ({' | '.join(families)})"))
    if method["uses_penalty_factors"]:
        found.append(("penalty_factors", None, _PENALTY_FACTORS))
    if method["uses_components"] and not binary:
        found.append(("components", None, _COMPONENTS))
    if method["uses_feature_priors"]:
        found.append(("feature_priors", None, _FEATURE_PRIORS))
    if method["is_sampler"]:
        found.append(("keep_draws", False, _KEEP_DRAWS))
    return found + _COMMON


def factor_options(priors):
    """Options of all priors by name: which prior means what by it."""
    options = {}
    for prior in priors:
        for field in prior["fields"]:
            default = _default(field)
            given = "" if default is None else f", default {default}"
            options.setdefault(field["name"], []).append(
                (prior["name"], f"{field['meaning']} ({field['range']}{given})"))
    return options


def factor_parameters(priors):
    """(name, default, meaning) of every parameter of SparseFactorModel. An option that is None is the prior's default;
    a prior that does not have it refuses any other value."""
    names = "; ".join(f"{prior['name']} ({prior['summary']})" for prior in priors)
    found = [(name, default, meaning.format(priors=names, families=" | ".join(family_names()))) for name, default, meaning in _FACTOR]
    for name, uses in factor_options(priors).items():
        priors_of = {}  # by meaning, so that what several priors share is said once
        for prior, meaning in uses:
            priors_of.setdefault(meaning, []).append(prior)
        found.append((name, None, "; ".join(f"{', '.join(sharing)}: {meaning}" for meaning, sharing in priors_of.items())))
    return found + _FACTOR_COMMON


def initializer(class_name, described):
    """An __init__ that stores keyword arguments, with the signature that scikit-learn looks for."""
    defaults = {name: default for name, default, _ in described}

    def __init__(self, **given):
        unknown = sorted(given.keys() - defaults.keys())
        if unknown:
            raise TypeError(f"{type(self).__name__}: unknown parameter {', '.join(unknown)}; "
                            f"expected any of {', '.join(defaults)}")
        for name, default in defaults.items():
            setattr(self, name, given.get(name, default))

    __init__.__qualname__ = f"{class_name}.__init__"
    keyword, first = inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD
    __init__.__signature__ = inspect.Signature(
        [inspect.Parameter("self", first)]
        + [inspect.Parameter(name, keyword, default=default) for name, default in defaults.items()])
    return __init__


def docstring(summary, described, example, attributes=()):
    lines = [summary, "", "Parameters", "----------"]
    for name, default, meaning in described:
        lines += [f"{name} : default={default!r}", f"    {meaning}"]
    if attributes:
        lines += ["", "Attributes", "----------"]
    for name, meaning in dict(attributes).items():
        lines += [name, f"    {meaning}"]
    return "\n".join([*lines, "", "Examples", "--------", *example, ""])
