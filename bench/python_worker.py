"""Estimators of one Python as a worker of bench/python_table.py: one command per line on stdin, one line of JSON per answer.

    load FOLDER          training set, test set and truth as tamis_bench's `sets` writes them
    fit NAME             fits it in one thread: seconds of processor, features kept, F1, test error over the oracle's; a small fit
                         comes first, so that what is compiled or imported at first use is not timed
    version NAME         of the package behind it
Every estimator gets float64 columns in Fortran order, which is what most of them want."""
import importlib
import json
import sys
import time
import warnings
from pathlib import Path

import numpy as np

FOLDS = 5


class Data:
    def __init__(self, folder):
        rows, cols, tests = (int(word) for word in (folder / "shape.txt").read_text().split())
        self.X = np.fromfile(folder / "X.bin").reshape(cols, rows).T
        self.y = np.fromfile(folder / "y.bin")
        self.test_X = np.fromfile(folder / "test_X.bin").reshape(cols, tests).T
        self.test_y = np.fromfile(folder / "test_y.bin")
        self.truth = np.flatnonzero(np.fromfile(folder / "truth.bin"))
        self.binary = set(np.unique(self.y)) <= {0.0, 1.0}

    def loss(self, eta):
        """Mean squared error, or mean log loss of log odds, on the test set."""
        if self.binary:
            return float(np.mean(np.logaddexp(0, eta) - self.test_y * eta))
        return float(np.mean((self.test_y - eta) ** 2))

    def oracle(self):
        """The loss of a regression on the true features alone."""
        from sklearn.linear_model import LinearRegression, LogisticRegression

        columns = self.truth
        model = LogisticRegression(C=1e6, max_iter=1000) if self.binary else LinearRegression()
        model.fit(self.X[:, columns], self.y)
        return self.loss(eta_of(model, self.test_X[:, columns]))


def eta_of(model, X):
    """The linear predictor of new rows."""
    return X @ np.ravel(model.coef_) + np.ravel(model.intercept_)[0]


def ours(name):
    import tamis

    cls = getattr(tamis, name)
    return lambda X, y: cls(cv=FOLDS).fit(X, y)


def scikit_learn(name):
    from sklearn import linear_model

    name, _, penalties = name.partition(",")
    more = {"LassoCV": {"cv": FOLDS}, "ARDRegression": {},
            "LogisticRegressionCV": {"cv": FOLDS, "penalty": "l1", "solver": "liblinear", "Cs": int(penalties or 10)}}[name]
    cls = getattr(linear_model, name)
    return lambda X, y: cls(**more).fit(X, y)


def celer(X, y):
    from celer import LassoCV

    return LassoCV(cv=FOLDS).fit(X, y)


def skglm(X, y):
    """The minimax concave penalty; its size by folds, as the package leaves that to scikit-learn."""
    from skglm import MCPRegression
    from sklearn.model_selection import GridSearchCV

    centered = y - y.mean()
    largest = np.max(np.abs(X.T @ centered)) / len(y)
    search = GridSearchCV(MCPRegression(), {"alpha": largest * np.geomspace(1, 0.01, 30)[1:]}, cv=FOLDS,
                          scoring="neg_mean_squared_error")
    return search.fit(X, y).best_estimator_


class Coefficients:
    def __init__(self, coef, intercept):
        self.coef_, self.intercept_ = np.asarray(coef), intercept


def adelie(X, y):
    import adelie as ad

    family = ad.glm.binomial if set(np.unique(y)) <= {0.0, 1.0} else ad.glm.gaussian
    X = np.asfortranarray(X)
    chosen = ad.cv_grpnet(X, family(y), n_folds=FOLDS, progress_bar=False, n_threads=1)
    fitted = chosen.fit(X, family(y), progress_bar=False, n_threads=1)
    return Coefficients(fitted.betas[-1].toarray().ravel(), fitted.intercepts[-1])


def abess(X, y):
    from abess import LinearRegression, LogisticRegression

    return (LogisticRegression if set(np.unique(y)) <= {0.0, 1.0} else LinearRegression)(thread=1).fit(X, y)


def sparsevb(X, y):
    from sparsevb import svb_fit_linear

    fitted = svb_fit_linear(X, y, intercept=True)
    inclusion = np.asarray(fitted["gamma"]).ravel()
    coef = np.where(inclusion > 0.5, np.asarray(fitted["mu"]).ravel() * inclusion, 0)
    return Coefficients(coef[:X.shape[1]], float(np.ravel(fitted["intercept"])[0]))


def estimator(name):
    package, _, rest = name.partition(":")
    if package in ("tamis", "sklearn"):
        return (ours if package == "tamis" else scikit_learn)(rest)
    return {"celer": celer, "skglm": skglm, "adelie": adelie, "abess": abess, "sparsevb": sparsevb}[package]


def kept_features(model):
    if hasattr(model, "get_support"):
        return model.get_support(indices=True)
    return np.flatnonzero(np.ravel(model.coef_))


def fit(data, name):
    fitter = estimator(name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fitter(np.asfortranarray(data.X[:, :20]), data.y)
        start = time.process_time()  # one thread each: a busy machine does not distort it
        model = fitter(data.X, data.y)
        seconds = time.process_time() - start
    kept = kept_features(model)
    right = len(np.intersect1d(kept, data.truth))
    return {"seconds": seconds, "kept": len(kept), "f1": 2 * right / (len(kept) + len(data.truth)),
            "error": data.loss(eta_of(model, data.test_X)) / data.oracle()}


def version(name):
    package = name.partition(":")[0]
    from importlib import metadata

    if package == "tamis":
        return importlib.import_module(package).__version__
    return metadata.version({"sklearn": "scikit-learn"}.get(package, package))


def main():
    data = None
    for line in sys.stdin:
        command, word = line.split()
        if command == "load":
            data, reply = Data(Path(word)), {}
        elif command == "version":
            reply = {"version": version(word)}
        else:
            try:
                reply = fit(data, word)
            except Exception as error:  # a peer's trouble is a result of this table, not its end
                reply = {"failed": f"{type(error).__name__}: {error}"[:200]}
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
