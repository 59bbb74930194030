#!/usr/bin/env python3
"""A build beside an earlier one on the same problems in the same run, as ratios: did a change cost time?

    bench/two_builds.py --program build/bin/tamis_bench --base ../old/build/bin/tamis_bench [--turns 9] [--only A,vg]

Both programs hold the problem and take turns, the order reversed every other time; medians of the ratios of neighbors.
The ratio of processor time is what a busy machine distorts least. Exits with 1 if one is beyond --at-most.
"""
import argparse
import statistics

import workers
from harness import SEED, Bench
from tables import markdown, ratio, short

# Name: how to draw the problem, then the command that is timed (one thread unless its name says otherwise).
JOBS = {
    "path A": (("make", "bench.a", SEED, "-"), ("path", 1, "-", "-")),
    "path B": (("make", "bench.b", SEED, "-"), ("path", 1, "-", "-")),
    "path C": (("make", "bench.c", SEED, "-"), ("path", 1, "-", "-")),
    "CV A": (("make", "bench.a", SEED, "-"), ("cv", 1, "-")),
    "CV A, two threads": (("make", "bench.a", SEED, "-"), ("cv", 2, "-")),
    "vg A": (("make", "bench.a", SEED, "-"), ("method", "vg", 1, 0)),
    "ard A": (("make", "bench.a", SEED, "-"), ("method", "ard", 1, 0)),
    "factor bernoulli": (("factor_make", "factor.block-images", 100, 6, 0), ("factor_run", 1, 3000)),
    "factor gaussian": (("factor_make", "factor.patches", 10_000, 48, 0), ("factor_sweep", 1, 8)),
    "factor sparse counts": (None, ("factor_sparse", "vb", 20_000, 500, 2)),
}


def row_of(bench, base, name):
    make, command = JOBS[name]
    with workers.tamis(bench.program) as ours, workers.tamis(base) as theirs:
        for worker in (ours, theirs):
            if make:
                worker.ask(*make)
            worker.ask(*command)  # pages in what the first run pays for
        new, old = bench.take_turns(lambda: ours.ask(*command), lambda: theirs.ask(*command))
    spread = statistics.quantiles([a / b for a, b in zip(new.processor, old.processor)], n=4)
    return [name, old.seconds, new.seconds, ratio(new, old), ratio(new, old, "processor"),
            f"{short(spread[0])} to {short(spread[2])}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--program", required=True)
    parser.add_argument("--base", required=True, help="tamis_bench of the earlier build")
    parser.add_argument("--turns", type=int, default=9)
    parser.add_argument("--only", default="", help="words that a job's name contains, separated by commas")
    parser.add_argument("--at-most", type=float, default=1.03, help="largest ratio of processor time")
    arguments = parser.parse_args()
    bench = Bench(arguments.program, arguments.turns, "", ".")
    names = [name for name in JOBS if any(word in name for word in arguments.only.split(","))]
    rows = [row_of(bench, arguments.base, name) for name in names]
    header = ["job", "base s", "new s", "ratio", "of processor time", "its quartiles"]
    print(markdown(f"New build over base, {arguments.turns} turns", header, rows))
    raise SystemExit(1 if any(row[4] > arguments.at_most for row in rows) else 0)


if __name__ == "__main__":
    main()
