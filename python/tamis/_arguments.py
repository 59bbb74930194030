"""Parameters as the library takes them; invalid values are refused with one sentence."""
import joblib
import numpy as np
from sklearn.model_selection import check_cv
from sklearn.utils import check_random_state


def plain(name, value):
    """An option as the library takes it: all its numbers are real."""
    if isinstance(value, np.generic) or (isinstance(value, np.ndarray) and value.ndim == 0):
        value = value.item()
    if not isinstance(value, (type(None), bool, int, float, str)):
        raise ValueError(f"{name}: received {value!r}; expected a number or a string")
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


def options_of(estimator, names):
    """Those of the estimator's parameters that are given."""
    found = {name: plain(name, getattr(estimator, name)) for name in names}
    return {name: value for name, value in found.items() if value is not None}


def word_of(name, value):
    if not isinstance(value, str):
        raise ValueError(f"{name}: received {value!r}; expected a string")
    return value


def seed_of(random_state):
    if not isinstance(random_state, (int, np.integer)):
        return int(check_random_state(random_state).randint(np.iinfo(np.int32).max))
    if random_state < 0:
        raise ValueError(f"random_state: received {random_state}; expected a nonnegative integer")
    return int(random_state)


def folds_of(cv, X, y):
    """Keywords of the library's fit: a number of folds to draw (None: 10), or the fold of each row as assigned by a
    scikit-learn splitter or a list of (train, test)."""
    if cv is None or isinstance(cv, (int, np.integer)):
        return {"folds": cv}
    expected = "cv: expected a number of folds, a scikit-learn splitter, or a list of (train, test) row indices"
    if isinstance(cv, str) or not (hasattr(cv, "split") or np.iterable(cv)):
        raise ValueError(f"{expected}; received {cv!r}")
    try:
        splits = list(check_cv(cv).split(X, y))
        in_training, in_test = (np.zeros((len(splits), X.shape[0]), dtype=bool) for _ in range(2))
        for fold, (train, test) in enumerate(splits):
            in_training[fold, train] = in_test[fold, test] = True
    except (TypeError, IndexError) as error:
        raise ValueError(f"{expected} ({error})") from error
    if not np.all(in_test.sum(axis=0) == 1) or np.any(in_training == in_test):
        raise ValueError("cv: every row must be in the test set of exactly one split and in the training set of all "
                         "others, as with KFold, StratifiedKFold and GroupKFold; use cross_val_score or GridSearchCV for "
                         "other splits")
    return {"fold_of_row": in_test.argmax(axis=0).tolist()}


def factors_of(n_factors):
    """A list of numbers of factors."""
    wanted = np.atleast_1d(n_factors)
    if wanted.ndim != 1 or wanted.dtype.kind not in "iu":
        raise ValueError(f"n_factors: received {n_factors!r}; expected an integer or a list of integers")
    return wanted.tolist()


def threads_of(n_jobs):
    return joblib.effective_n_jobs(n_jobs)
