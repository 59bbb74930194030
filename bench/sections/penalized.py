"""The lasso path and its cross-validation beside glmnet and scikit-learn."""
import workers
from harness import PROBLEMS, SEED
from tables import exponent, gap_words, markdown, ratio, verdict, yes_or_no

PATH_MEMORY, CV_MEMORY = 0.05, 0.15
CV_OVER_PATH, CV_OVER_GLMNET, OVER_SCIKIT_LEARN = 3.5, 0.15, 0.05
PATH_SPEEDUP, CV_SPEEDUP, SCALING = 1.45, 1.8, 1.05
SCALING_SIZES = (10_000, 31_623, 100_000)
TURNS_OF_THREADS = 4  # what another program takes from one of two cores shows at once in such ratios


def path_row(bench, name, kind="default"):
    penalties, theirs_file, ours_file = bench.file("penalties"), bench.file("theirs"), bench.file("ours")
    with workers.tamis(bench.program) as ours, workers.glmnet() as theirs:
        size = bench.load(ours, name, theirs)["bytes"]

        def run_ours():
            return ours.ask("path", 1, penalties, ours_file)

        def run_theirs():
            return theirs.ask("path", kind, penalties, theirs_file)

        their_memory, our_memory = run_theirs()["extra"] / size, run_ours()["extra"] / size
        a, b, sweep = bench.take_turns(run_ours, run_theirs, lambda: ours.ask("sweep"))
        our_gap, their_gap = (ours.ask("gap", penalties, f) for f in (ours_file, theirs_file))
    label = name if kind == "default" else f"{name}, glmnet with type.gaussian = {kind}"
    no_worse = all(our_gap[kind] <= their_gap[kind] for kind in ("largest", "median"))
    return [label, a.seconds, b.seconds, verdict(ratio(a, b), PROBLEMS[name][2]), ratio(a, b, "processor"),
            gap_words(our_gap), gap_words(their_gap), yes_or_no(no_worse), a.seconds / sweep.seconds,
            verdict(our_memory, PATH_MEMORY if name != "D" else 0.3), their_memory]


def paths(bench):
    rows = [path_row(bench, name) for name in bench.wanted(PROBLEMS)]
    rows += [path_row(bench, "C", "covariance")] if "C" in bench.only else []
    header = ["problem", "tamis s", "glmnet s", "ratio", "CPU time ratio", "tamis gap", "glmnet gap",
              "gap no worse", "sweeps", "extra memory / X", "glmnet extra memory / X"]
    return markdown("Lasso path of 100 penalties against glmnet, one thread", header, rows)


def scikit_learn(bench):
    penalties, theirs_file, ours_file = bench.file("penalties"), bench.file("theirs"), bench.file("ours")
    with workers.tamis(bench.program) as ours, workers.scikit_learn() as theirs:
        bench.load(ours, "A", theirs)
        ours.ask("grid", penalties)
        a, b = bench.take_turns(lambda: ours.ask("path", 1, penalties, ours_file),
                               lambda: theirs.ask("path", penalties, theirs_file))
        gaps = [gap_words(ours.ask("gap", penalties, f)) for f in (ours_file, theirs_file)]
    row = ["A", a.seconds, b.seconds, verdict(ratio(a, b), OVER_SCIKIT_LEARN), *gaps]
    return markdown("Lasso path against scikit-learn's lasso_path, one thread",
                    ["problem", "tamis s", "scikit-learn s", "ratio", "tamis gap", "scikit-learn gap"], [row])


def cross_validation(bench):
    rows = []
    for name in bench.wanted("AC"):
        with workers.tamis(bench.program) as ours, workers.glmnet() as theirs:
            size = bench.load(ours, name, theirs)["bytes"]
            memory = ours.ask("cv", 1, "-")["extra"] / size
            cv, path, peer = bench.take_turns(lambda: ours.ask("cv", 1, "-"), lambda: ours.ask("path", 1, "-", "-"),
                                             lambda: theirs.ask("cv"))
        rows.append([name, cv.seconds, path.seconds, verdict(ratio(cv, path), CV_OVER_PATH), peer.seconds,
                     verdict(ratio(cv, peer), CV_OVER_GLMNET), verdict(memory, CV_MEMORY)])
    header = ["problem", "tamis s", "tamis path s", "CV / path", "cv.glmnet s", "ratio", "extra memory / X"]
    return markdown("10-fold cross-validation with the final fit, one thread", header, rows)


def threads(bench):
    rows = []
    with workers.tamis(bench.program) as ours:
        bench.load(ours, "A")
        ours.ask("grid", bench.file("grid"))
        for what, words in (("arithmetic", "arithmetic without X: limit set by the cores"),
                            ("passes", "A, X'r twenty times: limit set by memory bandwidth")):
            one, two = bench.take_turns(lambda what=what: ours.ask(what, 1), lambda what=what: ours.ask(what, 2),
                                        times_as_many=TURNS_OF_THREADS)
            rows.append([words, one.seconds, two.seconds, ratio(one, two), ""])
        for what, goal in (("path", PATH_SPEEDUP), ("cv", CV_SPEEDUP)):
            files = [bench.file(f"{what}{threads}") for threads in (1, 2)]

            def run(threads, what=what, files=files):
                middle = [bench.file("grid")] if what == "path" else []
                return ours.ask(what, threads, *middle, files[threads - 1])

            run(2)
            one, two = bench.take_turns(lambda: run(1), lambda: run(2), times_as_many=TURNS_OF_THREADS)
            same = files[0].read_bytes() == files[1].read_bytes()
            rows.append([f"A, {what}", one.seconds, two.seconds, verdict(ratio(one, two), goal, at_least=True),
                         yes_or_no(same)])
    return markdown("Two threads against one", ["work", "1 thread s", "2 threads s", "speedup", "bit-identical"], rows)


def scaling(bench):
    rows, seconds = [], []
    for p in SCALING_SIZES:
        with workers.tamis(bench.program) as ours:
            ours.ask("make", "bench.a", SEED, "-", f"p={p}")
            ours.ask("path", 1, "-", "-")
            path, sweep = bench.take_turns(lambda: ours.ask("path", 1, "-", "-"), lambda: ours.ask("sweep"))
        seconds.append(path.seconds)
        rows.append([f"{p:,}", path.seconds, path.seconds / sweep.seconds])
    rows.append(["exponent", verdict(exponent(SCALING_SIZES, seconds), SCALING), ""])
    return markdown("Scaling with p: n = 1000, one thread", ["p", "path s", "sweeps"], rows)
