"""The style check catches what it promises to catch."""
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import check_style  # noqa: E402


def casts(text):
    with tempfile.TemporaryDirectory() as root:
        file = Path(root, "src/base/a.cpp")
        file.parent.mkdir(parents=True)
        file.write_text(text, encoding="utf-8")
        return check_style.casts(Path(root))


class Casts(unittest.TestCase):
    def test_a_cast_subscript_is_found(self):
        self.assertIn("src/base/a.cpp:2: ", casts("\nx = v[static_cast<std::size_t>(k)];\n")[0])

    def test_a_helper_that_casts_is_found(self):
        self.assertEqual(len(casts("std::size_t at(Index k) { return static_cast<std::size_t>(k); }\n")), 1)

    def test_a_cast_size_is_found(self):
        self.assertIn("std::ssize", casts("Index n = static_cast<Index>(y.size());\n")[0])

    def test_rounding_is_no_index_cast(self):
        self.assertEqual(casts("Index n = static_cast<Index>(std::floor(x)); y = v[k];\n"), [])


class Subjects(unittest.TestCase):
    def test_an_area_and_what_is_fine(self):
        self.assertIsNone(check_style.complaint_about_subject("gibbs: fail with a reason when row precisions overflow"))

    def test_a_long_subject_is_refused(self):
        self.assertIn("at most 72", check_style.complaint_about_subject("area: " + "x" * 70))

    def test_a_subject_without_area_is_refused(self):
        self.assertIn("area: what", check_style.complaint_about_subject("Changed some things"))


if __name__ == "__main__":
    unittest.main()
