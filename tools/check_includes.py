#!/usr/bin/env python3
"""Do all #includes respect the layers? A folder includes itself and folders of lower layers, nothing beside or above it.

    tools/check_includes.py [ROOT, default: the repository of this file]

The folders are those below src/ (a sub-folder counts as a folder of its own), the interfaces in include/tamis/, and
apps/, python/ and experiments/. Prints one line per violation, then a count; exit 1 if there is any. Why the layers are
as they are: docs/decisions/0008-layers.md; a picture of them: tools/layer_picture.py.
"""
import re
import sys
from pathlib import Path

# From the ground up. "method/*" stands for every folder of a method. The interfaces of methods and factor models
# (include/tamis/method, include/tamis/factor) lie below what implements them.
LAYERS = [
    ["base"],
    ["linalg"],
    ["design", "family", "prior"],
    ["fit"],
    ["interface method"],
    ["interface factor"],
    ["problem", "solver/descent", "solver/smooth"],
    ["solver/path"],
    ["search"],
    ["method/*", "factor/model"],
    ["method", "factor/sampling"],
    ["factor/point"],
    ["factor/continuous", "factor/spike_slab", "factor/variational"],
    ["factor"],
    ["compare", "io", "report"],
    ["experiments", "python"],
    ["apps"],
]
# Folders that may use less than everything below them.
ONLY = {
    "interface factor": {"base", "linalg", "design", "family", "fit", "interface method"},
    "factor/*": {"base", "linalg", "design", "family", "prior", "fit", "interface method", "interface factor"},
    "method": {"base", "linalg", "design", "family", "prior", "fit", "interface method", "problem", "search", "method/*"},
    "compare": {"base", "linalg", "design", "family", "fit", "interface method", "search"},
    "io": {"base", "linalg", "design", "fit"},
    "report": {"base", "linalg", "design", "family", "fit"},
}
# Sideways, and why: bayesian masking screens the features with a lasso.
DECLARED = {("method/masking", "method/penalized")}

TOP_FOLDERS = ("apps", "python", "experiments")
INTERFACES = ("method", "factor")
FORMER = {"likelihood": "family"}  # headers that lead to the new place, for one release
# Public headers promise an interface and must compile without our dependencies.
HIDDEN_LIBRARIES = {"Eigen", "tbb", "oneapi", "fmt", "nlohmann", "boost", "Random123", "CLI", "fast_float",
                    "cblas.h", "lapacke.h", "zlib.h"}
SUFFIXES = {".hpp", ".h", ".cpp", ".cc"}
INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]')
LEVEL = {folder: level for level, folders in enumerate(LAYERS) for folder in folders}


def pattern_of(folder):
    """The entry of LAYERS that stands for a folder: method/ard -> method/*."""
    return folder if folder in LEVEL or not folder.startswith("method/") else "method/*"


def nested(parts):
    """src/solver/path/x.cpp without src -> solver/path; deeper folders count as their parent."""
    return "/".join(parts[:-1][:2])


def folder_of(path):
    """The folder of a file given relative to the root; None for files outside all folders (umbrella header, tests)."""
    parts = Path(path).parts
    if parts[0] == "src" and len(parts) > 2:
        return nested(parts[1:])
    if parts[:2] == ("include", "tamis") and len(parts) > 3:
        return public_folder(parts[2])
    return parts[0] if parts[0] in TOP_FOLDERS else None


def public_folder(name):
    return f"interface {name}" if name in INTERFACES else FORMER.get(name, name)


def target_folder(target, includer):
    """The folder that an include names; None when it is not one of ours."""
    parts = Path(target).parts
    if parts[0] == "tamis":
        return public_folder(parts[1]) if len(parts) > 2 else None
    if len(parts) == 1:
        return includer
    if any(folder.split("/")[0] == parts[0] for folder in LEVEL):
        return parts[0] if parts[0] in TOP_FOLDERS else nested(parts)
    return includer if ".." not in parts else None


def may_include(folder, other):
    here, there = pattern_of(folder), pattern_of(other)
    if folder == other or (folder, other) in DECLARED:
        return True
    only = ONLY.get(here) or (ONLY["factor/*"] | {other for other in LEVEL if other.startswith("factor/")}
                              if here.startswith("factor") else None)
    if only is not None and there not in only:
        return False
    return LEVEL[there] < LEVEL[here]


def complaint_about(path, folder, bracket, target):
    """Why this include is wrong, or None."""
    parts = Path(target).parts
    if ".." in parts:
        return "climbs out of its folder; name the folder instead"
    public = Path(path).parts[0] == "include"
    if public and parts[0] in HIDDEN_LIBRARIES:
        return "is a dependency inside a public header; keep it in a .cpp"
    if bracket == "<" and parts[0] != "tamis":
        return None
    if public and parts[0] != "tamis":
        return "is private (src/) but included by a public header"
    if folder is None:
        return None
    if target == "tamis/tamis.hpp" and folder not in TOP_FOLDERS:
        return "is the umbrella for users; include what is needed"
    other = target_folder(target, folder)
    if other is None:
        return None
    if pattern_of(other) not in LEVEL:
        return f"is in an unknown folder '{other}'"
    if not may_include(folder, other):
        side = "sideways" if LEVEL[pattern_of(other)] == LEVEL[pattern_of(folder)] else (
            "up" if LEVEL[pattern_of(other)] > LEVEL[pattern_of(folder)] else "to what it may not know")
        return f"leads {side}: from {folder} to {other}"
    return None


def source_files(root):
    for top in ("src", "include", *TOP_FOLDERS):
        for path in sorted((root / top).rglob("*")):
            if path.suffix in SUFFIXES and path.is_file():
                yield path.relative_to(root)


def includes(root):
    """(path, its folder, line number, bracket, target) of every include line below root."""
    for path in source_files(root):
        for number, line in enumerate((root / path).read_text(encoding="utf-8").splitlines(), 1):
            match = INCLUDE.match(line)
            if match:
                yield path, folder_of(path), number, *match.groups()


def violations(root):
    """(number of files, lines 'file:line: ...') of the tree below root."""
    root, found, count = Path(root), [], 0
    for path in source_files(root):
        count += 1
        folder = folder_of(path)
        if folder is not None and pattern_of(folder) not in LEVEL:
            found.append(f"{path}:1: '{folder}' is not a folder of the plan")
    for path, folder, number, bracket, target in includes(root):
        if folder is not None and pattern_of(folder) not in LEVEL:
            continue
        reason = complaint_about(path, folder, bracket, target)
        if reason:
            found.append(f"{path}:{number}: {target} {reason}")
    return count, found


def main(arguments):
    root = Path(arguments[1]) if len(arguments) > 1 else Path(__file__).resolve().parent.parent
    count, found = violations(root)
    for line in found:
        print(line)
    print(f"include graph: {count} files, {len(found)} violations")
    return 1 if found or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
