#!/usr/bin/env python3
"""What no compiler checks: index casts in the sources, and the subjects of new commits.

    tools/check_style.py [--commits BASE]   BASE: check commits since this one (default: since the last tag, or the
                                            commit in tools/commit_check_base)

Sizes and positions are signed (tamis::Index): containers are indexed by them, loops count in them, std::ssize() gives
them, and span_of() makes spans of them. So a cast to std::size_t or Index is a mistake, unless its argument is a
floating-point number or a type of another width, which a comment on the line says: `// width`.
Prints one line per violation; exit 1 if there is any.
"""
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LONGEST_SUBJECT = 72
CAST = re.compile(r"\[\s*static_cast<(?:std::size_t|Index)>\(|\bat\(Index \w+\) \{ return static_cast")
NEEDLESS = re.compile(r"static_cast<Index>\([\w.\->\[\]]+\.size\(\)\)")
SUBJECT = re.compile(r"^(Merge|Revert|fixup!|squash!)|^[\w ,./+-]+: \S")


def casts(root=ROOT):
    """Lines 'file:line: ...' of subscripts and sizes that are cast."""
    found = []
    for top in ("src", "include", "apps"):
        for path in sorted((root / top).rglob("*.[ch]pp")):
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                where = f"{path.relative_to(root)}:{number}: "
                if CAST.search(line):
                    found.append(where + "an index needs no cast: v[k]")
                elif NEEDLESS.search(line):
                    found.append(where + "write std::ssize(v)")
    return found


def complaint_about_subject(subject):
    """Why this subject of a commit is wrong, or None."""
    if len(subject) > LONGEST_SUBJECT:
        return f"{len(subject)} characters, at most {LONGEST_SUBJECT}; the body says why"
    if not SUBJECT.match(subject):
        return "write 'area: what'"
    return None


def commits(base, root=ROOT):
    """Lines 'hash subject: ...' of the commits since base that break the form."""
    log = subprocess.run(["git", "-C", root, "log", "--no-merges", "--format=%h %s", f"{base}..HEAD"],
                         capture_output=True, text=True)
    if log.returncode != 0:
        return []  # a shallow clone, or an export without history
    lines = [line.split(" ", 1) for line in log.stdout.splitlines()]
    return [f"{short} {subject}: {complaint_about_subject(subject)}" for short, subject in lines
            if complaint_about_subject(subject)]


def main(arguments):
    base = arguments[2] if arguments[1:2] == ["--commits"] else (ROOT / "tools/commit_check_base").read_text().split()[0]
    found = casts() + commits(base)
    for line in found:
        print(line)
    print(f"style: {len(found)} violations")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
