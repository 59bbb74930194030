"""What Python adds to a fit at n = 1000, p = 10,000: time over the library's own call, and memory over X.

    PYTHONPATH=build/python python3 bench/python_overhead.py
Time: estimator and bare call of the library take turns; median of the ratio. Memory: growth of the process' peak during a
fit, in a process of its own, over the bytes of X; extra copies of X would show as 1 and more."""
import importlib.util
import json
import statistics
import subprocess
import sys
import time

ROWS, COLUMNS, TURNS = 1000, 10_000, 7

MEMORY = """
import json, resource, sys
import numpy as np, scipy.sparse, tamis
def make(kind):
    draw = np.random.default_rng(0)
    X = np.empty((%d, %d), order="C" if kind.startswith("C order") else "F")
    for j in range(X.shape[1]):
        X[:, j] = draw.standard_normal(X.shape[0])
    y = X[:, :10].sum(axis=1) + draw.standard_normal(X.shape[0])
    if kind[:3] in ("CSC", "CSR"):
        X = scipy.sparse.random(20_000, 5_000, 0.1, kind[:3].lower(), random_state=0)
        y = np.asarray(X[:, :10].sum(axis=1)).ravel()
        if "int64" in kind:
            X.indices, X.indptr = X.indices.astype(np.int64), X.indptr.astype(np.int64)
        return X, y, X.data.nbytes + X.indices.nbytes
    if "float32" in kind:
        X = X.astype(np.float32)
    if kind == "polars":
        import polars
        X = polars.DataFrame({f"x{j}": X[:, j].copy() for j in range(X.shape[1])})
        return X, y, y.nbytes * X.shape[1]
    if kind == "pandas":
        import pandas
        X = pandas.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])], copy=False)
        return X, y, X.size * 8
    return X, y, X.nbytes
tiny = np.asfortranarray(np.random.default_rng(0).standard_normal((50, 20)))
tamis.Lasso(cv=0).fit(tiny, tiny[:, 0])
X, y, size = make(sys.argv[1])
more = {"low_memory": True} if sys.argv[1] == "C order, low_memory" else {}
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
# The peak so far may be above what is in use now: memory is taken up to it before the fit is watched.
now = int(open("/proc/self/statm").read().split()[1]) * resource.getpagesize()
ballast = np.ones(max(0, peak() - now) // 8)
before = peak()
tamis.Lasso(cv=0, **more).fit(X, y)
print(json.dumps({"extra": (peak() - before) / size}))
""" % (ROWS, COLUMNS)


def overhead():
    import numpy as np
    import tamis

    draw = np.random.default_rng(0)
    X = np.asfortranarray(draw.standard_normal((ROWS, COLUMNS)))
    y = X[:, :20].sum(axis=1) + draw.standard_normal(ROWS)
    estimators = {"Lasso": tamis.Lasso(), "Lasso without folds": tamis.Lasso(cv=0), "PairedMeanField": tamis.PairedMeanField()}
    for name, estimator in estimators.items():
        method, folds = estimator._method["name"], estimator.cv
        ratios, seconds = [], []
        for _ in range(TURNS):
            start = time.perf_counter()
            tamis._core.fit(method, "gaussian", X, y, {}, threads=1, folds=folds)
            middle = time.perf_counter()
            estimator.fit(X, y)
            end = time.perf_counter()
            ratios.append((end - middle) / (middle - start))
            seconds.append(middle - start)
        print(f"{name}: library {statistics.median(seconds):.3f} s, estimator / library {statistics.median(ratios):.3f}")


def memory():
    for kind in ("Fortran order", "C order", "C order, low_memory", "C order, float32", "pandas", "polars", "CSC",
                 "CSC, int64", "CSR"):
        if kind in ("pandas", "polars") and importlib.util.find_spec(kind) is None:
            print(f"{kind}: not installed")
            continue
        reply = subprocess.run([sys.executable, "-c", MEMORY, kind], check=True, capture_output=True, text=True).stdout
        print(f"{kind}: peak memory grows by {json.loads(reply)['extra']:.2f} of X during a fit")


if __name__ == "__main__":
    overhead()
    memory()
