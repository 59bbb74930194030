"""Time and accuracy of ard with covariance components, as docs/methods/ard.md reports them.

    PYTHONPATH=build/python python3 bench/components.py [times | kinship]"""
import pathlib
import re
import sys
import time

import numpy as np
import tamis

PAGE = pathlib.Path(__file__).parents[1] / "docs" / "methods" / "ard.md"


def timed(what, X, y, **parameters):
    start = time.process_time()
    model = tamis.ARD(n_jobs=1, **parameters).fit(X, y)
    print(f"{what}: {time.process_time() - start:.2f} s of CPU time; {model.model_.message}", flush=True)


def times():
    draw = np.random.default_rng(3)
    for n, p, count, rank in [(100_000, 60, 40, 5), (1000, 500, 100, 5)]:
        X = np.asfortranarray(draw.standard_normal((n, p)))
        components = {f"c{i}": draw.standard_normal((p, rank)) for i in range(count)}
        truth = sum(components[f"c{i}"] @ draw.standard_normal(rank) for i in (3, 7, 11)) * 3 / np.sqrt(p * rank)
        timed(f"{n} x {p}, {count} factors of rank {rank}", X, X @ truth + draw.standard_normal(n), components=components)
    for n, p, count in [(1000, 100, 1), (1000, 50, 3)]:
        X = np.asfortranarray(draw.standard_normal((n, p)))
        genomes = [draw.standard_normal((n, 2000)) for _ in range(count)]
        components = {f"rows:k{i}": each @ each.T / 2000 for i, each in enumerate(genomes)}
        y = X[:, 0] - X[:, 1] + genomes[0] @ draw.standard_normal(2000) / np.sqrt(2000) + draw.standard_normal(n)
        for noise in ("robust", "evidence"):
            timed(f"{n} x {p}, {count} kernels, noise={noise}", X, y, components=components, noise=noise)


def kinship():
    """The second example of the page on other data."""
    code = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.S)[1].split("mixed, alone")[0]
    right, wrong, noise = np.zeros(2, int), np.zeros(2, int), np.zeros(2)
    for seed in range(100, 120):
        names = {}
        exec(compile(code.replace("default_rng(2)", f"default_rng({seed})"), str(PAGE), "exec"), names)
        for k, model in enumerate((tamis.ARD(components={"kinship": names["K"]}), tamis.ARD())):
            found = {each.feature for each in model.fit(names["M"], names["y"]).select()}
            right[k] += len(found & {10, 120})
            wrong[k] += len(found - {10, 120})
            noise[k] += model.noise_variance_ / 20
    for k, words in enumerate(("with the kinship", "without")):
        print(f"{words}: {right[k]} of 40 true markers, {wrong[k]} false ones, mean noise variance {noise[k]:.2f}")


if __name__ == "__main__":
    {"times": times, "kinship": kinship}[sys.argv[1] if len(sys.argv) > 1 else "times"]()
