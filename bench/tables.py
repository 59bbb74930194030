"""Numbers to Markdown: every table of the benchmark as rows of words."""
import math
import statistics


class Times:
    """Repetitions of one job: seconds on the clock, and of processor, which a busy machine distorts least."""

    def __init__(self):
        self.clock, self.processor = [], []

    def add(self, reply):
        self.clock.append(reply["seconds"])
        self.processor.append(reply["processor"])

    @property
    def seconds(self):
        return statistics.median(self.clock)


def ratio(ours, theirs, of="clock"):
    """Median over pairs taken one after the other: a machine that slows down slows both of a pair."""
    return statistics.median(a / b for a, b in zip(getattr(ours, of), getattr(theirs, of)))


def exponent(sizes, seconds):
    """Least-squares slope of log seconds over log size."""
    x, y = [math.log(s) for s in sizes], [math.log(s) for s in seconds]
    mx, my = statistics.fmean(x), statistics.fmean(y)
    return sum((a - mx) * (b - my) for a, b in zip(x, y)) / sum((a - mx) ** 2 for a in x)


def short(value, digits=3):
    if value is None:
        return ""
    if isinstance(value, (str, int)):
        return str(value)
    if value != 0 and abs(value) < 1e-3:
        return f"{value:.1e}"
    return f"{value:.{digits}g}" if abs(value) < 100 else f"{value:.0f}"


def yes_or_no(met):
    return "yes" if met else "**no**"


def gap_words(gap):
    return f"{short(gap['largest'], 2)} ({short(gap['median'], 2)})"


def verdict(value, goal, at_least=False):
    """'0.31 (goal 0.45: yes)'"""
    met = value >= goal if at_least else value <= goal
    sign = ">=" if at_least else "<="
    return f"{short(value)} ({sign} {short(goal)}: {yes_or_no(met)})"


def markdown(title, header, rows):
    lines = [f"## {title}", "", "| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    lines += ["| " + " | ".join(short(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"
