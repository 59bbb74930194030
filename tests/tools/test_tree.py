"""What the documents say of the tree is true: the picture of the layers shows today's includes, and tests/unit has the
folders of src/."""
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import layer_picture  # noqa: E402


def folders_with(top, pattern):
    return {path.parent.relative_to(top).as_posix() for path in top.rglob(pattern)}


class Tree(unittest.TestCase):
    def test_the_picture_of_the_layers_is_current(self):
        shown = (ROOT / "docs/layers.svg").read_text(encoding="utf-8")
        self.assertEqual(layer_picture.without_counts(shown), layer_picture.without_counts(layer_picture.picture()),
                         "tools/layer_picture.py draws it anew")

    def test_every_folder_of_the_sources_has_unit_tests(self):
        sources, tests = folders_with(ROOT / "src", "*.cpp"), folders_with(ROOT / "tests/unit", "*_test.cpp")
        self.assertEqual(sources - tests, set())
        self.assertEqual(tests - sources, {"experiments"})  # tests of experiments/


if __name__ == "__main__":
    unittest.main()
