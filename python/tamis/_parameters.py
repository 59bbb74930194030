"""Parameters of the estimators, made from the library's own description of a method (its Fields)."""
import inspect

# How to run, the same for every estimator: name, default, what it means.
_RUNNING = [
    ("random_state", 1, "seed of all random choices: a number, a numpy RandomState, or None for a fresh seed"),
    ("n_jobs", None, "threads, counted as joblib does (None: 1, -1: all); the result does not depend on it"),
    ("verbose", 0, "1: a progress bar, in the terminal or in the notebook"),
]
_COMMON = [
    ("fit_intercept", True, "whether the linear predictor has an intercept"),
    ("standardize", True, "work on columns of unit spread; results are on the original scale"),
    ("cv", 10, "cross-validation where the method searches: a number of folds (0: no search, the last point of the path), "
               "a splitter of scikit-learn, or a list of (train, test) rows"),
    ("low_memory", False, "an X in C order is used where it lies; without this it is copied once to Fortran order, and "
                          "the fit is five to eight times as fast"),
    *_RUNNING,
]
_FACTOR = [
    ("n_factors", 1, "number of factors, or a list of numbers: each is fitted on nine tenths of the cells and judged on "
                     "the rest, and the best one is fitted on all"),
    ("prior", "spike-slab", "of the scores: {priors}"),
    ("family", "gaussian", "how cells are distributed (gaussian | bernoulli | poisson)"),
]
_FACTOR_COMMON = [
    ("fit_intercept", True, "one number per column beside the factors"),
    ("standardize", True, "gaussian: work on columns of mean 0 and unit spread; results are on the original scale"),
    ("holdout", 0.0, "hide this share of the cells and score them: nlp_bits_, rmse_"),
    *_RUNNING,
]
# What a fit leaves, the same for every estimator.
ATTRIBUTES = {
    "coef_": "coefficients on the original scale of X: posterior means where there is a posterior",
    "intercept_": "what is added to X times coef_",
    "inclusion_": "probability that each feature belongs in the model; None where the method defines none",
    "std_": "standard deviations of the coefficients; None where the method defines none",
    "noise_variance_": "of the response around its mean; None where the family has none",
    "objective_": "what the method minimises or maximises, at the end",
    "n_iter_": "number of iterations",
    "path_": "a search as columns: value, objective, validation_error, active",
    "trace_": "the iterations as columns: iteration, objective, change, active",
    "model_": "the model itself: all that its file holds",
}
_FAMILY = "how the response is distributed"
_PENALTY_FACTORS = "multiplies the penalty of each feature (0: never penalised); None: ones"
_GROUPS = "a label per feature: features of a label share one prior; None: none do"
_KEEP_DRAWS = "keep all draws, for draws_ and to_arviz()"


def _default(field):
    value = field["default"]
    whole = field["type"] == "integer" and value is not None
    return int(value) if whole else value


def parameters(method, family):
    """(name, default, meaning) of every parameter of the estimator of `method`; family: bernoulli, or None."""
    found = []
    for field in method["fields"]:
        if field["name"] == "groups" and method["uses_groups"]:
            found.append(("groups", None, _GROUPS))
        else:
            found.append((field["name"], _default(field), f"{field['meaning']} ({field['range']})"))
    families = [name for name in method["families"] if name != "bernoulli"]
    if family is None and len(families) > 1:
        found.append(("family", families[0], f"{_FAMILY} ({' | '.join(families)})"))
    if method["uses_penalty_factors"]:
        found.append(("penalty_factors", None, _PENALTY_FACTORS))
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
    found = [(name, default, meaning.format(priors=names)) for name, default, meaning in _FACTOR]
    for name, uses in factor_options(priors).items():
        found.append((name, None, "; ".join(f"{prior}: {meaning}" for prior, meaning in uses)))
    return found + _FACTOR_COMMON


def initializer(class_name, described):
    """An __init__ that stores keyword arguments, with the signature that scikit-learn looks for."""
    defaults = {name: default for name, default, _ in described}

    def __init__(self, **given):
        unknown = sorted(given.keys() - defaults.keys())
        if unknown:
            raise TypeError(f"{type(self).__name__}: unknown parameter {', '.join(unknown)}; "
                            f"there are {', '.join(defaults)}")
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
