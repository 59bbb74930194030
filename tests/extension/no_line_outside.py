#!/usr/bin/env python3
"""Does any file outside tests/extension name a toy? Then the promise that a method, a family, a factor prior, a kind of
matrix or a format needs no line elsewhere is broken.

    no_line_outside.py ROOT
"""
import sys
from pathlib import Path

_TOYS = ("toy-screening", "toy_screening", "ToyScreening", "toy-exponential", "toy_exponential", "ToyExponential", "toy-ridge",
         "toy_ridge", "ToyRidge", "ToyStrides", "toy_strides", "toy-table", "toy_table")
_TOPS = ("src", "include", "apps", "python", "experiments", "bench", "tests", "tools", "script", "cmake", "docs", "web/src",
         ".ci")
_TEXT = {".cpp", ".hpp", ".py", ".pyi", ".txt", ".cmake", ".md", ".ts", ".in", ".json", ""}


def files(root):
    yield from (path for path in root.iterdir() if path.is_file())
    for top in _TOPS:
        yield from (path for path in sorted((root / top).rglob("*")) if path.is_file())


def mentions(root):
    here = root / "tests" / "extension"
    for path in files(root):
        if path.suffix not in _TEXT or path.is_relative_to(here):
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
            yield from (f"{path.relative_to(root)}:{number}: {toy}" for toy in _TOYS if toy in line)


def main(root):
    inside = "\n".join(path.name + path.read_text(encoding="utf-8") for path in (root / "tests" / "extension").glob("*.cpp"))
    unknown = [toy for toy in _TOYS if toy not in inside]
    found = list(mentions(root))
    for line in found:
        print(line)
    print(f"{len(found)} lines outside tests/extension know a toy")
    if unknown:
        print(f"no toy is called {', '.join(unknown)} any more: correct the list of this script")
    return 1 if found or unknown else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
