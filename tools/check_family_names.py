#!/usr/bin/env python3
"""Does code ask a family what it is able to do, instead of what it is called? Families are an open axis: a new one is
a file in src/family and two lines of its registry, which only works if nothing else knows their names.

    tools/check_family_names.py [ROOT, default: the repository of this file]

Refuses every family's name as a string of its own ("poisson"), as an enumerator (CellFamily::poisson) and as an object
that another one is compared with (== &poisson()) in src, include, apps, python and web/src, outside src/family. An
experiment is about a family of its own, which it names; it may not compare a family's name either. Prints one line per
place, then a count; exit 1 if there is any. Names inside longer strings and in comments are words for people; programs
of bench/ speak to other packages, whose names they have to know.
"""
import re
import sys
from pathlib import Path

# Path or folder, and why it may. An exception that excepts nothing is refused too.
EXCEPTIONS = {
    "include/tamis/factor/factor.hpp": "the default of FactorProblem::family",
    "src/factor/continuous/prior.cpp": "a prior has the same name",
    "src/factor/continuous/sampler.cpp": "a prior has the same name",
    "src/factor/model/score_posterior.cpp": "a prior has the same name",
    "python/tamis/__init__.pyi": "defaults of parameters, as tools/python_stubs.py found them",
}

FOLDERS = ("src", "include", "apps", "python", "web/src")
FOLDERS_WITH_DATA = ("experiments",)
HOME = "src/family/"
SUFFIXES = {".hpp", ".cpp", ".py", ".pyi", ".ts", ".js"}
OWN_NAME = re.compile(r'\.name = "([^"]+)"')


def family_names(root):
    """As the sources in src/family give them in their traits."""
    return sorted({name for path in sorted((root / HOME).glob("*.cpp")) for name in OWN_NAME.findall(path.read_text("utf-8"))})


def without_comment(line, suffix):
    mark = "#" if suffix in {".py", ".pyi"} else "//"
    return line.split(mark)[0]


def places(root, names):
    """(path, line number, name) of every name of a family that code knows."""
    either = "|".join(map(re.escape, names))
    known = re.compile(rf"""(?P<quote>["'`])(?P<text>{either})(?P=quote)|\w::(?P<enumerator>{either})\b(?!\()"""
                       rf"""|&\s*(?:\w+::)*(?P<object>{either})\(\)""")
    # A prior of factor models has the name of a family.
    compared = re.compile(rf"""(?<!\bprior )[!=]= (?P<quote>["'])(?P<text>{either})(?P=quote)"""
                          rf"""|(?P<other>["'])(?P<object>{either})(?P=other) [!=]= |Family::(?P<enumerator>{either})\b""")
    for folder in FOLDERS + FOLDERS_WITH_DATA:
        pattern = compared if folder in FOLDERS_WITH_DATA else known
        for path in sorted((root / folder).rglob("*")):
            relative = path.relative_to(root).as_posix()
            if path.suffix not in SUFFIXES or not path.is_file() or relative.startswith(HOME):
                continue
            for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
                for match in pattern.finditer(without_comment(line, path.suffix)):
                    yield relative, number, match["text"] or match["enumerator"] or match["object"]


def exception_for(path, exceptions):
    """The longest entry that names the path or a folder that it is in; None if there is none."""
    fitting = [entry for entry in exceptions if path == entry or (entry.endswith("/") and path.startswith(entry))]
    return max(fitting, key=len, default=None)


def violations(root, exceptions=None):
    """Lines 'file:line: ...', one for every place that is no exception and every exception without a place."""
    root = Path(root)
    exceptions = EXCEPTIONS if exceptions is None else exceptions
    names = family_names(root)
    if not names:
        return [f"{HOME}: no family's name was found"]
    found, used = [], set()
    for path, number, name in places(root, names):
        entry = exception_for(path, exceptions)
        if entry is None:
            found.append(f'{path}:{number}: knows the family "{name}" by name; ask Family::traits(), words() or '
                         "complaint() instead")
        used.add(entry)
    return found + [f"{entry}: an exception that is not needed any more; take it from EXCEPTIONS"
                    for entry in exceptions if entry not in used]


def main(arguments):
    root = Path(arguments[1]) if len(arguments) > 1 else Path(__file__).resolve().parent.parent
    found = violations(root)
    for line in found:
        print(line)
    print(f"family names: {len(found)} violations")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
