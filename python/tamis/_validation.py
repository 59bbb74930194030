"""Data as the library takes them: views where the memory allows, and scikit-learn's checks around."""
import joblib
import numpy as np
import scipy.sparse
from sklearn.utils import check_array, check_random_state

try:
    from sklearn.utils.validation import validate_data
except ImportError:  # before scikit-learn 1.6
    def validate_data(estimator, *arrays, **checks):
        return estimator._validate_data(*arrays, **checks)

# float64 arrays in Fortran order, and compressed sparse columns, are used where they lie.
LAYOUT = {"accept_sparse": "csc", "dtype": np.float64}


def design(X, low_memory=False):
    """X as the library takes it: an array whose columns are contiguous (`low_memory`: or its rows), or the parts of
    sparse columns."""
    if not scipy.sparse.issparse(X):
        return X if low_memory and X.flags.c_contiguous else np.asfortranarray(X)
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    return (*X.shape, X.indptr, X.indices, X.data)


def plain(value):
    """An option as the library takes it: all its numbers are real."""
    value = value.item() if isinstance(value, np.generic) else value
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


def seed_of(random_state):
    if isinstance(random_state, (int, np.integer)):
        return int(random_state)
    return int(check_random_state(random_state).randint(np.iinfo(np.int32).max))


def folds_of(cv):
    if not isinstance(cv, (int, np.integer)):
        raise ValueError(f"cv: received a {type(cv).__name__}, expected a number of folds: the library draws its own")
    return int(cv)


def threads_of(n_jobs):
    return joblib.effective_n_jobs(n_jobs)


def numbers(values, length, what):
    """One float64 per row, or None."""
    if values is None:
        return None
    values = check_array(values, ensure_2d=False, dtype=np.float64, input_name=what)
    if values.shape != (length,):
        raise ValueError(f"{what}: received an array of shape {values.shape} for {length} rows")
    return values


def held_out(estimator, validation, codes):
    """(X, y[, sample_weight[, offset]]) as the library takes it; `codes` turns y into numbers."""
    if validation is None:
        return None
    if not 2 <= len(validation) <= 4:
        raise ValueError(f"validation: received {len(validation)} parts, expected (X, y[, sample_weight[, offset]])")
    X, y, weights, offset = (*validation, None, None)[:4]
    X = validate_data(estimator, X, reset=False, **LAYOUT)
    rows = X.shape[0]
    return (design(X), numbers(codes(y), rows, "validation y"), numbers(weights, rows, "validation sample_weight"),
            numbers(offset, rows, "validation offset"))
