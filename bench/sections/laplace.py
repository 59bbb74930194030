"""flas: small problems at given and at searched variances, and two classes beside glmnet and liblinear."""
import workers
from harness import SEED
from tables import markdown, ratio, verdict

# Seconds at n = 100, p = 1000 with fixed variances and searched; over glmnet's path on E; over liblinear's L1 fit.
GIVEN_SECONDS, SEARCHED_SECONDS, OVER_GLMNET_PATH, OVER_LIBLINEAR = 0.04, 0.3, 1.0, 2.0
GIVEN = ("slab_variance=5", "spike_variance=0.001")
TEXT = ("flas.text-reviews", SEED)
TEXT_SIZE = ("n=2000", "p=50000", "test=0")


def small(bench, rows):
    with workers.tamis(bench.program) as ours:
        ours.ask("make", "flas.regression-n100", SEED, "-", "test=0")
        given, all_given, searched = bench.take_turns(
            lambda: ours.ask("method", "flas", 1, 0, *GIVEN),
            lambda: ours.ask("method", "flas", 1, 0, *GIVEN, "noise_precision=1", "prior_inclusion=0.02"),
            lambda: ours.ask("method", "flas", 1, 0))
    rows.append(["n = 100, p = 1000, fixed variances", given.seconds, "", verdict(given.seconds, GIVEN_SECONDS)])
    rows.append(["the same, noise and prior inclusion fixed too", all_given.seconds, "",
                 verdict(all_given.seconds, GIVEN_SECONDS)])
    rows.append(["n = 100, p = 1000, searched", searched.seconds, "", verdict(searched.seconds, SEARCHED_SECONDS)])


def beside_glmnet(bench, rows):
    with workers.tamis(bench.program) as ours, workers.glmnet() as theirs:
        bench.load(ours, "E", theirs)
        fit, path = bench.take_turns(lambda: ours.ask("method", "flas", 1, 0),
                                     lambda: theirs.ask("path", "default", bench.file("penalties"), bench.file("theirs")))
    rows.append(["E, searched / glmnet's lasso path", fit.seconds, path.seconds, verdict(ratio(fit, path), OVER_GLMNET_PATH)])


def beside_liblinear(bench, rows):
    with workers.tamis(bench.program) as ours, workers.scikit_learn() as theirs:
        ours.ask("make", *TEXT, bench.file("problem"), *TEXT_SIZE)
        theirs.ask("load_sparse", bench.file("problem"))
        fit, given, peer = bench.take_turns(lambda: ours.ask("method", "flas", 1, 0),
                                            lambda: ours.ask("method", "flas", 1, 0, "slab_variance=0.3",
                                                             "spike_variance=3e-7"),
                                            lambda: theirs.ask("liblinear"))
    for words, times in (("searched", fit), ("fixed variances", given)):
        rows.append([f"text, 2000 x 50,000 sparse, {words} / liblinear's L1 fit at C = 1", times.seconds, peer.seconds,
                     verdict(ratio(times, peer), OVER_LIBLINEAR)])


def laplace(bench):
    rows = []
    small(bench, rows)
    if "E" in bench.only:
        beside_glmnet(bench, rows)
    beside_liblinear(bench, rows)
    return markdown("flas, one thread", ["work", "tamis s", "other s", "ratio (first three rows: s)"], rows)
