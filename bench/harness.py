"""What every section of the benchmark needs: the problems, and workers that take turns."""
from pathlib import Path

from tables import Times

SEED = 1
# Design of experiments/, family, and the goal for our path over glmnet's.
PROBLEMS = {
    "A": ("bench.a", "gaussian", 0.45, "dense n = 1000, p = 10,000"),
    "B": ("bench.b", "gaussian", 0.60, "dense n = 200, p = 20,000, correlated blocks"),
    "C": ("bench.c", "gaussian", 0.15, "tall n = 20,000, p = 500"),
    "D": ("bench.d", "gaussian", 0.40, "sparse n = 10,000, p = 50,000, 0.5% nonzero"),
    "E": ("bench.e", "bernoulli", 0.45, "logistic n = 1000, p = 10,000"),
}


class Bench:
    def __init__(self, program, repetitions, only, folder):
        self.program, self.repetitions, self.only, self.folder = program, repetitions, only, Path(folder)
        self.peers = set()

    def file(self, name):
        return self.folder / name

    def wanted(self, names):
        return [name for name in names if name in self.only]

    def take_turns(self, *jobs, times_as_many=1):
        """Times of each job, one Times per job; the order is reversed every other time. Short jobs take more turns."""
        times = [Times() for _ in jobs]
        for repetition in range(times_as_many * self.repetitions):
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
