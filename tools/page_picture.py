#!/usr/bin/env python3
"""A page of `tamis report` or `tamis compare` as a PNG, as Chromium without a window shows it.

    tools/page_picture.py PAGE.html OUT.png [--sheet N] [--dark] [--phone] [--width W] [--height H] [--from Y]

The pictures of docs/report.md are made from the page that script/demo writes, and from a factor model:
    tools/page_picture.py build/demo/page.html docs/report-light.png --sheet 2 --height 1180
    tools/page_picture.py build/demo/page.html docs/report-dark.png --sheet 2 --dark --from 1110 --height 800
    tools/page_picture.py factors.html docs/report-factors.png --height 790
"""
import argparse
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests" / "browser"))
from browser import Browser  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page", type=pathlib.Path)
    parser.add_argument("picture", type=pathlib.Path)
    parser.add_argument("--sheet", type=int, default=1)
    parser.add_argument("--dark", action="store_true")
    parser.add_argument("--phone", action="store_true")
    parser.add_argument("--width", type=int, default=1000)
    parser.add_argument("--height", type=int, default=1000)
    parser.add_argument("--from", dest="top", type=int, default=0, help="pixels above the picture")
    words = parser.parse_args()
    with Browser() as browser:
        browser.open(f"{words.page.resolve().as_uri()}#sheet-{words.sheet}", width=words.width, height=words.height,
                     dark=words.dark, phone=words.phone)
        browser.evaluate(f"scrollTo(0, {words.top})")
        browser.picture(words.picture, whole=False)


if __name__ == "__main__":
    main()
