"""Type stubs of the Python package, made from the package itself: python/tamis/__init__.pyi.

    PYTHONPATH=build/python python3 tools/python_stubs.py > python/tamis/__init__.pyi
Signatures come from the methods' own annotations, parameters from the library's Fields. A test compares."""
import inspect
import sys

import tamis

HEAD = '''"""Made by tools/python_stubs.py."""
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
'''
_KINDS = {"real": "float", "integer": "int", "boolean": "bool", "choice": "str", "text": "str"}
# Parameters that are no option of a method, and attributes of fitted estimators.
_OTHERS = {"family": "str", "penalty_factors": "ArrayLike | None", "feature_priors": "ArrayLike | None",
           "groups": "ArrayLike | None", "components": "dict[str, ArrayLike] | None", "keep_draws": "bool",
           "fit_intercept": "bool", "standardize": "bool", "cv": "int", "low_memory": "bool", "random_state": "Any", "n_jobs": "int | None",
           "verbose": "int", "n_factors": "int | list[int]", "prior": "str", "holdout": "float"}
_REGRESSION = {"model_": "Fit", "coef_": "np.ndarray", "intercept_": "Any", "inclusion_": "np.ndarray | None",
               "inclusion_error_": "np.ndarray | None",
               "inclusion_kind_": "str", "credible_sets_": "list[dict[str, Any]]", "alternatives_": "list[dict[str, Any]]",
               "std_": "np.ndarray | None", "noise_variance_": "float | None", "objective_": "float", "n_iter_": "int",
               "path_": "dict[str, np.ndarray]", "trace_": "dict[str, np.ndarray]", "n_features_in_": "int",
               "feature_names_in_": "np.ndarray"}
_FACTORS = {"model_": "FactorFit", "components_": "np.ndarray", "intercept_": "np.ndarray | None",
            "scores_": "np.ndarray", "inclusion_": "np.ndarray | None", "imputed_": "dict[str, np.ndarray]",
            "factor_rates_": "np.ndarray", "factor_means_": "np.ndarray", "factor_variances_": "np.ndarray",
            "noise_variances_": "np.ndarray | None", "trace_": "dict[str, np.ndarray]",
            "search_": "dict[str, np.ndarray]", "nlp_bits_": "float | None", "rmse_": "float | None",
            "rhat_": "float | None", "ess_": "float | None", "n_factors_": "int", "family_": "str", "n_iter_": "int",
            "n_features_in_": "int", "feature_names_in_": "np.ndarray"}


def field_types(cls):
    """The type of every option by name."""
    lists = [cls._method["fields"]] if hasattr(cls, "_method") else [p["fields"] for p in tamis._core.factor_priors()]
    return {field["name"]: _KINDS[field["type"]] for fields in lists for field in fields}


def parameter(cls, name, default):
    kind = _OTHERS.get(name) or field_types(cls)[name]
    optional = " | None" if default is None and "None" not in kind and kind != "Any" else ""
    return f"{name}: {kind}{optional} = {default!r}"


def constructor(cls):
    given = list(inspect.signature(cls.__init__).parameters.values())[1:]
    words = ",\n        ".join(parameter(cls, each.name, each.default) for each in given)
    return f"    def __init__(\n        self,\n        *,\n        {words},\n    ) -> None: ..."


def own_methods(cls):
    """Public methods that tamis defines, not scikit-learn."""
    found = {}
    for base in reversed(cls.__mro__):
        if base.__module__.startswith("tamis"):
            found |= {name: value for name, value in vars(base).items() if inspect.isfunction(value)}
    return {name: value for name, value in found.items() if not name.startswith("_")}


def stub(cls, attributes):
    bases = [base.__name__ for base in cls.__mro__[1:] if base.__module__.startswith("sklearn")]
    shown = [name for name in ("RegressorMixin", "ClassifierMixin", "TransformerMixin", "SelectorMixin") if name in bases]
    if "SelectorMixin" in shown and "TransformerMixin" in shown:
        shown.remove("TransformerMixin")
    lines = [f"class {cls.__name__}({', '.join([*shown, 'BaseEstimator'])}):"]
    lines += [f"    {name}: {kind}" for name, kind in attributes.items()]
    lines.append(constructor(cls))
    for name, function in sorted(own_methods(cls).items()):
        signature = str(inspect.signature(function)).replace("'", "")
        lines.append(f"    def {name}{signature}: ...")
    return "\n".join(lines)


def core_stub(cls):
    lines = [f"class {cls.__name__}:"]
    for name, value in sorted(vars(cls).items()):
        if name.startswith("_"):
            continue
        if isinstance(value, property):
            lines.append(f"    {name}: Any")
        elif isinstance(value, staticmethod):
            lines.append(f"    @staticmethod\n    def {name}(*args: Any, **more: Any) -> {cls.__name__}: ...")
        else:
            lines.append(f"    def {name}(self, *args: Any, **more: Any) -> Any: ...")
    return "\n".join(lines)


def attributes_of(cls):
    more = {"classes_": "np.ndarray"} if cls.__name__.endswith("Classifier") else {}
    return {**_REGRESSION, **more, **({"draws_": "dict[str, Any]"} if cls._method["is_sampler"] else {})}


def stubs():
    parts = [HEAD.rstrip(), core_stub(tamis.Fit), core_stub(tamis.FactorFit)]
    for name in tamis.__all__:
        value = getattr(tamis, name)
        if inspect.isclass(value) and hasattr(value, "_method"):
            parts.append(stub(value, attributes_of(value)))
    parts.append(stub(tamis.SparseFactorModel, _FACTORS))
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    sys.stdout.write(stubs())
