#!/usr/bin/env python3
"""clang-tidy over the sources, changed files first, within a time budget, remembering clean answers.

    tools/tidy.py --build BUILD [--jobs N] [--seconds S]

A file is skipped when neither it, nor any header of ours, nor .clang-tidy changed since it was found clean (stamps
in BUILD/tidy). Files that the budget does not reach are counted in the closing line, not passed over in silence.
"""
import argparse
import hashlib
import json
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CHECKED = ("src", "apps", "experiments")


def git(*arguments):
    result = subprocess.run(["git", "-C", str(ROOT), *arguments], capture_output=True, text=True)
    return result.stdout.split("\n") if result.returncode == 0 else []


def changed_files():
    """Files that differ from the last commit but one, or are not committed yet."""
    names = git("diff", "--name-only", "HEAD~1") + git("ls-files", "--others", "--exclude-standard")
    return {ROOT / name for name in names if name}


def commands_for_clang(build, stamps):
    """The compile commands, in `stamps`, without GCC's precompiled headers, which clang cannot read."""
    commands = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    for command in commands:
        command["command"] = re.sub(r" -include \S*cmake_pch\.hxx| -Winvalid-pch| -fpch-preprocess", "", command["command"])
    (stamps / "compile_commands.json").write_text(json.dumps(commands), encoding="utf-8")
    return commands


def sources_of(commands):
    files = {Path(command["file"]) for command in commands}
    return sorted(f for f in files if f.is_relative_to(ROOT) and f.relative_to(ROOT).parts[0] in CHECKED)


def digest_of_surroundings():
    """Changes when any header of ours or the list of checks does."""
    digest = hashlib.sha256((ROOT / ".clang-tidy").read_bytes())
    for top in ("include", *CHECKED):
        for header in sorted((ROOT / top).rglob("*.hpp")):
            digest.update(str(header.relative_to(ROOT)).encode() + header.read_bytes())
    return digest.digest()


def check(source, commands, stamp, deadline):
    """'clean', 'late', or the complaints."""
    if stamp.exists():
        return "clean"
    left = deadline - time.monotonic()
    if left <= 1:
        return "late"
    command = ["clang-tidy", "--quiet", "-p", str(commands), str(source)]
    try:
        result = subprocess.run(command, capture_output=True, text=True, timeout=left)
    except subprocess.TimeoutExpired:
        return "late"
    if result.returncode != 0:
        return result.stdout + result.stderr
    stamp.touch()
    return "clean"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=300)
    arguments = parser.parse_args()
    build, deadline = arguments.build.resolve(), time.monotonic() + arguments.seconds
    stamps = build / "tidy"
    stamps.mkdir(exist_ok=True)
    surroundings, changed = digest_of_surroundings(), changed_files()
    sources = sorted(sources_of(commands_for_clang(build, stamps)), key=lambda f: f not in changed)

    def job(source):
        key = hashlib.sha256(surroundings + str(source).encode() + source.read_bytes()).hexdigest()[:32]
        return check(source, stamps, stamps / key, deadline)

    with ThreadPoolExecutor(arguments.jobs) as pool:
        answers = list(pool.map(job, sources))
    complaints = [answer for answer in answers if answer not in ("clean", "late")]
    for complaint in complaints:
        print(complaint)
    print(f"clang-tidy: {answers.count('clean')} of {len(sources)} files clean, {len(complaints)} with complaints, "
          f"{answers.count('late')} not reached in {arguments.seconds:.0f} s")
    return 1 if complaints or not sources else 0


if __name__ == "__main__":
    sys.exit(main())
