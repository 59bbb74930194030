#!/usr/bin/env python3
"""What no compiler checks: index casts in the sources, and the subjects of new commits.

    tools/check_style.py [--commits BASE]   BASE: check commits since this one (default: the commit in
                                            tools/commit_check_base)

Sizes and positions are signed (tamis::Index): containers are indexed by them, loops count in them, std::ssize() gives
them, and span_of() makes spans of them. So a conversion to std::size_t or Index, however it is spelled, is a mistake,
unless it rounds a floating-point number (the argument says so, or a name in it is declared double in the file), or its
argument is of another width, which a comment on the line says: `// width`.
Prints one line per violation; exit 1 if there is any.
"""
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LONGEST_SUBJECT = 72
THE_ONE_PLACE = "include/tamis/base/index.hpp"  # span_of()
SIZE = r"(?:(?:std::)?(?:size_t|ptrdiff_t)|(?:tamis::)?Index)"
# static_cast<Index>(x), std::size_t(x), (std::size_t)x: what follows the match is the argument. Braces only widen.
CAST = re.compile(rf"static_cast<{SIZE}>\(|(?<![\w<:>]){SIZE}\((?=[^)])|(?<![\w>])\({SIZE}\)\s*(?=[\w(])")
LOOP = re.compile(r"for \((?:std::)?size_t \w+ = \d")
HELPER = re.compile(r"\b(?:std::)?size_t \w+\((?:const )?(?:tamis::)?Index \w+\)(?: const)? \{")  # at(k): a cast by return
FUNCTION = re.compile(rf"{SIZE}\((?:const )?[\w:<>]+[&*]* \w+[,)]|operator {SIZE}\(")  # a declaration
REAL = re.compile(r"\b\d+\.\d|\b\d+e\d|\bdouble\b|std::l*(?:round|floor|ceil|sqrt|log2?|exp|pow)\b|\buniform01\b|\breal\(|\breals\b")
SUBJECT = re.compile(r"^(Merge|Revert|fixup!|squash!)|^[\w ,./+-]+: \S")


def without_comments(text):
    """The same lines without comments and without the contents of strings."""
    return re.sub(r'"(?:\\.|[^"\\\n])*"|//[^\n]*', lambda m: '""' if m[0][0] == '"' else "", text)


def argument_at(text, start):
    """What stands from `start` to the bracket that closes it, or to the end of the name that a C cast is in front of."""
    depth = 0
    for end in range(start, len(text)):
        if text[end] in "([{":
            depth += 1
        elif text[end] in ")]}":
            if depth == 0:
                return text[start:end]
            depth -= 1
        elif depth == 0 and text[end] == ";":
            break
    return text[start:end]


def is_real(argument, text):
    """Whether an argument is a floating-point number as far as its file tells."""
    if REAL.search(argument):
        return True
    declared = r"\b(?:double|float) (?:\w+(?: = [^,;(){{}}]*)?, )*{}\b(?!\s*\()"
    return any(re.search(declared.format(name), text) for name in re.findall(r"\b[a-z]\w*\b", argument))


def casts(root=ROOT):
    """Lines 'file:line: ...' of indices and sizes that are cast."""
    found = []
    for top in ("src", "include", "apps", "python"):
        for path in sorted((root / top).rglob("*.[ch]pp")):
            if path == root / THE_ONE_PLACE:
                continue
            source = path.read_text(encoding="utf-8")
            lines, text = source.splitlines(), without_comments(source)
            for match in [*CAST.finditer(text), *LOOP.finditer(text), *HELPER.finditer(text)]:
                number = text.count("\n", 0, match.start()) + 1
                line = text.splitlines()[number - 1]
                is_cast = match.re is CAST
                if re.search(r"// width\b", lines[number - 1]) or FUNCTION.search(line) and is_cast:
                    continue
                argument = argument_at(text, match.end())
                if is_cast and is_real(argument, text):
                    continue
                what = ("count in Index" if match.re is LOOP else "write std::ssize(v)" if re.search(r"size\(\)$", argument) else
                        "an index needs no cast: v[k]")
                found.append((str(path.relative_to(root)), number, what))
    return [f"{path}:{number}: {what}" for path, number, what in sorted(set(found))]


def complaint_about_subject(subject):
    """Why this subject of a commit is wrong, or None."""
    if len(subject) > LONGEST_SUBJECT:
        return f"{len(subject)} characters, at most {LONGEST_SUBJECT}; the body says why"
    if not SUBJECT.match(subject):
        return "write 'area: what'"
    return None


def commits(base, root=ROOT):
    """Lines 'hash subject: ...' of the commits since base that break the form."""
    try:
        log = subprocess.run(["git", "-C", root, "log", "--no-merges", "--format=%h %s", f"{base}..HEAD"],
                             capture_output=True, text=True)
    except FileNotFoundError:
        return []
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
