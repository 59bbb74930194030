#!/usr/bin/env python3
"""How many of the features that a method reports at high inclusion probability are true, on simulated data.

    /usr/bin/python3 bench/inclusion_calibration.py --program build/bin/tamis [--sets 10] [--methods vg,pmf,ard,flas,ep]

Designs: 200 rows, 1000 features, 10 true ones at random places, effects +-uniform(.4, 1) per standard deviation of the
feature, signal 60 % of the variance. ind: independent normal; ar9: AR(1) along the columns, .9; ld: genotypes 0/1/2 as
the sum of two haplotypes, blocks of 10 columns that share one allele draw (frequency uniform .15-.5 per block), 2 % of
the alleles redrawn (correlation about .96). Default options of each method. Prints, by design and method, the number of
features reported at .99 or above, the share of them that is true, and the same from .5 on; for methods with credible
sets (--methods gibbs) also their number, the share that holds a true feature, their median size and the share of true
features in a set.
"""
import argparse
import json
import subprocess
import tempfile
from pathlib import Path

import numpy as np

ROWS, FEATURES, TRUE = 200, 1000, 10


def independent(random):
    return random.standard_normal((ROWS, FEATURES))


def autoregressive(random):
    noise = random.standard_normal((ROWS, FEATURES))
    X = np.empty_like(noise)
    X[:, 0] = noise[:, 0]
    for j in range(1, FEATURES):
        X[:, j] = .9 * X[:, j - 1] + np.sqrt(1 - .9 ** 2) * noise[:, j]
    return X


def genotypes(random):
    block = 10
    X = np.zeros((ROWS, FEATURES))
    for first in range(0, FEATURES, block):
        frequency = random.uniform(.15, .5)
        for _ in range(2):
            shared = random.random((ROWS, 1)) < frequency
            fresh = random.random((ROWS, block)) < frequency
            redrawn = random.random((ROWS, block)) < .02
            X[:, first:first + block] += np.where(redrawn, fresh, shared)
    return X


DESIGNS = {"ind": independent, "ar9": autoregressive, "ld": genotypes}


def simulated(design, seed):
    random = np.random.default_rng([seed, list(DESIGNS).index(design)])
    X = DESIGNS[design](random)
    true = random.choice(FEATURES, TRUE, replace=False)
    effects = random.uniform(.4, 1, TRUE) * random.choice([-1, 1], TRUE)
    signal = (X[:, true] - X[:, true].mean(0)) / X[:, true].std(0) @ effects
    noise = random.standard_normal(ROWS) * np.sqrt(signal.var() * .4 / .6)
    return X, signal + noise, set(true.tolist())


def fitted(program, method, X, y, folder):
    data, model = folder / "data.npz", folder / "model.json"
    np.savez(data, X=X, y=y)
    done = subprocess.run([program, "fit", data, "--method", method, "-o", model, "--quiet", "--threads", "1"],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(f"{method}: exit {done.returncode}: {done.stderr}")
    return json.loads(model.read_text(encoding="utf-8"))


class SetTally:
    """Credible sets of several fits against the truth."""

    def __init__(self):
        self.sizes, self.hits, self.true, self.covered = [], 0, 0, 0

    def add(self, model, true):
        place = {name: j for j, name in enumerate(model["features"])}
        sets = [{place[name] for name in one["features"]} for one in model["credible_sets"]]
        self.sizes += [len(one) for one in sets]
        self.hits += sum(bool(one & true) for one in sets)
        self.true += len(true)
        self.covered += len(true & set().union(*sets))

    def words(self):
        if not self.sizes:
            return "no sets"
        return (f"{len(self.sizes)} sets, {self.hits / len(self.sizes):.2f} hold a true feature, median size "
                f"{np.median(self.sizes):g}, {self.covered / self.true:.2f} of the true features in a set")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--program", default="build/bin/tamis")
    parser.add_argument("--sets", type=int, default=10, help="data sets of each design")
    parser.add_argument("--methods", default="vg,pmf,ard,flas,ep")
    parser.add_argument("--designs", default=",".join(DESIGNS))
    arguments = parser.parse_args()
    pooled = {}
    print("| design | method | at .99 or above | of these true | at .5 or above | of these true |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as place:
        for design in arguments.designs.split(","):
            counts, sets = {}, {}
            for seed in range(1, arguments.sets + 1):
                X, y, true = simulated(design, seed)
                for method in arguments.methods.split(","):
                    model = fitted(arguments.program, method, X, y, Path(place))
                    inclusion = np.array(model["inclusion"])
                    if model.get("credible_sets"):
                        sets.setdefault(method, SetTally()).add(model, true)
                    for level in (.99, .5):
                        kept = np.flatnonzero(inclusion >= level)
                        right = sum(int(j) in true for j in kept)
                        for table, key in ((counts, (method, level)), (pooled, (design != "ind", level))):
                            before = table.get(key, (0, 0))
                            table[key] = (before[0] + len(kept), before[1] + right)
            for method in arguments.methods.split(","):
                cells = []
                for level in (.99, .5):
                    kept, right = counts[method, level]
                    cells += [str(kept), f"{right / kept:.2f}" if kept else "-"]
                print(f"| {design} | {method} | " + " | ".join(cells) + " |", flush=True)
            for method, tally in sets.items():
                print(f"{design}, {method}: {tally.words()}", flush=True)
    for correlated, words in ((False, "independent"), (True, "correlated (ar9, ld)")):
        for level in (.99, .5):
            kept, right = pooled.get((correlated, level), (0, 0))
            if kept:
                print(f"{words}: {right} of {kept} features at {level} or above are true ({right / kept:.2f})")


if __name__ == "__main__":
    main()
