"""What is found, whatever it costs; and reading a file."""
import workers
from tables import markdown, ratio, verdict

CSV_MEMORY = 2.0
QUALITY_SEEDS = 20
KNOWING = {"any_size": "oracle: the truth is most probable, given the noise and the distribution of the coefficients",
           "normal": "the same, assuming normal coefficients",
           "same_size": "the same, given the distribution and that there are 20"}


def quality(bench):
    """Signal-to-noise 3 is meant for variances in all other tables; 9 makes it 3 for standard deviations. The last rows
    are for those who know how the data were made: whether the truth is their most probable support."""
    rows = []
    for signal in (3, 9):
        for method in ("vg", "pmf", "ard", "lasso"):
            with workers.tamis(bench.program) as ours:
                draws = [ours.ask("quality", "bench.a", method, seed, f"signal_to_noise={signal}")
                         for seed in range(1, QUALITY_SEEDS + 1)]
            mean = {key: sum(d[key] for d in draws) / len(draws) for key in ("f1", "kept", "error")}
            rows.append([signal, method, sum(d["f1"] == 1 for d in draws), mean["f1"], mean["kept"], mean["error"],
                         max(d["error"] for d in draws)])
        with workers.tamis(bench.program) as ours:
            competitors = [ours.ask("competitors", "bench.a", seed, "-", f"signal_to_noise={signal}", "test=1")
                      for seed in range(1, QUALITY_SEEDS + 1)]
        rows += [[signal, words, sum(r[key] <= 0 for r in competitors), "", "", "", ""] for key, words in KNOWING.items()]
    header = ["signal-to-noise ratio", "method", f"F1 = 1, of {QUALITY_SEEDS}", "mean F1", "selected",
              "test error / oracle's", "worst"]
    return markdown(f"Selection accuracy on A with 10-fold cross-validation, over {QUALITY_SEEDS} seeds", header, rows)


def csv(bench):
    file = bench.file("table.csv")
    with workers.tamis(bench.program) as ours, workers.scikit_learn() as theirs:
        size = ours.ask("csv_write", file, 200)["bytes"]
        memory = ours.ask("csv", 0, file)["extra"] / size
        one, all_cores, peer = bench.take_turns(lambda: ours.ask("csv", 1, file), lambda: ours.ask("csv", 0, file),
                                               lambda: theirs.ask("csv", file))
    row = [one.seconds, all_cores.seconds, peer.seconds, ratio(one, peer),
           verdict(ratio(all_cores, peer), 1.0), verdict(memory, CSV_MEMORY)]
    return markdown("Reading a CSV file of 200 MB against pandas (C engine)",
                    ["1 thread s", "all cores s", "pandas s", "1 thread / pandas", "all cores / pandas",
                     "peak memory / matrix"], [row])
