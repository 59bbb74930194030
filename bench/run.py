#!/usr/bin/env python3
"""The benchmark: tamis and other packages on the same data in the same run, as ratios.

    bench/run.py --program build/bin/tamis_bench [--repetitions 5] [--only A,C] [--sections paths,cv] [--document FILE]

Machines are shared and noisy, so only ratios of adjacent repetitions count: the programs alternate, medians are
reported, one thread unless stated. The unit `sweep` is one dgemv X'r on the same matrix in the same run.
"""
import argparse
import os
import platform
import sys
import tempfile
import time
from pathlib import Path

from harness import PROBLEMS, Bench
from sections import factor, laplace, mean_field, other, penalized, relevance, spike_slab

SECTIONS = {"paths": penalized.paths, "scikit-learn": penalized.scikit_learn, "cv": penalized.cross_validation,
            "threads": penalized.threads, "scaling": penalized.scaling, "garrote": mean_field.garrote,
            "mean-field": mean_field.mean_field, "sampling": spike_slab.sampling, "propagation": spike_slab.propagation,
            "laplace": laplace.laplace,
            "garrote-scaling": mean_field.garrote_scaling, "masking": mean_field.masking, "ard": relevance.relevance,
            "ard-scaling": relevance.relevance_scaling, "quality": other.quality,
            "factor": factor.factor, "factor-sparse": factor.factor_sparse, "csv": other.csv}


def processor():
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def preamble(bench):
    problems = "\n".join(f"- {name}: {words[3]}" for name, words in PROBLEMS.items())
    peers = "; ".join(sorted(bench.peers))
    return f"""# Benchmarks
Measured by `script/bench` on {time.strftime('%Y-%m-%d')}: {processor()}, {os.cpu_count()} cores, {peers}.
{bench.repetitions} repetitions, with the programs in alternation; medians of the times and of the ratios of adjacent
runs. A ratio below 1 means that tamis is faster. Goals are in parentheses.

- `sweeps` is the time of tamis in units of one dgemv X'r on the same matrix in the same run, that is, of one pass over X.
- `gap` is the largest (and the median) duality gap along the path, relative to the loss of the null model, computed by
  the same program (bench/gap.cpp) from the coefficients of each package at the same penalties (those of glmnet).
- The cross-validation of tamis stops early (docs/decisions/0003-path-algorithm.md); that of glmnet computes the whole path.
- Extra memory is the increase of peak resident memory, beyond X, in a process that has already done one tiny fit.

Problems (seeded; 20 true features, signal-to-noise ratio 3; see `tamis simulate --list`):
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
