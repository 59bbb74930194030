#!/usr/bin/env python3
"""The benchmark: ours beside its peers on the same data in the same run, as ratios.

    bench/run.py --program build/bin/tamis_bench [--repetitions 5] [--only A,C] [--sections paths,cv] [--document FILE]

Machines are shared and noisy, so only ratios of neighbouring repetitions count: the programs take turns, medians are
reported, one thread unless said. The unit `sweep` is one dgemv X'r on the same matrix in the same run.
"""
import argparse
import os
import platform
import sys
import tempfile
import time
from pathlib import Path

import workers
from tables import Times, exponent, gap_words, markdown, ratio, verdict, yes_or_no

SEED = 1
# Design of experiments/, family, and the goal for our path over glmnet's.
PROBLEMS = {
    "A": ("bench.a", "gaussian", 0.45, "dense n = 1000, p = 10,000"),
    "B": ("bench.b", "gaussian", 0.60, "dense n = 200, p = 20,000, correlated blocks"),
    "C": ("bench.c", "gaussian", 0.15, "tall n = 20,000, p = 500"),
    "D": ("bench.d", "gaussian", 0.40, "sparse n = 10,000, p = 50,000, 0.5 % filled"),
    "E": ("bench.e", "bernoulli", 0.45, "logistic n = 1000, p = 10,000"),
}
PATH_MEMORY, CV_MEMORY, CSV_MEMORY = 0.05, 0.15, 2.0
CV_OVER_PATH, CV_OVER_GLMNET, OVER_SCIKIT_LEARN = 3.5, 0.15, 0.05
PATH_SPEEDUP, CV_SPEEDUP, SCALING = 1.45, 1.8, 1.05
SCALING_SIZES = (10_000, 31_623, 100_000)
# vg: its path of 50 gammas forward and backward over glmnet's lasso path.
GARROTE = {"A": 0.40, "B": 1.5, "C": 0.15, "E": 1.0}
GARROTE_SWEEPS, FIXED_GARROTE_SWEEPS, FIXED_PMF_SWEEPS = 110, 10, 15
GARROTE_SIZES = (10_000, 100_000, 1_000_000)
# gibbs over JAGS at n = 100, p = 20: sweeps per second, and effective draws per second by the same estimator.
SWEEPS_OVER_JAGS, EFFECTIVE_OVER_JAGS = 350, 300
QUALITY_SEEDS = 20
# bm: collapsed over the paper's hybrid; 10,000 x 1,000 on two threads in seconds, and over one thread.
MASKING_OVER_HYBRID, MASKING_SECONDS, MASKING_SPEEDUP = 0.10, 60, 1.7
# ard: over scikit-learn's ARDRegression, over our own lasso path on A, over glmnet's path of 100,000 features.
OVER_ARD_REGRESSION, OVER_OWN_PATH, OVER_GLMNET_PATH, RELEVANCE_MEMORY = 0.01, 2.0, 1.0, 0.5
RELEVANCE_FEATURES, RELEVANCE_SAMPLES = (1250, 2500, 5000, 10_000, 20_000, 40_000), (250, 500, 1000, 2000, 4000)
RELEVANCE_SAMPLES_EXPONENT = 1.10
# Fifty true features of 100,000 with noise enough to be unknown, and little enough that a thousand samples can tell.
LARGE = ("n=1000", "p=100000", "active=50", "signal_to_noise=30")
# Factor models: seconds per half sweep and sweep, speed-up by a second thread, memory in units of data and factors.
BLOCK_SWEEP, SCORES_ONE, SCORES_TWO, HOLED_SWEEP, FACTOR_SPEEDUP, FACTOR_MEMORY = 0.0008, 0.10, 0.055, 3.0, 1.8, 4.0


class Bench:
    def __init__(self, program, repetitions, only, folder):
        self.program, self.repetitions, self.only, self.folder = program, repetitions, only, Path(folder)
        self.peers = set()

    def file(self, name):
        return self.folder / name

    def wanted(self, names):
        return [name for name in names if name in self.only]

    def take_turns(self, *jobs):
        """Times of each job, one Times per job; the order is reversed every other time."""
        times = [Times() for _ in jobs]
        for repetition in range(self.repetitions):
            order = range(len(jobs)) if repetition % 2 == 0 else reversed(range(len(jobs)))
            for k in order:
                times[k].add(jobs[k]())
        return times

    def load(self, ours, name, *peers):
        """Makes the problem in our worker, and in the peers through files."""
        design, family, _, _ = PROBLEMS[name]
        facts = ours.ask("make", design, SEED, self.file("problem") if peers else "-")
        for peer in peers:
            self.peers.add(peer.ask("load", self.file("problem"), family)["version"])
        for file in self.file("problem").glob("*"):
            file.unlink()
        return facts

    def path_row(self, name, kind="default"):
        penalties, theirs_file, ours_file = self.file("penalties"), self.file("theirs"), self.file("ours")
        with workers.tamis(self.program) as ours, workers.glmnet() as theirs:
            size = self.load(ours, name, theirs)["bytes"]

            def run_ours():
                return ours.ask("path", 1, penalties, ours_file)

            def run_theirs():
                return theirs.ask("path", kind, penalties, theirs_file)

            their_memory, our_memory = run_theirs()["extra"] / size, run_ours()["extra"] / size
            a, b, sweep = self.take_turns(run_ours, run_theirs, lambda: ours.ask("sweep"))
            our_gap, their_gap = (ours.ask("gap", penalties, f) for f in (ours_file, theirs_file))
        label = name if kind == "default" else f"{name}, glmnet with type.gaussian = {kind}"
        no_worse = all(our_gap[kind] <= their_gap[kind] for kind in ("largest", "median"))
        return [label, a.seconds, b.seconds, verdict(ratio(a, b), PROBLEMS[name][2]), ratio(a, b, "processor"),
                gap_words(our_gap), gap_words(their_gap), yes_or_no(no_worse), a.seconds / sweep.seconds,
                verdict(our_memory, PATH_MEMORY if name != "D" else 0.3), their_memory]

    def paths(self):
        rows = [self.path_row(name) for name in self.wanted(PROBLEMS)]
        rows += [self.path_row("C", "covariance")] if "C" in self.only else []
        header = ["problem", "ours s", "glmnet s", "ratio", "of processor time", "ours gap", "glmnet gap",
                  "gap no worse", "sweeps", "extra memory / X", "glmnet's"]
        return markdown("Lasso path of 100 penalties against glmnet, one thread", header, rows)

    def scikit_learn(self):
        penalties, theirs_file, ours_file = self.file("penalties"), self.file("theirs"), self.file("ours")
        with workers.tamis(self.program) as ours, workers.scikit_learn() as theirs:
            self.load(ours, "A", theirs)
            ours.ask("grid", penalties)
            a, b = self.take_turns(lambda: ours.ask("path", 1, penalties, ours_file),
                                   lambda: theirs.ask("path", penalties, theirs_file))
            gaps = [gap_words(ours.ask("gap", penalties, f)) for f in (ours_file, theirs_file)]
        row = ["A", a.seconds, b.seconds, verdict(ratio(a, b), OVER_SCIKIT_LEARN), *gaps]
        return markdown("Lasso path against scikit-learn's lasso_path, one thread",
                        ["problem", "ours s", "scikit-learn s", "ratio", "ours gap", "scikit-learn gap"], [row])

    def cross_validation(self):
        rows = []
        for name in self.wanted("AC"):
            with workers.tamis(self.program) as ours, workers.glmnet() as theirs:
                size = self.load(ours, name, theirs)["bytes"]
                memory = ours.ask("cv", 1, "-")["extra"] / size
                cv, path, peer = self.take_turns(lambda: ours.ask("cv", 1, "-"), lambda: ours.ask("path", 1, "-", "-"),
                                                 lambda: theirs.ask("cv"))
            rows.append([name, cv.seconds, path.seconds, verdict(ratio(cv, path), CV_OVER_PATH), peer.seconds,
                         verdict(ratio(cv, peer), CV_OVER_GLMNET), verdict(memory, CV_MEMORY)])
        header = ["problem", "ours s", "our path s", "CV / path", "cv.glmnet s", "ratio", "extra memory / X"]
        return markdown("10-fold cross-validation with the final fit, one thread", header, rows)

    def threads(self):
        rows = []
        with workers.tamis(self.program) as ours:
            self.load(ours, "A")
            ours.ask("grid", self.file("grid"))
            for what, goal in (("path", PATH_SPEEDUP), ("cv", CV_SPEEDUP)):
                files = [self.file(f"{what}{threads}") for threads in (1, 2)]

                def run(threads, what=what, files=files):
                    middle = [self.file("grid")] if what == "path" else []
                    return ours.ask(what, threads, *middle, files[threads - 1])

                run(2)
                one, two = self.take_turns(lambda: run(1), lambda: run(2))
                same = files[0].read_bytes() == files[1].read_bytes()
                rows.append([f"A, {what}", one.seconds, two.seconds, verdict(ratio(one, two), goal, at_least=True),
                             yes_or_no(same)])
        return markdown("Two threads against one", ["work", "1 thread s", "2 threads s", "times", "same bits"], rows)

    def scaling(self):
        rows, seconds = [], []
        for p in SCALING_SIZES:
            with workers.tamis(self.program) as ours:
                ours.ask("make", "bench.a", SEED, "-", f"p={p}")
                ours.ask("path", 1, "-", "-")
                path, sweep = self.take_turns(lambda: ours.ask("path", 1, "-", "-"), lambda: ours.ask("sweep"))
            seconds.append(path.seconds)
            rows.append([f"{p:,}", path.seconds, path.seconds / sweep.seconds])
        rows.append(["exponent", verdict(exponent(SCALING_SIZES, seconds), SCALING), ""])
        return markdown("Growth with p: n = 1000, one thread", ["p", "path s", "sweeps"], rows)

    def garrote(self):
        rows = []
        for name in self.wanted(GARROTE):
            with workers.tamis(self.program) as ours, workers.glmnet() as theirs:
                self.load(ours, name, theirs)
                jobs = [lambda: ours.ask("method", "vg", 1, 0),
                        lambda: theirs.ask("path", "default", self.file("penalties"), self.file("theirs")),
                        lambda: ours.ask("sweep")]
                searches = name in "AC"
                path, peer, sweep, *cv = self.take_turns(
                    *jobs, *([lambda: ours.ask("method", "vg", 1, 10)] if searches else []))
            sweeps = path.seconds / sweep.seconds
            rows.append([name, path.seconds, peer.seconds, verdict(ratio(path, peer), GARROTE[name]),
                         verdict(sweeps, GARROTE_SWEEPS) if name == "A" else sweeps,
                         verdict(ratio(cv[0], path), CV_OVER_PATH) if searches else ""])
        header = ["problem", "vg s", "glmnet s", "ratio", "sweeps", "10-fold CV / path"]
        return markdown("Variational Garrote, 50 gammas forward and backward, against glmnet's lasso path, one thread",
                        header, rows)

    def mean_field(self):
        fixed = {"vg": ["gamma=-20"], "pmf": ["prior_inclusion=0.002", "slab_variance=1", "noise_variance=6"]}
        goals = {"vg": FIXED_GARROTE_SWEEPS, "pmf": FIXED_PMF_SWEEPS}
        rows = []
        with workers.tamis(self.program) as ours:
            self.load(ours, "A")
            for name, options in fixed.items():
                for words in (options, []) if name == "pmf" else (options,):
                    fit, sweep = self.take_turns(lambda: ours.ask("method", name, 1, 0, *words),
                                                 lambda: ours.ask("sweep"))
                    sweeps = fit.seconds / sweep.seconds
                    rows.append([f"{name}, {' '.join(words) or 'everything learnt'}", fit.seconds,
                                 verdict(sweeps, goals[name]) if words else sweeps])
        return markdown("One mean field on A, one thread", ["fit", "s", "sweeps"], rows)

    def garrote_scaling(self):
        rows, seconds = [], []
        for p in GARROTE_SIZES:
            with workers.tamis(self.program) as ours:
                ours.ask("make", "vg.scaling", SEED, "-", f"p={p}")
                path, sweep = self.take_turns(lambda: ours.ask("method", "vg", 1, 0), lambda: ours.ask("sweep"))
            seconds.append(path.seconds)
            rows.append([f"{p:,}", path.seconds, path.seconds / sweep.seconds])
        rows.append(["exponent", verdict(exponent(GARROTE_SIZES, seconds), SCALING), ""])
        return markdown("Growth of a vg path with p: n = 100, 5 true features, one thread", ["p", "path s", "sweeps"],
                        rows)

    def sampling(self):
        with workers.tamis(self.program) as ours, workers.jags() as theirs:
            ours.ask("make", "bench.a", SEED, self.file("problem"), "n=100", "p=20", "active=5")
            self.peers.add(theirs.ask("load", self.file("problem"))["version"])
            our_sweeps, their_sweeps = 200_000, 4000
            a, b = self.take_turns(lambda: ours.ask("sample", 1, 1, our_sweeps),
                                   lambda: theirs.ask("sample", their_sweeps, self.file("theirs")))
            ours.ask("draws", their_sweeps, self.file("ours"))
            sizes = [ours.ask("ess", self.file(f))["size"] / their_sweeps for f in ("ours", "theirs")]
            faster = our_sweeps / their_sweeps / ratio(a, b)
            ours.ask("make", "bench.a", SEED, "-", "n=1000", "p=1000")
            one, two = self.take_turns(lambda: ours.ask("sample", 1, 4, 3000), lambda: ours.ask("sample", 2, 4, 3000))
        rows = [["n = 100, p = 20: sweeps per s", our_sweeps / a.seconds, their_sweeps / b.seconds,
                 verdict(faster, SWEEPS_OVER_JAGS, at_least=True)],
                ["n = 100, p = 20: effective draws per s", sizes[0] * our_sweeps / a.seconds,
                 sizes[1] * their_sweeps / b.seconds,
                 verdict(faster * sizes[0] / sizes[1], EFFECTIVE_OVER_JAGS, at_least=True)],
                ["n = p = 1000, 4 chains, s: one thread, two", one.seconds, two.seconds,
                 verdict(ratio(one, two), CV_SPEEDUP, at_least=True)]]
        return markdown("gibbs against JAGS, hyper-parameters fixed, one thread; and its chains on two",
                        ["work", "ours, or one thread", "JAGS, or two", "times"], rows)

    def propagation(self):
        rows = []
        with workers.tamis(self.program) as ours:
            for name, goal in (("B", 20.0), ("B5", 20.0)):
                ours.ask("make", f"bench.{name.lower()}", SEED, "-")
                fixed = ["prior_inclusion=0.001", "slab_variance=1", "noise_variance=5"]
                fit, sweep = self.take_turns(lambda: ours.ask("method", "ep", 1, 0, *fixed), lambda: ours.ask("sweep"))
                rows.append([name, verdict(fit.seconds, goal), fit.seconds / sweep.seconds])
        return markdown("ep at n = 200, p = 20,000, hyper-parameters fixed, one thread", ["problem", "s", "sweeps"], rows)

    def masking(self):
        with workers.tamis(self.program) as ours:
            ours.ask("make", "bm.k50", SEED, "-", "test=0")
            ends = {}

            def run(algorithm, *options):
                ends[algorithm] = ours.ask("method", "bm", 1, 0, f"algorithm={algorithm}", *options)
                return ends[algorithm]

            collapsed, hybrid = self.take_turns(lambda: run("collapsed"),
                                                lambda: run("hybrid", "max_iterations=3000"))
            reached = ends["collapsed"]["objective"] >= ends["hybrid"]["objective"]
            small = ["1000 x 50, collapsed to its end / hybrid (3000 iterations)", collapsed.seconds, hybrid.seconds,
                     verdict(ratio(collapsed, hybrid), MASKING_OVER_HYBRID), f"G no lower: {yes_or_no(reached)}"]
            ours.ask("make", "bm.k100", SEED, "-", "p=1000", "samples_per_feature=10", "test=0")
            whole = ours.ask("method", "bm", 2, 0)
            part = "max_iterations=300"
            one, two = self.take_turns(lambda: ours.ask("method", "bm", 1, 0, part),
                                       lambda: ours.ask("method", "bm", 2, 0, part))
            rows = [small,
                    ["10,000 x 1,000, 1 thread / 2 threads (300 iterations)", one.seconds, two.seconds,
                     verdict(ratio(one, two), MASKING_SPEEDUP, at_least=True), ""],
                    ["10,000 x 1,000, 2 threads to its end", whole["seconds"], "",
                     verdict(whole["seconds"], MASKING_SECONDS), whole["status"]]]
        return markdown("Bayesian Masking", ["work", "s", "beside s", "ratio (last: s)", "end"], rows)

    def quality(self):
        """Signal-to-noise 3 is meant for variances in all other tables; 9 makes it 3 for standard deviations."""
        rows = []
        for ratio in (3, 9):
            for method in ("vg", "pmf", "ard", "lasso"):
                with workers.tamis(self.program) as ours:
                    draws = [ours.ask("quality", "bench.a", method, seed, f"signal_to_noise={ratio}")
                             for seed in range(1, QUALITY_SEEDS + 1)]
                mean = {key: sum(d[key] for d in draws) / len(draws) for key in ("f1", "kept", "error")}
                rows.append([ratio, method, sum(d["f1"] == 1 for d in draws), mean["f1"], mean["kept"], mean["error"],
                             max(d["error"] for d in draws)])
        header = ["signal / noise, variances", "method", f"F1 = 1, of {QUALITY_SEEDS}", "mean F1", "kept",
                  "test error / oracle's", "worst"]
        return markdown(f"What is found on A with 10 folds, over {QUALITY_SEEDS} seeds", header, rows)

    def relevance(self):
        rows = []
        coefficients, theirs_file = self.file("coefficients"), self.file("theirs")
        with workers.tamis(self.program) as ours, workers.scikit_learn() as theirs:
            ours.ask("make", "bench.a", SEED, self.file("problem"), "n=1000", "p=1000")
            self.peers.add(theirs.ask("load", self.file("problem"), "gaussian")["version"])
            ours.ask("found", "ard", coefficients)
            fit, peer = self.take_turns(lambda: ours.ask("method", "ard", 1, 0), lambda: theirs.ask("ard", theirs_file))
            mine, other = (ours.ask("truth", f) for f in (coefficients, theirs_file))
        rows.append(["n = p = 1000", fit.seconds, "ARDRegression", peer.seconds,
                     verdict(ratio(fit, peer), OVER_ARD_REGRESSION),
                     f"error {mine['error']:.2g} against {other['error']:.2g}; kept {mine['kept']} against "
                     f"{other['kept']} of 20 true", ""])
        with workers.tamis(self.program) as ours:
            self.load(ours, "A")
            found = ours.ask("found", "ard", coefficients)
            fit, path = self.take_turns(lambda: ours.ask("method", "ard", 1, 0), lambda: ours.ask("path", 1, "-", "-"))
        rows.append(["A", fit.seconds, "our lasso path", path.seconds, verdict(ratio(fit, path), OVER_OWN_PATH),
                     f"missed {found['missed']} of 20, false {found['false']}", ""])
        rows.append(self.large_relevance(coefficients))
        return markdown("Automatic relevance determination with unknown noise, one thread",
                        ["problem", "ard s", "beside", "s", "ratio", "what is found", "extra memory / X"], rows)

    def large_relevance(self, coefficients):
        with workers.tamis(self.program) as ours, workers.glmnet() as theirs:
            size = ours.ask("make", "bench.a", SEED, self.file("problem"), *LARGE)["bytes"]
            self.peers.add(theirs.ask("load", self.file("problem"), "gaussian")["version"])
            for file in self.file("problem").glob("*"):
                file.unlink()
            found = ours.ask("found", "ard", coefficients)
            memory = ours.ask("method", "ard", 1, 0)["extra"] / size
            fit, peer = self.take_turns(
                lambda: ours.ask("method", "ard", 1, 0),
                lambda: theirs.ask("path", "default", self.file("penalties"), self.file("theirs")))
        return ["n = 1000, p = 100,000, 50 true", fit.seconds, "glmnet's lasso path", peer.seconds,
                verdict(ratio(fit, peer), OVER_GLMNET_PATH), f"missed {found['missed']} of 50, false {found['false']}",
                verdict(memory, RELEVANCE_MEMORY)]

    def relevance_scaling(self):
        rows = []
        for what, sizes, other, goal in (("p", RELEVANCE_FEATURES, "n=1000", SCALING),
                                         ("n", RELEVANCE_SAMPLES, "p=2000", RELEVANCE_SAMPLES_EXPONENT)):
            seconds = []
            for size in sizes:
                with workers.tamis(self.program) as ours:
                    ours.ask("make", "bench.a", SEED, "-", f"{what}={size}", other)
                    (fit,) = self.take_turns(lambda: ours.ask("method", "ard", 1, 0))
                seconds.append(fit.seconds)
                rows.append([f"{what} = {size:,}, {other.replace('=', ' = ')}", fit.seconds])
            rows.append([f"exponent in {what}", verdict(exponent(sizes, seconds), goal)])
        return markdown("Growth of ard, one thread", ["size", "s"], rows)

    def factor(self):
        rows = []

        def row(words, command, threads, sweeps, goal):
            (times,) = self.take_turns(lambda: ours.ask(command, threads, sweeps))
            rows.append([words, threads, verdict(times.seconds, goal) if goal else times.seconds])

        with workers.tamis(self.program) as ours:
            ours.ask("factor_make", "factor.block-images", 100, 6, 0)
            row("block images (bernoulli, 100 x 36, 6 factors): sweep", "factor_sweep", 1, 500, BLOCK_SWEEP)
            one, two = self.take_turns(lambda: ours.ask("factor_run", 1, 1000), lambda: ours.ask("factor_run", 2, 1000))
            rows.append(["block images, 2 chains of 1000: one thread over two", "",
                         verdict(ratio(one, two), FACTOR_SPEEDUP, at_least=True)])
        with workers.tamis(self.program) as ours:
            facts = ours.ask("factor_make", "factor.patches", 10_000, 192, 0)
            row("patches (gaussian, 10,000 x 144, 192 factors): scores", "factor_scores", 1, 3, SCORES_ONE)
            row("patches: scores", "factor_scores", 2, 3, SCORES_TWO)
            row("patches: sweep", "factor_sweep", 1, 3, None)
            row("patches: sweep", "factor_sweep", 2, 3, None)
        with workers.tamis(self.program) as ours:
            ours.ask("factor_make", "factor.patches", 10_000, 192, 0.1)
            row("patches, 10 % missing: sweep", "factor_sweep", 2, 1, HOLED_SWEEP)
            extra = ours.ask("factor_run", 2, 4)["extra"]
            memory = (extra + facts["data"]) / (facts["data"] + facts["factors"])
            rows.append(["patches, 2 chains, 10 % missing: peak memory / (data + factors)", 2, verdict(memory, FACTOR_MEMORY)])
        for prior in ("l1", "vb"):
            with workers.tamis(self.program) as ours:
                reply = ours.ask("factor_sparse", prior, 100_000, 1000, 2)
                rows.append([f"{prior}, 100,000 x 1000 counts, 1 % not zero, 2 iterations: s", os.cpu_count(), reply["seconds"]])
                rows.append([f"{prior}: peak memory / dense array", "", verdict(reply["extra"] / (8 * 1e8), 0.5)])
        return markdown("Sparse factor models", ["what", "threads", "s"], rows)

    def csv(self):
        file = self.file("table.csv")
        with workers.tamis(self.program) as ours, workers.scikit_learn() as theirs:
            size = ours.ask("csv_write", file, 200)["bytes"]
            memory = ours.ask("csv", 0, file)["extra"] / size
            one, all_cores, peer = self.take_turns(lambda: ours.ask("csv", 1, file), lambda: ours.ask("csv", 0, file),
                                                   lambda: theirs.ask("csv", file))
        row = [one.seconds, all_cores.seconds, peer.seconds, ratio(one, peer),
               verdict(ratio(all_cores, peer), 1.0), verdict(memory, CSV_MEMORY)]
        return markdown("Reading a CSV file of 200 MB against pandas (C engine)",
                        ["1 thread s", "all cores s", "pandas s", "1 thread / pandas", "all cores / pandas",
                         "peak memory / matrix"], [row])


SECTIONS = {"paths": Bench.paths, "scikit-learn": Bench.scikit_learn, "cv": Bench.cross_validation,
            "threads": Bench.threads, "scaling": Bench.scaling, "garrote": Bench.garrote,
            "mean-field": Bench.mean_field, "sampling": Bench.sampling, "propagation": Bench.propagation,
            "garrote-scaling": Bench.garrote_scaling, "masking": Bench.masking, "ard": Bench.relevance,
            "ard-scaling": Bench.relevance_scaling, "quality": Bench.quality,
            "factor": Bench.factor, "csv": Bench.csv}


def processor():
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def preamble(bench):
    problems = "\n".join(f"- {name}: {words[3]}" for name, words in PROBLEMS.items())
    peers = "; ".join(sorted(bench.peers))
    return f"""# Benchmarks
Made by `script/bench` on {time.strftime('%Y-%m-%d')}: {processor()}, {os.cpu_count()} cores, {peers}.
{bench.repetitions} repetitions, taking turns; medians of seconds and of the ratios of neighbours. A ratio below 1 says that
tamis is faster. Goals stand beside the figures.

- `sweeps` is our time in units of one dgemv X'r on the same matrix in the same run: how far from streaming X.
- `gap` is the largest (and the median) duality gap along the path over the loss of the null model, computed by the same
  judge (bench/gap.cpp) from everybody's coefficients at the same penalties: those that glmnet chose.
- Our cross-validation ends when its answer is in (docs/decisions/0003-path-algorithm.md); glmnet's walks to the end of
  the path.
- Extra memory is the rise of the peak of resident memory above X in a process that has done one tiny fit before.

Problems (seeded; 20 true features, signal-to-noise 3; see `tamis simulate --list`):
{problems}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--program", required=True)
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--only", default=",".join(PROBLEMS), help="problems, separated by commas")
    parser.add_argument("--sections", default=",".join(SECTIONS), help=", ".join(SECTIONS))
    parser.add_argument("--document", type=Path, help="also write the tables into this Markdown file")
    arguments = parser.parse_args()
    tables = []
    with tempfile.TemporaryDirectory(prefix="tamis-bench") as folder:
        bench = Bench(arguments.program, arguments.repetitions, arguments.only.split(","), folder)
        for name in arguments.sections.split(","):
            tables.append(SECTIONS[name](bench))
            print(tables[-1], flush=True)
    if arguments.document:
        arguments.document.write_text("\n".join([preamble(bench), *tables]), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
