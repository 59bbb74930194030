"""Sparse factor models."""
import os

import workers
from tables import markdown, ratio, verdict

# Seconds per half sweep and sweep, speed-up by a second thread, memory in units of data and factors.
BLOCK_SWEEP, SCORES_ONE, SCORES_TWO, HOLED_SWEEP, FACTOR_SPEEDUP, FACTOR_MEMORY = 0.0008, 0.10, 0.055, 3.0, 1.8, 4.0


def factor(bench):
    rows = []

    def row(words, command, threads, sweeps, goal):
        (times,) = bench.take_turns(lambda: ours.ask(command, threads, sweeps))
        rows.append([words, threads, verdict(times.seconds, goal) if goal else times.seconds])

    with workers.tamis(bench.program) as ours:
        ours.ask("factor_make", "factor.block-images", 100, 6, 0)
        row("block images (bernoulli, 100 x 36, 6 factors): sweep", "factor_sweep", 1, 500, BLOCK_SWEEP)
        one, two = bench.take_turns(lambda: ours.ask("factor_run", 1, 1000), lambda: ours.ask("factor_run", 2, 1000))
        rows.append(["block images, 2 chains of 1000: one thread over two", "",
                     verdict(ratio(one, two), FACTOR_SPEEDUP, at_least=True)])
    with workers.tamis(bench.program) as ours:
        facts = ours.ask("factor_make", "factor.patches", 10_000, 192, 0)
        row("patches (gaussian, 10,000 x 144, 192 factors): scores", "factor_scores", 1, 3, SCORES_ONE)
        row("patches: scores", "factor_scores", 2, 3, SCORES_TWO)
        row("patches: sweep", "factor_sweep", 1, 3, None)
        row("patches: sweep", "factor_sweep", 2, 3, None)
    with workers.tamis(bench.program) as ours:
        ours.ask("factor_make", "factor.patches", 10_000, 192, 0.1)
        row("patches, 10 % missing: sweep", "factor_sweep", 2, 1, HOLED_SWEEP)
        extra = ours.ask("factor_run", 2, 4)["extra"]
        memory = (extra + facts["data"]) / (facts["data"] + facts["factors"])
        rows.append(["patches, 2 chains, 10 % missing: peak memory / (data + factors)", 2, verdict(memory, FACTOR_MEMORY)])
    for prior in ("l1", "vb"):
        with workers.tamis(bench.program) as ours:
            reply = ours.ask("factor_sparse", prior, 100_000, 1000, 2)
            rows.append([f"{prior}, 100,000 x 1000 counts, 1 % not zero, 2 iterations: s", os.cpu_count(), reply["seconds"]])
            rows.append([f"{prior}: peak memory / dense array", "", verdict(reply["extra"] / (8 * 1e8), 0.5)])
    return markdown("Sparse factor models", ["what", "threads", "s"], rows)
