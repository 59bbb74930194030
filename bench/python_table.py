"""The Python package beside others: time, features found, test error; a Markdown table on stdout.

    python3 bench/python_table.py --program build/bin/tamis_bench --package build/python --peers VENV/bin/python

`--peers` is a Python with any of celer, skglm, adelie, abess and sparsevb (`pip install celer skglm adelie abess sparsevb` in a fresh one); those that it
lacks are named and left out. Fits take turns seed by seed in one thread each, so that ratios are of one run."""
import argparse
import datetime
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from tables import markdown
from workers import HERE, SINGLE_THREADED, Worker, tamis

# Name: design, parameters, estimators of this package, of scikit-learn, of the peers. The first of scikit-learn's is
# what times are compared to.
PROBLEMS = {
    "A: n = 1000, p = 10,000": (
        "bench.a", [], ["VariationalGarrote", "PairedMeanField", "ARD", "Lasso"], ["LassoCV"],
        ["celer", "skglm", "adelie", "abess", "sparsevb"]),
    "n = 500, p = 500": (
        "bench.a", ["n=500", "p=500", "test=500"], ["ARD", "VariationalGarrote", "PairedMeanField"],
        ["ARDRegression", "LassoCV"], ["abess", "sparsevb"]),
    "two classes, n = 500, p = 500": (
        "bench.e", ["n=500", "p=500", "active=5", "test=500"],
        ["LassoClassifier", "VariationalGarroteClassifier", "PairedMeanFieldClassifier"], ["LogisticRegressionCV"],
        ["adelie", "abess"]),
}


class PythonWorker(Worker):
    def __init__(self, python, path=None):
        self.name = python
        environment = {**os.environ, **SINGLE_THREADED, **({"PYTHONPATH": str(path)} if path else {})}
        self.process = subprocess.Popen([python, str(HERE / "python_worker.py")], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True, env=environment)


def has(python, package):
    return subprocess.run([python, "-c", f"import {package}"], capture_output=True).returncode == 0


def contestants(arguments, names, sklearns, peers):
    """(worker, name as the worker knows it) in the order of the table; scikit-learn is Debian's."""
    found = [("ours", f"tamis:{name}") for name in names] + [("ours", f"sklearn:{name}") for name in sklearns]
    for name in peers:
        if arguments.peers and has(arguments.peers, name):
            found.append(("peers", f"{name}:"))
        else:
            print(f"{name} is not installed in {arguments.peers}: left out", file=sys.stderr)
    return found


def measure(arguments, workers, problem):
    design, parameters, names, sklearns, peers = PROBLEMS[problem]
    entries = contestants(arguments, names, sklearns, peers)
    results = {entry: [] for entry in entries}
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(1, arguments.seeds + 1):
            with tamis(arguments.program) as maker:
                maker.ask("sets", design, seed, folder, *parameters)
            for worker in workers.values():
                worker.ask("load", folder)
            for entry in entries:
                results[entry].append(workers[entry[0]].ask("fit", entry[1]))
                print(problem, "seed", seed, entry[1], results[entry][-1], file=sys.stderr)
    return rows_of(workers, entries, results, ("ours", f"sklearn:{sklearns[0]}"))


def rows_of(workers, entries, results, reference):
    base = statistics.median(one["seconds"] for one in results[reference])
    rows = []
    for entry in entries:
        package, _, estimator = entry[1].partition(":")
        label = f"{package} {workers[entry[0]].ask('version', entry[1])['version']} {estimator}".strip()
        if "failed" in results[entry][0]:
            rows.append([label, "", "", "", "", results[entry][0]["failed"]])
            continue
        seconds = statistics.median(one["seconds"] for one in results[entry])
        mean = {key: statistics.mean(one[key] for one in results[entry]) for key in ("kept", "f1", "error")}
        rows.append([label, seconds, seconds / base, mean["kept"], mean["f1"], mean["error"]])
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--package", required=True)
    parser.add_argument("--python", default="/usr/bin/python3")
    parser.add_argument("--peers")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--problems", nargs="*", default=list(PROBLEMS), choices=list(PROBLEMS))
    arguments = parser.parse_args()
    header = ["estimator", "s", "over the first of scikit-learn", "kept", "F1", "test error / oracle's"]
    with PythonWorker(arguments.python, Path(arguments.package).resolve()) as ours:
        workers = {"ours": ours}
        if arguments.peers:
            workers["peers"] = PythonWorker(arguments.peers)
        for problem in arguments.problems:
            print(markdown(f"{problem} ({arguments.seeds} seeds, {datetime.date.today()})", header,
                           measure(arguments, workers, problem)), flush=True)


if __name__ == "__main__":
    main()
