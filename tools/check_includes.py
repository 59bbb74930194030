#!/usr/bin/env python3
"""Do all #includes respect the house plan? Dependencies between rooms point one way.

    tools/check_includes.py [ROOT, default: the repository of this file]

The room of a file is the folder below src/ or include/tamis/; apps/, python/ and experiments/ are rooms too.
Prints one line per violation, then a count; exit 1 if there is any. What may use what, and why, is written in
docs/decisions/0002-architecture-notes.md.
"""
import re
import sys
from pathlib import Path

# What a room may include besides itself. Written out, not closed transitively: a road must be meant.
_GROUND = {"base", "linalg"}
_BELOW_METHODS = _GROUND | {"design", "likelihood", "prior", "optim", "fit"}
_LIBRARY = _BELOW_METHODS | {"method", "factor", "compare", "io", "report"}
ALLOWED = {
    "base": set(),
    "linalg": {"base"},
    "design": _GROUND,
    "likelihood": _GROUND,
    "prior": _GROUND,
    "optim": _GROUND | {"design", "likelihood"},
    "fit": _GROUND | {"design"},
    "method": _BELOW_METHODS,
    "factor": _BELOW_METHODS | {"method"},  # options and what samplers share
    "compare": _BELOW_METHODS | {"method"},
    "io": _GROUND | {"design", "fit"},
    "report": _GROUND | {"design", "fit"},
    "experiments": _LIBRARY,
    "python": _LIBRARY,
    "apps": _LIBRARY | {"experiments"},
}
TOP_ROOMS = ("apps", "python", "experiments")
# Public headers promise an interface and must compile without our dependencies.
HIDDEN_LIBRARIES = {"Eigen", "tbb", "oneapi", "fmt", "nlohmann", "boost", "Random123", "CLI", "fast_float",
                    "cblas.h", "lapacke.h", "zlib.h"}
SUFFIXES = {".hpp", ".h", ".cpp", ".cc"}
INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]')


def room_of(path):
    """The room of a file given relative to the root; None for files outside all rooms (umbrella header, tests)."""
    parts = Path(path).parts
    if parts[0] == "src" and len(parts) > 2:
        return parts[1]
    if parts[:2] == ("include", "tamis") and len(parts) > 3:
        return parts[2]
    return parts[0] if parts[0] in TOP_ROOMS else None


def target_room(target, includer_room):
    """The room that an include names; None when it is not one of ours."""
    parts = Path(target).parts
    if parts[0] == "tamis":
        return parts[1] if len(parts) > 2 else None
    if parts[0] in ALLOWED and len(parts) > 1:
        return parts[0]
    return includer_room if ".." not in parts else None


def complaint_about(path, room, bracket, target):
    """Why this include is wrong, or None."""
    parts = Path(target).parts
    if ".." in parts:
        return "climbs out of its folder; name the room instead"
    public = Path(path).parts[0] == "include"
    if public and parts[0] in HIDDEN_LIBRARIES:
        return "is a dependency inside a public header; keep it in a .cpp"
    if bracket == "<" and parts[0] != "tamis":
        return None
    if public and parts[0] != "tamis":
        return "is private (src/) but included by a public header"
    if room is None:
        return None
    if target == "tamis/tamis.hpp" and room not in TOP_ROOMS:
        return "is the umbrella for users; include what is needed"
    other = target_room(target, room)
    if other is None or other == room:
        return None
    if other not in ALLOWED:
        return f"is in an unknown room '{other}'"
    if other not in ALLOWED[room]:
        return f"leads from {room} to {other}; {room} may use {', '.join(sorted(ALLOWED[room])) or 'nothing'}"
    return None


def source_files(root):
    for top in ("src", "include", *TOP_ROOMS):
        for path in sorted((root / top).rglob("*")):
            if path.suffix in SUFFIXES and path.is_file():
                yield path.relative_to(root)


def violations(root):
    """(number of files, lines 'file:line: ...') of the tree below root."""
    root, found, count = Path(root), [], 0
    for path in source_files(root):
        count += 1
        room = room_of(path)
        if room is not None and room not in ALLOWED:
            found.append(f"{path}:1: '{room}' is not a room of the house plan")
            continue
        for number, line in enumerate((root / path).read_text(encoding="utf-8").splitlines(), 1):
            match = INCLUDE.match(line)
            reason = complaint_about(path, room, *match.groups()) if match else None
            if reason:
                found.append(f"{path}:{number}: {match.group(2)} {reason}")
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
