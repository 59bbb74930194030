#!/usr/bin/env python3
"""Do classes stay small? At most twelve data members: beyond that a class holds several values, each with an invariant
of its own, that should be types.

    tools/check_classes.py [ROOT, default: the repository of this file]

Counts the members (names that end in '_') in the bodies of classes and structs in src, include and apps, without those
of bases and nested types. Classes that were larger when the check was written are listed with their number of members:
they may shrink, not grow, and leave the list at twelve. Prints one line per violation, then a count; exit 1 if any.
"""
import re
import sys
from pathlib import Path

MOST_MEMBERS = 12
# Larger ones: to be taken apart by whoever works on them next.
LARGE = {
    "LassoPath": 51, "MeanFieldPath": 42, "MeanFieldSweep": 19, "GarroteSearch": 18, "Propagation": 14, "PathSearch": 18,
    "Cells": 16, "CappedSearch": 16, "WorkingResponse": 15, "FixedPoint": 15, "RoleAssigner": 14, "RelevanceData": 14,
    "PairedSearch": 13, "MaskOptimizer": 13, "FlasFit": 13, "FactorizedPart": 13,
}

FOLDERS = ("src", "include", "apps")
COMMENT_OR_STRING = re.compile(r'//[^\n]*|/\*.*?\*/|R"\((?:.|\n)*?\)"|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])+\'', re.S)
HEAD = re.compile(r"\b(?:class|struct)\s+(?:alignas\([^)]*\)\s*)?([A-Za-z_]\w*)(?:\s+final)?(?:\s*:(?!:)[^;{(]*)?\s*$")
MEMBER = re.compile(r"\b[A-Za-z]\w*_(?=\s*(?:\[|=|,|:|\{|$))")
# What precedes the names of members in a declaration is a type; parentheses outside an initializer are a function's.
NO_MEMBER = re.compile(r"^\s*(?:using|typedef|friend|return|template|static_assert|enum)\b")


def blank(match):
    return "\n" * match.group().count("\n") or " "


def closing(text, start):
    """The position of the brace that closes the one at start."""
    depth = 0
    for at in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if depth == 0:
            return at
    return len(text) - 1


def statements(body):
    """The declarations of a class body, without what stands in braces inside them."""
    out, statement, at = [], "", 0
    while at < len(body):
        if body[at] == "{":
            end = closing(body, at)
            statement += "{}"
            at = end + 1
            # A function's body ends its declaration without a semicolon.
            if re.search(r"\)[^;=]*\{\}$", statement) and not re.match(r"\s*[;,]", body[at:]):
                out.append(statement)
                statement = ""
            continue
        if body[at] == ";":
            out.append(statement)
            statement = ""
        else:
            statement += body[at]
        at += 1
    return out


def members_of(body):
    names = []
    for statement in statements(body):
        statement = re.sub(r"^\s*(?:(?:public|private|protected)\s*:\s*)+", "", statement)
        declared = re.sub(r"=[^,]*\([^)]*\)", "=", statement)
        declared = re.sub(r"<[^<>]*(?:<[^<>]*(?:<[^<>]*>)?[^<>]*>)*[^<>]*>", "", declared)
        if NO_MEMBER.match(declared) or "(" in declared:
            continue
        names += MEMBER.findall(declared.strip())
    return names


def classes(text):
    """(name, line, names of its data members) of every class in a source."""
    text = COMMENT_OR_STRING.sub(blank, text)
    for brace in re.finditer(r"\{", text):
        line_start = max(text.rfind(mark, 0, brace.start()) for mark in ";{}")
        head = HEAD.search(text[line_start + 1:brace.start()])
        if head:
            body = text[brace.start() + 1:closing(text, brace.start())]
            yield head[1], text.count("\n", 0, brace.start()) + 1, members_of(body)


def violations(root, large=None):
    """Lines 'file:line: ...' of classes that are too large, and of entries of the list that no longer are."""
    root, large, found, seen = Path(root), LARGE if large is None else large, [], {}
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*.[ch]pp")):
            for name, line, members in classes(path.read_text(encoding="utf-8")):
                most = large.get(name, MOST_MEMBERS)
                if len(members) > MOST_MEMBERS:
                    seen[name] = len(members)
                if len(members) > most:
                    found.append(f"{path.relative_to(root)}:{line}: {name} has {len(members)} data members, at most {most}")
    for name, most in large.items():
        if seen.get(name, 0) < most:
            now = f"has {seen[name]}" if name in seen else "is no longer large"
            found.append(f"tools/check_classes.py: LARGE says {most} members for {name}, which {now}; correct the list")
    return found


def main(arguments):
    root = Path(arguments[1]) if len(arguments) > 1 else Path(__file__).resolve().parent.parent
    found = violations(root)
    for line in found:
        print(line)
    print(f"classes: {len(found)} violations, {len(LARGE)} classes of more than {MOST_MEMBERS} members listed")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
