"""The Python package beside others: time, features found, test error; Markdown tables on stdout. `script/bench python` makes all
that it needs and runs it.

    python3 bench/python_table.py --program build/bin/tamis_bench --package build/python --peers VENV/bin/python [--document docs/python.md]

`--peers` are Pythons with any of celer, skglm, adelie, abess and sparsevb: each package is taken from the first that has it, and
those that none has are named and left out. Fits take turns seed by seed in one thread each, so that ratios are of one run."""
import argparse
import datetime
import os
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from tables import short
from workers import HERE, SINGLE_THREADED, Worker, tamis

# Title: seeds, design, parameters, estimators of this package, of scikit-learn, of the peers. The first of scikit-learn's is
# what times are compared to.
PROBLEMS = {
    "A: n = 1000, p = 10,000": (
        2, "bench.a", [], ["PairedMeanField", "ARD", "VariationalGarrote", "Lasso"], ["LassoCV"],
        ["celer", "skglm", "adelie", "abess", "sparsevb"]),
    "n = 500, p = 500": (
        3, "bench.a", ["n=500", "p=500", "test=500"], ["ARD", "PairedMeanField", "VariationalGarrote"],
        ["ARDRegression", "LassoCV"], ["celer", "skglm", "adelie", "abess", "sparsevb"]),
    "two classes, n = 500, p = 500": (
        10, "bench.e", ["n=500", "p=500", "active=5", "test=500"],
        ["PairedMeanFieldClassifier", "ExpectationPropagationClassifier", "LaplaceSpikeSlabClassifier", "ARDClassifier",
         "VariationalGarroteClassifier", "LassoClassifier"],
        ["LogisticRegressionCV", "LogisticRegressionCV,30"], ["adelie", "abess"]),
}
ONE_SE = "(largest penalty within one standard error)"
# What a name does not say.
WORDS = {
    "tamis:Lasso": f"Lasso {ONE_SE}",
    "tamis:LassoClassifier": f"LassoClassifier {ONE_SE}",
    "sklearn:LogisticRegressionCV": "LogisticRegressionCV (l1, liblinear, 10 penalties)",
    "sklearn:LogisticRegressionCV,30": "LogisticRegressionCV (l1, liblinear, 30 penalties)",
    "celer:": "LassoCV",
    "skglm:": "MCPRegression in GridSearchCV",
    "adelie:": "cv_grpnet",
    "abess:": "best subset by information criterion",
    "sparsevb:": "svb_fit_linear",
}
SECTION = re.compile(r"(<!-- written by bench/python_table.py -->\n).*?(<!-- end -->)", re.S)


class PythonWorker(Worker):
    def __init__(self, python, path=None):
        self.name = python
        environment = {**os.environ, **SINGLE_THREADED, **({"PYTHONPATH": str(path)} if path else {})}
        self.process = subprocess.Popen([python, str(HERE / "python_worker.py")], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True, env=environment)


def has(python, package):
    return subprocess.run([python, "-c", f"import {package}"], capture_output=True).returncode == 0


def compared_methods(pythons, names, sklearns, peers):
    """(Python, name as its worker knows it) in the order of the table; pythons: ours first."""
    ours, *others = pythons
    found = [(ours, f"tamis:{name}") for name in names] + [(ours, f"sklearn:{name}") for name in sklearns]
    for name in peers:
        python = next((each for each in others if has(each, name)), None)
        if python is None:
            print(f"{name} is in none of {others}: left out", file=sys.stderr)
        else:
            found.append((python, f"{name}:"))
    return found


def measure(program, workers, title, wanted):
    """(names of the columns, rows) of one problem; wanted: number of seeds, or None."""
    seeds, design, parameters, names, sklearns, peers = PROBLEMS[title]
    seeds = wanted or seeds
    entries = compared_methods(list(workers), names, sklearns, peers)
    results = {entry: [] for entry in entries}
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(1, seeds + 1):
            with tamis(program) as maker:
                maker.ask("sets", design, seed, folder, *parameters)
            for worker in workers.values():
                worker.ask("load", folder)
            for python, name in entries:
                reply = workers[python].ask("fit", name)
                results[python, name].append(reply)
                print(title, "seed", seed, name, reply, file=sys.stderr)
    reference = f"sklearn:{sklearns[0]}"
    base = statistics.median(one["seconds"] for (_, name), all_of in results.items() for one in all_of if name == reference)
    header = [f"{title} ({seeds} seed{'s' * (seeds > 1)})", "s", f"over {sklearns[0]}", "kept", "F1", "test error / oracle's"]
    return header, [row_of(workers[entry[0]], entry[1], results[entry], base) for entry in entries]


def row_of(worker, name, results, base):
    package, _, estimator = name.partition(":")
    package = {"sklearn": "scikit-learn"}.get(package, package)
    label = f"{package} {worker.ask('version', name)['version']} {WORDS.get(name, estimator)}"
    failures = [one["failed"] for one in results if "failed" in one]
    if failures:
        return [label, failures[0], "", "", "", ""]
    seconds = statistics.median(one["seconds"] for one in results)
    kept, f1, error = (statistics.mean(one[key] for one in results) for key in ("kept", "f1", "error"))
    return [label, seconds, seconds / base, kept, f1, error]


def table(header, rows):
    lines = [header, ["---"] * len(header), *([short(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--package", required=True)
    parser.add_argument("--python", default="/usr/bin/python3", help="for the package and scikit-learn")
    parser.add_argument("--peers", nargs="*", default=[])
    parser.add_argument("--problems", nargs="*", default=list(PROBLEMS), choices=list(PROBLEMS))
    parser.add_argument("--seeds", type=int, help="of every problem, instead of its own number")
    parser.add_argument("--document", type=Path, help="also put the tables between the marks of this Markdown file")
    arguments = parser.parse_args()
    workers = {arguments.python: PythonWorker(arguments.python, Path(arguments.package).resolve())}
    workers.update({python: PythonWorker(python) for python in arguments.peers})
    tables = [f"{datetime.date.today()}:\n"]
    for title in arguments.problems:
        tables.append(table(*measure(arguments.program, workers, title, arguments.seeds)))
        print(tables[-1], flush=True)
    for worker in workers.values():
        worker.__exit__()
    if arguments.document:
        page = arguments.document.read_text(encoding="utf-8")
        arguments.document.write_text(SECTION.sub(lambda mark: mark[1] + "\n".join(tables) + mark[2], page), encoding="utf-8")


if __name__ == "__main__":
    main()
