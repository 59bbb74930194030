#!/usr/bin/env python3
"""Draws the lasso path of examples/diabetes.csv from real fits: docs/lasso-path.svg, the picture of the README.

    tools/path_picture.py [PROGRAM, default build/bin/tamis]

Every point is a fit of the program at that penalty; the vertical line is the penalty that cross-validation chose.
Coefficients are shown per standard deviation of their feature, so that they can be compared.
"""
import csv
import json
import math
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DATA, TARGET = ROOT / "examples" / "diabetes.csv", "progression"
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 860, 430, 62, 190, 34, 52
COLORS = ["#4477aa", "#ee6677", "#228833", "#b8860b", "#66ccee", "#aa3377", "#555555", "#ee7733", "#009988", "#9970ab"]


def fit(program, folder, *options):
    model = Path(folder, "model.json")
    command = [program, "fit", str(DATA), "--target", TARGET, "--method", "lasso", "--quiet", "-o", str(model), *options]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return json.loads(model.read_text(encoding="utf-8"))


def spreads():
    with open(DATA, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return {name: statistics.pstdev(float(row[name]) for row in rows) for name in rows[0] if name != TARGET}


def measure(program):
    """The penalties, one line of standardized coefficients per feature, and the chosen penalty."""
    with tempfile.TemporaryDirectory() as folder:
        chosen = fit(program, folder)
        penalties = [point["value"] for point in chosen["path"]]
        fits = [fit(program, folder, "--set", f"penalty={penalty!r}") for penalty in penalties]
    scale = spreads()
    lines = {name: [f["coefficients"][j] * scale[name] for f in fits] for j, name in enumerate(chosen["features"])}
    return penalties, lines, chosen["options"]["penalty"] or chosen["hyper"]["penalty"]


def spread_labels(places, gap):
    """Pushes labels apart so that they can be read, keeping their order and staying close to their lines."""
    order = sorted(places, key=places.get)
    heights = [places[name] for name in order]
    for _ in range(200):
        for k in range(len(heights) - 1):
            overlap = gap - (heights[k + 1] - heights[k])
            if overlap > 0:
                heights[k] -= overlap / 2
                heights[k + 1] += overlap / 2
    return dict(zip(order, heights))


def draw(penalties, lines, chosen):
    logs = [math.log10(p) for p in penalties]
    low, high = min(min(v) for v in lines.values()), max(max(v) for v in lines.values())

    def x(log):
        return LEFT + (WIDTH - LEFT - RIGHT) * (max(logs) - log) / (max(logs) - min(logs))

    def y(value):
        return TOP + (HEIGHT - TOP - BOTTOM) * (high - value) / (high - low)

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
           f'<text x="{LEFT}" y="18" font-size="14">Lasso path: ten measurements of 442 patients, progression of diabetes'
           " after a year</text>"]
    for value in range(math.ceil(low / 10) * 10, math.floor(high / 10) * 10 + 1, 10):
        out.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(value):.1f}" y2="{y(value):.1f}" stroke="#e4e4e4"/>'
                   f'<text x="{LEFT - 8}" y="{y(value) + 4:.1f}" text-anchor="end" fill="#555">{value}</text>')
    for power in range(math.ceil(min(logs)), math.floor(max(logs)) + 1):
        out.append(f'<text x="{x(power):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle" fill="#555">{10.0**power:g}</text>')
    at = x(math.log10(chosen))
    out.append(f'<line x1="{at:.1f}" x2="{at:.1f}" y1="{TOP}" y2="{HEIGHT - BOTTOM}" stroke="#888" stroke-dasharray="4 3"/>'
               f'<text x="{at + 5:.1f}" y="{HEIGHT - BOTTOM - 6}" fill="#555">chosen by 10-fold cross-validation</text>')
    labels = spread_labels({name: y(values[-1]) for name, values in lines.items()}, 14)
    for color, (name, values) in zip(COLORS, lines.items()):
        points = " ".join(f"{x(log):.1f},{y(value):.1f}" for log, value in zip(logs, values))
        out.append(f'<polyline points="{points}" fill="none" stroke="{color}" stroke-width="1.8"/>'
                   f'<text x="{WIDTH - RIGHT + 8}" y="{labels[name] + 4:.1f}" fill="{color}">{name}</text>')
    middle = (LEFT + WIDTH - RIGHT) / 2
    out.append(f'<text x="{middle}" y="{HEIGHT - 12}" text-anchor="middle" fill="#333">penalty (decreasing)</text>'
               f'<text transform="translate(16 {(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)" text-anchor="middle" fill="#333">'
               "coefficient per standard deviation</text></svg>")
    return "\n".join(out) + "\n"


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "build" / "bin" / "tamis")
    (ROOT / "docs" / "lasso-path.svg").write_text(draw(*measure(program)), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
