"""Sparse factor models."""
import os

import workers
from tables import markdown, ratio, verdict

# Seconds per half sweep and sweep, speed-up by a second thread, memory in units of data and factors.
BLOCK_SWEEP, SCORES_ONE, SCORES_TWO, HOLED_SWEEP, FACTOR_SPEEDUP, FACTOR_MEMORY = 0.0008, 0.10, 0.055, 3.0, 1.8, 4.0
# Sparse counts must not become dense: peak memory over that of the dense array.
DENSE_SHARE = 0.25


def row_of(bench, ours, words, command, threads, sweeps, goal=None):
    (times,) = bench.take_turns(lambda: ours.ask(command, threads, sweeps))
    return [words, threads, verdict(times.seconds, goal) if goal else times.seconds]


def speedup(bench, ours, words, sweeps):
    one, two = bench.take_turns(lambda: ours.ask("factor_run", 1, sweeps), lambda: ours.ask("factor_run", 2, sweeps))
    return [f"{words}: one thread over two", "", verdict(ratio(one, two), FACTOR_SPEEDUP, at_least=True)]


def factor(bench):
    rows = []
    with workers.tamis(bench.program) as ours:
        ours.ask("factor_make", "factor.block-images", 100, 6, 0)
        rows.append(row_of(bench, ours, "block images (bernoulli, 100 x 36, 6 factors): sweep", "factor_sweep", 1, 500, BLOCK_SWEEP))
        rows.append(speedup(bench, ours, "block images, 2 chains of 1000 sweeps", 1000))
    with workers.tamis(bench.program) as ours:
        facts = ours.ask("factor_make", "factor.patches", 10_000, 192, 0)
        rows.append(row_of(bench, ours, "patches (gaussian, 10,000 x 144, 192 factors): scores", "factor_scores", 1, 3, SCORES_ONE))
        rows.append(row_of(bench, ours, "patches: scores", "factor_scores", 2, 3, SCORES_TWO))
        rows.append(row_of(bench, ours, "patches: sweep", "factor_sweep", 1, 3))
        rows.append(row_of(bench, ours, "patches: sweep", "factor_sweep", 2, 3))
    with workers.tamis(bench.program) as ours:
        ours.ask("factor_make", "factor.patches", 10_000, 192, 0.1)
        rows.append(row_of(bench, ours, "patches, 10% missing: sweep", "factor_sweep", 2, 1, HOLED_SWEEP))
        rows.append(speedup(bench, ours, "patches, 10% missing, 2 chains of 6 sweeps, matched and averaged", 6))
        extra = ours.ask("factor_run", 2, 4)["extra"]
        memory = (extra + facts["data"]) / (facts["data"] + facts["factors"])
        rows.append(["patches, 2 chains, 10% missing: peak memory / (data + factors)", 2, verdict(memory, FACTOR_MEMORY)])
    return markdown("Sparse factor models", ["what", "threads", "s"], rows)


def factor_sparse(bench):
    rows = []
    for prior in ("l1", "vb"):
        with workers.tamis(bench.program) as ours:
            reply = ours.ask("factor_sparse", prior, 100_000, 1000, 2)
            share = reply["extra"] / (8 * 1e8)
            rows.append([prior, os.cpu_count(), reply["seconds"], verdict(share, DENSE_SHARE)])
    return markdown("Sparse factor models of 100,000 x 1000 counts, 1% nonzero, 5 factors, 2 iterations",
                    ["prior", "threads", "s", "peak memory / dense array"], rows)
