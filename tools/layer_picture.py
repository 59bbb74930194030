#!/usr/bin/env python3
"""The layers of the sources and the includes between them, as SVG.

    tools/layer_picture.py [-o docs/layers.svg]

Folders stand in the layers of check_includes.py, the lowest at the bottom; a line leads from a folder to each one below
that it includes, wider the more files do so, unless it also gets there by way of another. All folders of methods are
drawn as one box.
"""
import re
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import check_includes  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
WIDTH, ROW, BOX_HEIGHT, MARGIN = 920, 58, 30, 16
SHOWN = {"interface method": "tamis/method (interface)", "interface factor": "tamis/factor (interface)",
         "method/*": "method/<name>"}
# Where a folder does not stand in the middle of its share of the row: factor models have a column of their own.
COLUMN = {"method": 0.27, "method/*": 0.27, "search": 0.27, "solver/path": 0.36, "problem": 0.13, "solver/descent": 0.36,
          "solver/smooth": 0.58, "factor/model": 0.8, "factor/sampling": 0.8, "factor/point": 0.8, "factor": 0.8,
          "factor/continuous": 0.56, "factor/spike_slab": 0.72, "factor/variational": 0.89, "interface method": 0.27,
          "interface factor": 0.8, "compare": 0.2, "io": 0.5, "report": 0.8}
COLORS = ["#eef3f8", "#e3edf6", "#d8e6f3", "#cddff0", "#c2d8ed"]


def edges(root=ROOT):
    """How many files of a folder include something of another one."""
    seen = set()
    for path, folder, _, _, target in check_includes.includes(root):
        other = check_includes.target_folder(target, folder) if folder else None
        if folder and other:
            here, there = check_includes.pattern_of(folder), check_includes.pattern_of(other)
            if here != there and there in check_includes.LEVEL:
                seen.add((path, here, there))
    return Counter((here, there) for _, here, there in seen)


def without_detours(count):
    """The edges that no longer way replaces."""
    direct = {}
    for here, there in count:
        direct.setdefault(here, set()).add(there)

    def reaches(start, goal):
        return any(step == goal or reaches(step, goal) for step in direct.get(start, ()))
    return {(here, there): files for (here, there), files in count.items()
            if not any(step != there and reaches(step, there) for step in direct[here])}


def places():
    """Middle of each box and its width."""
    found = {}
    layers = check_includes.LAYERS
    for level, folders in enumerate(layers):
        y = MARGIN + (len(layers) - 1 - level) * ROW + BOX_HEIGHT / 2
        gap = WIDTH / len(folders)
        for k, folder in enumerate(folders):
            x = COLUMN[folder] * WIDTH if folder in COLUMN else gap * (k + 0.5)
            found[folder] = (x, y, 26 + 7.2 * len(SHOWN.get(folder, folder)))
    return found


def picture(root=ROOT):
    at, count = places(), without_detours(edges(root))
    height = 2 * MARGIN + len(check_includes.LAYERS) * ROW - (ROW - BOX_HEIGHT)
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
             'font-family="sans-serif" font-size="13" role="img" aria-label="Layers of the sources">',
             '<rect width="100%" height="100%" fill="#ffffff"/>']
    for (here, there), files in sorted(count.items()):
        (x1, y1, _), (x2, y2, _) = at[here], at[there]
        middle = (y1 + y2) / 2
        lines.append(f'<path d="M{x1:.0f} {y1 + BOX_HEIGHT / 2:.0f} C{x1:.0f} {middle:.0f} {x2:.0f} {middle:.0f} '
                     f'{x2:.0f} {y2 - BOX_HEIGHT / 2:.0f}" fill="none" stroke="#5b7a99" stroke-opacity="0.6" '
                     f'stroke-width="{min(5.0, 0.6 + 0.12 * files):.1f}"><title>{here} includes {there}: {files} files'
                     '</title></path>')
    for folder, (x, y, width) in at.items():
        color = COLORS[check_includes.LEVEL[folder] % len(COLORS)]
        label = SHOWN.get(folder, folder).replace("<", "&lt;").replace(">", "&gt;")
        lines.append(f'<rect x="{x - width / 2:.0f}" y="{y - BOX_HEIGHT / 2:.0f}" width="{width:.0f}" '
                     f'height="{BOX_HEIGHT}" rx="5" fill="{color}" stroke="#5b7a99"/>')
        lines.append(f'<text x="{x:.0f}" y="{y + 4.5:.0f}" text-anchor="middle" fill="#1d2b3a">{label}</text>')
    return "\n".join([*lines, "</svg>"]) + "\n"


def without_counts(svg):
    """A picture but for how many files include something, which changes with every new file."""
    return re.sub(r'stroke-width="[\d.]+"|: \d+ files', "", svg)


def main(arguments):
    out = ROOT / "docs/layers.svg"
    if "-o" in arguments:
        out = Path(arguments[arguments.index("-o") + 1])
    out.write_text(picture(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
