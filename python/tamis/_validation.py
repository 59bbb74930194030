"""Data as the library takes them: views where the memory allows, and scikit-learn's checks around."""
import inspect

import numpy as np
import scipy.sparse
from sklearn.utils import check_array

from tamis._sparse import check_sparse

try:
    from sklearn.utils.validation import validate_data
except ImportError:  # before scikit-learn 1.6
    def validate_data(estimator, *arrays, **checks):
        return estimator._validate_data(*arrays, **checks)

# float64 arrays whose columns are contiguous, and compressed sparse columns, are used where they lie (see `design`).
LAYOUT = {"accept_sparse": "csc", "dtype": np.float64}
# NaN is a missing cell; scikit-learn 1.6 renamed the keyword.
_FINITE = "ensure_all_finite" if "ensure_all_finite" in inspect.signature(check_array).parameters else "force_all_finite"
WITH_HOLES = {**LAYOUT, _FINITE: "allow-nan"}


def checked(estimator, X, *y, **checks):
    """X and y after scikit-learn's checks; an X that they refuse is refused with the location of the first bad value."""
    for each in (X, *y):
        check_sparse(each)
    # Numbers of another type are converted to columns at once, not first to rows of the right type.
    is_as_it_was = getattr(X, "dtype", None) == np.float64 or hasattr(X, "columns")
    order = None if is_as_it_was or getattr(estimator, "low_memory", False) else "F"
    try:
        return validate_data(estimator, X, *y, order=order, **checks)
    except (TypeError, ValueError) as error:
        trouble = _first_not_finite(X, str(error)) or _column_of_other_things(X)
        if trouble is None:
            raise
        raise ValueError(trouble) from error


def _column_of_other_things(X):
    """Message about the first column of a data frame that is not numeric, or None."""
    for name in getattr(X, "columns", ()):
        column = np.asarray(X[name])
        try:
            is_number = column.dtype.kind not in "mM" and column.astype(np.float64) is not None
        except (TypeError, ValueError):
            is_number = False
        if not is_number:
            return (f"X: column {name!r} has dtype {X[name].dtype}; expected numbers: encode it, for example with "
                    "sklearn.preprocessing.OneHotEncoder")
    return None


def _first_not_finite(X, refusal):
    what, is_bad = ("NaN", np.isnan) if "X contains NaN" in refusal else ("infinity", np.isinf)
    if f"X contains {what}" not in refusal:
        return None
    if scipy.sparse.issparse(X):
        X = X.tocoo()
        k = np.flatnonzero(is_bad(X.data))[0]
        row, column = X.row[k], X.col[k]
    else:
        row, column = np.argwhere(is_bad(check_array(X, dtype=np.float64, **{_FINITE: False})))[0]
    name = f" (column {X.columns[column]!r})" if hasattr(X, "columns") else ""
    return (f"Input X contains {what}: the first is X[{row}, {column}]{name}; drop such rows or impute such values, for "
            "example with sklearn.impute.SimpleImputer in a pipeline")


def names_of(estimator, X):
    """Names of the features: those that scikit-learn keeps, or what else a frame calls its columns; none for arrays."""
    return [str(name) for name in getattr(estimator, "feature_names_in_", getattr(X, "columns", ()))]


def target_names(y):
    """Of a frame or a series; none for arrays."""
    names = getattr(y, "columns", [getattr(y, "name", None)])
    return [str(name) for name in names if name not in (None, "")]


def _has_contiguous_columns(X):
    step, next_column = X.strides
    return step == X.itemsize and next_column >= X.shape[0] * X.itemsize and X.flags.aligned


def design(X, low_memory=False):
    """X as the library takes it: an array whose columns are contiguous (`low_memory`: or its rows), or the parts of
    sparse columns. A view of X where that is so already: also some rows of an array in Fortran order."""
    if not scipy.sparse.issparse(X):
        lies_well = _has_contiguous_columns(X) or (low_memory and _has_contiguous_columns(X.T))
        return X if lies_well else np.require(X, requirements="FA")
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    return (*X.shape, X.indptr, X.indices, X.data)


def numbers(values, length, what, of="rows"):
    """One float64 per row (or whatever `of` says), or None."""
    if values is None:
        return None
    values = check_array(values, ensure_2d=False, dtype=np.float64, input_name=what)
    if values.shape != (length,):
        raise ValueError(f"{what}: received an array of shape {values.shape}; expected ({length},) for {length} {of}")
    return values


def component_arrays(components):
    """(name, matrix) of every covariance component; a vector is a factor of one column."""
    if components is None:
        return []
    if not hasattr(components, "items"):
        raise ValueError(f"components: received an object of type {type(components).__name__}; expected a dictionary of "
                         "arrays by name")
    found = []
    for name, values in components.items():
        if scipy.sparse.issparse(values):
            values = values.toarray()
        try:
            values = np.asarray(values, dtype=np.float64, order="F")
        except (TypeError, ValueError) as error:
            raise ValueError(f"components: {name!r} is no array of numbers ({error})") from error
        if values.ndim not in (1, 2):
            raise ValueError(f"components: {name!r} has shape {values.shape}; expected a matrix or a vector")
        found.append((str(name), values.reshape(len(values), -1, order="F") if values.size else values.reshape(-1, 1)))
    if not found:
        raise ValueError("components: received an empty dictionary; expected at least one component, or None")
    return found


def held_out(estimator, validation, codes):
    """(X, y[, sample_weight[, offset]]) as the library takes it; `codes` turns y into numbers."""
    if validation is None:
        return None
    if not 2 <= len(validation) <= 4:
        raise ValueError(f"validation: received a tuple of length {len(validation)}; expected (X, y[, sample_weight[, offset]])")
    X, y, weights, offset = (*validation, None, None)[:4]
    X = checked(estimator, X, reset=False, **LAYOUT)
    rows = X.shape[0]
    return (design(X), numbers(codes(y), rows, "validation y"), numbers(weights, rows, "validation sample_weight"),
            numbers(offset, rows, "validation offset"))
