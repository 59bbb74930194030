"""The Variational Garrote and paired mean field beside glmnet's lasso path; Bayesian Masking beside the paper's algorithm."""
import workers
from harness import SEED
from tables import exponent, markdown, ratio, verdict, yes_or_no

# vg: its path of 50 gammas forward and backward over glmnet's lasso path.
GARROTE = {"A": 0.40, "B": 1.5, "C": 0.15, "E": 1.0}
GARROTE_SWEEPS, FIXED_GARROTE_SWEEPS, FIXED_PMF_SWEEPS = 110, 10, 15
GARROTE_SIZES = (10_000, 100_000, 1_000_000)
CV_OVER_PATH, SCALING = 3.5, 1.05
# bm: collapsed over the paper's hybrid; 10,000 x 1,000 on two threads in seconds, and over one thread.
MASKING_OVER_HYBRID, MASKING_SECONDS, MASKING_SPEEDUP = 0.10, 60, 1.7


def garrote(bench):
    rows = []
    for name in bench.wanted(GARROTE):
        with workers.tamis(bench.program) as ours, workers.glmnet() as theirs:
            bench.load(ours, name, theirs)
            jobs = [lambda: ours.ask("method", "vg", 1, 0),
                    lambda: theirs.ask("path", "default", bench.file("penalties"), bench.file("theirs")),
                    lambda: ours.ask("sweep")]
            searches = name in "AC"
            path, peer, sweep, *cv = bench.take_turns(
                *jobs, *([lambda: ours.ask("method", "vg", 1, 10)] if searches else []))
        sweeps = path.seconds / sweep.seconds
        rows.append([name, path.seconds, peer.seconds, verdict(ratio(path, peer), GARROTE[name]),
                     verdict(sweeps, GARROTE_SWEEPS) if name == "A" else sweeps,
                     verdict(ratio(cv[0], path), CV_OVER_PATH) if searches else ""])
    header = ["problem", "vg s", "glmnet s", "ratio", "sweeps", "10-fold CV / path"]
    return markdown("Variational Garrote, 50 gammas forward and backward, against glmnet's lasso path, one thread",
                    header, rows)


def mean_field(bench):
    fixed = {"vg": ["gamma=-20"], "pmf": ["prior_inclusion=0.002", "slab_variance=1", "noise_variance=6"]}
    goals = {"vg": FIXED_GARROTE_SWEEPS, "pmf": FIXED_PMF_SWEEPS}
    rows = []
    with workers.tamis(bench.program) as ours:
        bench.load(ours, "A")
        for name, options in fixed.items():
            for words in (options, []) if name == "pmf" else (options,):
                fit, sweep = bench.take_turns(lambda: ours.ask("method", name, 1, 0, *words),
                                             lambda: ours.ask("sweep"))
                sweeps = fit.seconds / sweep.seconds
                rows.append([f"{name}, {' '.join(words) or 'all hyperparameters learned'}", fit.seconds,
                             verdict(sweeps, goals[name]) if words else sweeps])
    return markdown("Single mean-field fits on A, one thread", ["fit", "s", "sweeps"], rows)


def garrote_scaling(bench):
    rows, seconds = [], []
    for p in GARROTE_SIZES:
        with workers.tamis(bench.program) as ours:
            ours.ask("make", "vg.scaling", SEED, "-", f"p={p}")
            path, sweep = bench.take_turns(lambda: ours.ask("method", "vg", 1, 0), lambda: ours.ask("sweep"))
        seconds.append(path.seconds)
        rows.append([f"{p:,}", path.seconds, path.seconds / sweep.seconds])
    rows.append(["exponent", verdict(exponent(GARROTE_SIZES, seconds), SCALING), ""])
    return markdown("Scaling of a vg path with p: n = 100, 5 true features, one thread", ["p", "path s", "sweeps"],
                    rows)


def masking(bench):
    with workers.tamis(bench.program) as ours:
        ours.ask("make", "bm.k50", SEED, "-", "test=0")
        ends = {}

        def run(algorithm, *options):
            ends[algorithm] = ours.ask("method", "bm", 1, 0, f"algorithm={algorithm}", *options)
            return ends[algorithm]

        collapsed, hybrid = bench.take_turns(lambda: run("collapsed"),
                                            lambda: run("hybrid", "max_iterations=3000"))
        reached = ends["collapsed"]["objective"] >= ends["hybrid"]["objective"]
        small = ["1000 x 50, collapsed until convergence / hybrid (3000 iterations)", collapsed.seconds, hybrid.seconds,
                 verdict(ratio(collapsed, hybrid), MASKING_OVER_HYBRID), f"G no lower: {yes_or_no(reached)}"]
        ours.ask("make", "bm.k100", SEED, "-", "p=1000", "samples_per_feature=10", "test=0")
        whole = ours.ask("method", "bm", 2, 0)
        part = "max_iterations=300"
        one, two = bench.take_turns(lambda: ours.ask("method", "bm", 1, 0, part),
                                   lambda: ours.ask("method", "bm", 2, 0, part))
        rows = [small,
                ["10,000 x 1,000, 1 thread / 2 threads (300 iterations)", one.seconds, two.seconds,
                 verdict(ratio(one, two), MASKING_SPEEDUP, at_least=True), ""],
                ["10,000 x 1,000, 2 threads, until convergence", whole["seconds"], "",
                 verdict(whole["seconds"], MASKING_SECONDS), whole["status"]]]
    return markdown("Bayesian Masking", ["work", "s", "other s", "ratio (last row: s)", "result"], rows)
