"""Automatic relevance determination beside scikit-learn, glmnet and our own lasso path."""
import workers
from harness import SEED
from tables import exponent, markdown, ratio, verdict

# ard: over scikit-learn's ARDRegression, over our own lasso path on A, over glmnet's path of 100,000 features.
OVER_ARD_REGRESSION, OVER_OWN_PATH, OVER_GLMNET_PATH, RELEVANCE_MEMORY = 0.01, 2.0, 1.0, 0.5
RELEVANCE_FEATURES, RELEVANCE_SAMPLES = (1250, 2500, 5000, 10_000, 20_000, 40_000), (250, 500, 1000, 2000, 4000)
SCALING, RELEVANCE_SAMPLES_EXPONENT = 1.05, 1.10
# Fifty true features of 100,000 with noise enough to be unknown, and little enough that a thousand samples can tell.
LARGE = ("n=1000", "p=100000", "active=50", "signal_to_noise=30")


def relevance(bench):
    rows = []
    coefficients, theirs_file = bench.file("coefficients"), bench.file("theirs")
    with workers.tamis(bench.program) as ours, workers.scikit_learn() as theirs:
        ours.ask("make", "bench.a", SEED, bench.file("problem"), "n=1000", "p=1000")
        bench.peers.add(theirs.ask("load", bench.file("problem"), "gaussian")["version"])
        ours.ask("found", "ard", coefficients)
        fit, peer = bench.take_turns(lambda: ours.ask("method", "ard", 1, 0), lambda: theirs.ask("ard", theirs_file))
        mine, other = (ours.ask("truth", f) for f in (coefficients, theirs_file))
    rows.append(["n = p = 1000", fit.seconds, "ARDRegression", peer.seconds,
                 verdict(ratio(fit, peer), OVER_ARD_REGRESSION),
                 f"error {mine['error']:.2g} against {other['error']:.2g}; selected {mine['kept']} against "
                 f"{other['kept']} of 20 true", ""])
    with workers.tamis(bench.program) as ours:
        bench.load(ours, "A")
        found = ours.ask("found", "ard", coefficients)
        fit, path = bench.take_turns(lambda: ours.ask("method", "ard", 1, 0), lambda: ours.ask("path", 1, "-", "-"))
    rows.append(["A", fit.seconds, "tamis lasso path", path.seconds, verdict(ratio(fit, path), OVER_OWN_PATH),
                 f"missed {found['missed']} of 20, false {found['false']}", ""])
    rows.append(large_relevance(bench, coefficients))
    return markdown("Automatic relevance determination with unknown noise, one thread",
                    ["problem", "ard s", "compared with", "s", "ratio", "selection", "extra memory / X"], rows)


def large_relevance(bench, coefficients):
    with workers.tamis(bench.program) as ours, workers.glmnet() as theirs:
        size = ours.ask("make", "bench.a", SEED, bench.file("problem"), *LARGE)["bytes"]
        bench.peers.add(theirs.ask("load", bench.file("problem"), "gaussian")["version"])
        for file in bench.file("problem").glob("*"):
            file.unlink()
        found = ours.ask("found", "ard", coefficients)
        memory = ours.ask("method", "ard", 1, 0)["extra"] / size
        fit, peer = bench.take_turns(
            lambda: ours.ask("method", "ard", 1, 0),
            lambda: theirs.ask("path", "default", bench.file("penalties"), bench.file("theirs")))
    return ["n = 1000, p = 100,000, 50 true", fit.seconds, "glmnet's lasso path", peer.seconds,
            verdict(ratio(fit, peer), OVER_GLMNET_PATH), f"missed {found['missed']} of 50, false {found['false']}",
            verdict(memory, RELEVANCE_MEMORY)]


def relevance_scaling(bench):
    rows = []
    for what, sizes, other, goal in (("p", RELEVANCE_FEATURES, "n=1000", SCALING),
                                     ("n", RELEVANCE_SAMPLES, "p=2000", RELEVANCE_SAMPLES_EXPONENT)):
        seconds = []
        for size in sizes:
            with workers.tamis(bench.program) as ours:
                ours.ask("make", "bench.a", SEED, "-", f"{what}={size}", other)
                (fit,) = bench.take_turns(lambda: ours.ask("method", "ard", 1, 0))
            seconds.append(fit.seconds)
            rows.append([f"{what} = {size:,}, {other.replace('=', ' = ')}", fit.seconds])
        rows.append([f"exponent in {what}", verdict(exponent(sizes, seconds), goal)])
    return markdown("Scaling of ard, one thread", ["size", "s"], rows)
