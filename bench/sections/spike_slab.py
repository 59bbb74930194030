"""gibbs beside JAGS, and expectation propagation."""
import workers
from harness import SEED
from tables import markdown, ratio, verdict

# gibbs over JAGS at n = 100, p = 20: sweeps per second, and effective samples per second by the same estimator.
SWEEPS_OVER_JAGS, EFFECTIVE_OVER_JAGS, CHAINS_SPEEDUP = 350, 300, 1.8


def sampling(bench):
    with workers.tamis(bench.program) as ours, workers.jags() as theirs:
        ours.ask("make", "bench.a", SEED, bench.file("problem"), "n=100", "p=20", "active=5")
        bench.peers.add(theirs.ask("load", bench.file("problem"))["version"])
        our_sweeps, their_sweeps = 200_000, 4000
        a, b = bench.take_turns(lambda: ours.ask("sample", 1, 1, our_sweeps),
                               lambda: theirs.ask("sample", their_sweeps, bench.file("theirs")))
        ours.ask("draws", their_sweeps, bench.file("ours"))
        sizes = [ours.ask("ess", bench.file(f))["size"] / their_sweeps for f in ("ours", "theirs")]
        faster = our_sweeps / their_sweeps / ratio(a, b)
        ours.ask("make", "bench.a", SEED, "-", "n=1000", "p=1000")
        one, two = bench.take_turns(lambda: ours.ask("sample", 1, 4, 3000), lambda: ours.ask("sample", 2, 4, 3000))
    rows = [["n = 100, p = 20: sweeps per s", our_sweeps / a.seconds, their_sweeps / b.seconds,
             verdict(faster, SWEEPS_OVER_JAGS, at_least=True)],
            ["n = 100, p = 20: effective samples per s", sizes[0] * our_sweeps / a.seconds,
             sizes[1] * their_sweeps / b.seconds,
             verdict(faster * sizes[0] / sizes[1], EFFECTIVE_OVER_JAGS, at_least=True)],
            ["n = p = 1000, 4 chains, s: one thread, two", one.seconds, two.seconds,
             verdict(ratio(one, two), CHAINS_SPEEDUP, at_least=True)]]
    return markdown("gibbs against JAGS, fixed hyperparameters, one thread; and its chains on two",
                    ["work", "tamis, or one thread", "JAGS, or two threads", "ratio"], rows)


def propagation(bench):
    rows = []
    with workers.tamis(bench.program) as ours:
        for name, goal in (("B", 20.0), ("B5", 20.0)):
            ours.ask("make", f"bench.{name.lower()}", SEED, "-")
            fixed = ["prior_inclusion=0.001", "slab_variance=1", "noise_variance=5"]
            fit, sweep = bench.take_turns(lambda: ours.ask("method", "ep", 1, 0, *fixed), lambda: ours.ask("sweep"))
            rows.append([name, verdict(fit.seconds, goal), fit.seconds / sweep.seconds])
    return markdown("ep at n = 200, p = 20,000, fixed hyperparameters, one thread", ["problem", "s", "sweeps"], rows)
