#!/usr/bin/env python3
"""Runs the commands shown in docs and README.md and compares what they print with what the page shows.

    check_examples.py PROGRAM ROOT

A command is a line '$ tamis ...' (or '$ build/bin/tamis ...') in a console block; the lines up to the next command or
the end of the block are its output, on whichever stream. Spacing, times (the last column of a table, if that is called
`seconds`) and certificates (which are rounding errors) are not compared; a page may leave out the end of an output with a line '...'.
"""
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

UNSTABLE = [r"\([\d.e+-]+ s\)", r"(?<=gap )[\d.e+-]+", r"(?<=gradient norm )[\d.e+-]+", r"(?<=stationarity violation )[\d.e+-]+",
            r"(?<=stationary to )[\d.e+-]+", r"(?<=last change )[\d.e+-]+", r"(?<=last relative change )[\d.e+-]+",
            r"(?<=violated by )[\d.e+-]+ \(retained\) and [\d.e+-]+"]


def examples(page):
    """(command, expected output) of every console block."""
    for block in re.findall(r"```console\n(.*?)```", page, re.S):
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, _, output = part.partition("\n")
            yield command, output


def without_times(text):
    """Tables whose last column is `seconds` without that column."""
    lines, in_table = [], False
    for line in text.splitlines():
        if not line.strip():
            in_table = False
        lines.append(line.rsplit(None, 1)[0] if in_table else line)
        in_table = in_table or line.endswith(" seconds")
    return "\n".join(lines)


def comparable(text):
    text = without_times(text)
    text = " ".join(text.split())  # first: a line may end inside what is not compared
    for pattern in UNSTABLE:
        text = re.sub(pattern, "#", text)
    return text


def run(program, command, root, folder):
    words = shlex.split(command)
    if not words[0].endswith("tamis"):
        return None
    # Files that a command writes go to a folder of their own; files that it reads are the repository's or those.
    arguments = [w if w.startswith("-") or not (root / w).exists() else str(root / w) for w in words[1:]]
    result = subprocess.run([program, *arguments], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            text=True, timeout=120)
    return result.stdout


def main():
    program, root = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).resolve()
    compared, wrong = 0, 0
    for page in [root / "README.md", root / "docs" / "compare.md", root / "docs" / "report.md", *sorted((root / "docs" / "methods").glob("*.md"))]:
        with tempfile.TemporaryDirectory() as folder:
            for command, expected in examples(page.read_text()):
                received = run(program, command, root, folder)
                if received is None:
                    continue
                compared += 1
                shown, rest = (comparable(expected), False)
                if shown.endswith(" ..."):
                    shown, rest = shown[:-4], True
                printed = comparable(received)
                if printed == shown or (rest and printed.startswith(shown)):
                    continue
                wrong += 1
                print(f"{page.name}: $ {command}\n--- the page shows\n{expected}--- the program prints\n{received}")
    print(f"{compared} examples compared, {wrong} differ")
    return 1 if wrong or compared == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
