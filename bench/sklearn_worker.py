"""scikit-learn and pandas as a worker of bench/run.py: one command per line on stdin, one line of JSON per answer.

    load DIR                        a dense gaussian problem that tamis_bench wrote into DIR
    path PENALTIES COEFFICIENTS     lasso_path on the given penalties (doubles); writes intercepts and coefficients
    ard COEFFICIENTS                ARDRegression with its defaults; writes intercept and coefficients
    load_sparse DIR                 a sparse problem of two classes
    liblinear                       LogisticRegression, L1, C = 1, columns as they are
    csv FILE                        pandas.read_csv with its C engine
Columns are standardized and y is centered before the clock starts: lasso_path itself does neither.
"""
import json
import sys
import time
from pathlib import Path

import numpy as np
import pandas
import sklearn
from scipy.sparse import csc_matrix
from sklearn.linear_model import ARDRegression, LogisticRegression, lasso_path


def timed(work):
    """Seconds on the clock and of processor, and the result."""
    clock, processor = time.perf_counter(), time.process_time()
    result = work()
    return {"seconds": time.perf_counter() - clock, "processor": time.process_time() - processor}, result


class Problem:
    def __init__(self, folder):
        rows, cols = (int(v) for v in (folder / "shape.txt").read_text().split()[:2])
        X = np.fromfile(folder / "X.bin").reshape(cols, rows).T
        y = np.fromfile(folder / "y.bin")
        self.center, self.scale, self.mean = X.mean(axis=0), X.std(axis=0), y.mean()
        self.X, self.y = np.asfortranarray((X - self.center) / self.scale), y - self.mean

    def path(self, penalty_file, coefficient_file):
        reply, (_, coefficients, _) = timed(lambda: lasso_path(self.X, self.y, alphas=np.fromfile(penalty_file)))
        original = coefficients / self.scale[:, None]
        np.vstack([self.mean - self.center @ original, original]).T.tofile(coefficient_file)
        return reply


    def ard(self, coefficient_file):
        reply, fitted = timed(lambda: ARDRegression().fit(self.X, self.y))
        # Its threshold leaves small coefficients behind in what it keeps; what it prunes is exactly zero.
        original = fitted.coef_ / self.scale
        np.concatenate([[self.mean - self.center @ original], original]).tofile(coefficient_file)
        return reply


class SparseProblem:
    def __init__(self, folder):
        rows, cols = (int(v) for v in (folder / "shape.txt").read_text().split()[:2])
        values = np.fromfile(folder / "values.bin")
        indices, starts = (np.fromfile(folder / f"{name}.bin", dtype=np.int32) for name in ("indices", "starts"))
        # liblinear works on rows: they are made before the clock starts.
        self.X, self.y = csc_matrix((values, indices, starts), shape=(rows, cols)).tocsr(), np.fromfile(folder / "y.bin")

    def liblinear(self):
        reply, fitted = timed(lambda: LogisticRegression(penalty="l1", solver="liblinear", C=1.0).fit(self.X, self.y))
        return {**reply, "kept": int(np.count_nonzero(fitted.coef_))}


def read_csv(path):
    reply, frame = timed(lambda: pandas.read_csv(path, engine="c"))
    return {**reply, "rows": len(frame)}


def main():
    problem = None
    for line in sys.stdin:
        command, *words = line.split()
        if command == "load":
            problem = Problem(Path(words[0]))
            reply = {"version": f"scikit-learn {sklearn.__version__}, pandas {pandas.__version__}"}
        elif command == "path":
            reply = problem.path(*words)
        elif command == "ard":
            reply = problem.ard(*words)
        elif command == "load_sparse":
            problem = SparseProblem(Path(words[0]))
            reply = {}
        elif command == "liblinear":
            reply = problem.liblinear()
        elif command == "csv":
            reply = read_csv(words[0])
        else:
            raise SystemExit(f"unknown command: {line}")
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
