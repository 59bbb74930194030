"""The check of family names catches what it promises to catch: each test plants one file beside two families."""
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import check_family_names  # noqa: E402


def complaints(path, text, exceptions=None):
    with tempfile.TemporaryDirectory() as root:
        for name, content in {"src/family/real.cpp": 'Traits{.name = "gaussian"}', "src/family/count.cpp": '{.name = "poisson"}',
                              path: text}.items():
            file = Path(root, name)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(content, encoding="utf-8")
        return check_family_names.violations(root, exceptions or {})


class FamilyNames(unittest.TestCase):
    def test_a_comparison_is_refused_with_its_place(self):
        found = complaints("src/report/a.cpp", '\nif (fit.family == "poisson") return;\n')
        self.assertEqual(len(found), 1)
        self.assertTrue(found[0].startswith('src/report/a.cpp:2: knows the family "poisson"'), found[0])

    def test_every_name_of_a_list_is_refused(self):
        self.assertEqual(len(complaints("include/tamis/a.hpp", 'return {"gaussian", "poisson"};')), 2)

    def test_python_is_looked_at_with_either_quote(self):
        self.assertEqual(len(complaints("python/tamis/a.py", "family != 'gaussian' or family in [\"poisson\"]")), 2)

    def test_an_enumerator_is_a_name(self):
        self.assertEqual(len(complaints("apps/tamis/a.cpp", "case CellFamily::poisson:")), 1)

    def test_an_object_that_is_compared_is_a_name(self):
        self.assertEqual(len(complaints("src/fit/a.cpp", "if (&family == &tamis::poisson()) return;")), 1)

    def test_the_script_of_the_pages_is_looked_at(self):
        self.assertEqual(len(complaints("web/src/a.ts", "if (fit.family === 'poisson') return;  // not \"gaussian\"")), 1)

    def test_an_experiment_names_its_family_and_compares_none(self):
        self.assertEqual(complaints("experiments/a.cpp", 'fit("gaussian"); if (prior == "gaussian") return;'), [])
        self.assertEqual(len(complaints("experiments/a.cpp", 'if (fit.family == "poisson" || "gaussian" != name) return;')), 2)

    def test_words_for_people_are_allowed(self):
        self.assertEqual(complaints("apps/tamis/a.cpp", 'help("gaussian or poisson");  // not "gaussian"'), [])
        self.assertEqual(complaints("python/tamis/a.py", 'text = "poisson counts"  # not "poisson"'), [])

    def test_families_may_know_themselves(self):
        self.assertEqual(complaints("src/family/a.cpp", 'family("poisson")'), [])

    def test_an_exception_covers_its_folder(self):
        self.assertEqual(complaints("src/factor/a.cpp", 'x == "poisson"', {"src/factor/": "for now"}), [])

    def test_an_exception_without_a_place_is_refused(self):
        found = complaints("src/factor/a.cpp", "int a;\n", {"src/factor/": "for now"})
        self.assertEqual(len(found), 1)
        self.assertIn("not needed any more", found[0])

    def test_a_tree_without_families_is_refused(self):
        with tempfile.TemporaryDirectory() as root:
            self.assertEqual(len(check_family_names.violations(root, {})), 1)


if __name__ == "__main__":
    unittest.main()
