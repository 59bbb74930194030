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

    def test_a_helper_that_converts_without_a_cast_is_found(self):
        for body in ("return k;", "return std::size_t{k};"):
            self.assertIn("no cast", casts(f"inline std::size_t at(Index k) {{ {body} }}\n")[0])

    def test_a_cast_size_is_found(self):
        self.assertIn("std::ssize", casts("Index n = static_cast<Index>(y.size());\n")[0])

    def test_every_spelling_is_found(self):
        for cast in ("v[std::size_t(k)]", "v[(std::size_t)k]", "v[static_cast<size_t>(k + 1)]", "first + static_cast<std::ptrdiff_t>(k)",
                     "Index(values.size())", "static_cast<Index>(p->size())", "static_cast<Index>(rows(k).size())",
                     "[](Index k) { return static_cast<std::size_t>(k); }"):
            self.assertEqual(len(casts(f"auto x = {cast};\n")), 1, cast)

    def test_a_cast_over_two_lines_is_found_where_it_begins(self):
        self.assertIn("src/base/a.cpp:1: ", casts("auto n = static_cast<std::size_t>(\n  k + 1);\n")[0])

    def test_an_unsigned_loop_is_found(self):
        self.assertIn("count in Index", casts("for (std::size_t k = 0; k < v.size(); ++k) {}\n")[0])

    def test_rounding_is_no_index_cast(self):
        self.assertEqual(casts("Index n = static_cast<Index>(std::floor(x)); y = v[k];\n"), [])
        self.assertEqual(casts("double x = 1, y = f(x);\nIndex n = static_cast<Index>(0.5 * k) + static_cast<Index>(x);\n"), [])

    def test_a_parameter_after_a_real_one_is_not_taken_for_real(self):
        self.assertEqual(len(casts("void f(double x, Index k) { v[static_cast<std::size_t>(k)] = x; }\n")), 1)

    def test_another_width_is_declared_on_the_line(self):
        self.assertEqual(casts("n = static_cast<Index>(byte);  // width\n"), [])

    def test_declarations_comments_and_strings_are_no_casts(self):
        self.assertEqual(casts("std::function<Index(Index)> f; Index g(Index k); void h(std::size_t);  // Index(k)\n"
                               's = "static_cast<Index>(k)";\n'), [])


class Subjects(unittest.TestCase):
    def test_an_area_and_what_is_fine(self):
        self.assertIsNone(check_style.complaint_about_subject("gibbs: fail with a reason when row precisions overflow"))

    def test_a_long_subject_is_refused(self):
        self.assertIn("at most 72", check_style.complaint_about_subject("area: " + "x" * 70))

    def test_a_subject_without_area_is_refused(self):
        self.assertIn("area: what", check_style.complaint_about_subject("Changed some things"))


if __name__ == "__main__":
    unittest.main()
