"""docs/tutorial.md: every block runs, and prints what the page shows."""
import contextlib
import io
import re
import sys
import warnings

import pytest
import sklearn
from conftest import ROOT

PAGE = ROOT / "docs" / "tutorial.md"
BLOCK = re.compile(r"```python\n(.*?)```\n```text\n(.*?)```", re.S)
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def printed_by(blocks):
    """What each block prints; names live on from one to the next."""
    names, shown = {}, []
    for code, _ in blocks:
        with contextlib.redirect_stdout(io.StringIO()) as out, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(compile(code, str(PAGE), "exec"), names)
        shown.append(out.getvalue())
    return shown


def parts(text, but=()):
    """The words and the numbers of a text without the lines that contain one of `but`."""
    kept = "\n".join(line for line in text.splitlines() if not any(word in line for word in but))
    return NUMBER.sub("#", kept), [float(number) for number in NUMBER.findall(kept)]


def test_the_tutorial_prints_what_it_shows():
    blocks = BLOCK.findall(PAGE.read_text())
    assert len(blocks) == 5
    # The page says of which scikit-learn its reference methods are.
    others = () if sklearn.__version__.startswith("1.2.") else ("LassoCV", "ARDRegression")
    for shown, (_, expected) in zip(printed_by(blocks), blocks):
        words, numbers = parts(shown, others)
        expected_words, expected_numbers = parts(expected, others)
        assert words == expected_words
        assert numbers == pytest.approx(expected_numbers, rel=0.02, abs=0.011)  # the last digit may be rounded otherwise


def write_page():
    """Puts what is printed into the page: python3 tests/python/test_tutorial.py"""
    text = PAGE.read_text()
    shown = iter(printed_by(BLOCK.findall(text)))
    PAGE.write_text(BLOCK.sub(lambda match: f"```python\n{match[1]}```\n```text\n{next(shown)}```", text))


if __name__ == "__main__":
    sys.exit(write_page())
