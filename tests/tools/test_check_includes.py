"""The include-graph check catches what it promises to catch: each test plants one file in an empty tree."""
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import check_includes  # noqa: E402


def complaints(path, text):
    with tempfile.TemporaryDirectory() as root:
        file = Path(root, path)
        file.parent.mkdir(parents=True)
        file.write_text(text, encoding="utf-8")
        return check_includes.violations(root)[1]


class IncludeGraph(unittest.TestCase):
    def test_a_lower_layer_may_be_included(self):
        self.assertEqual(complaints("src/method/ridge/a.cpp", '#include "tamis/family/family.hpp"\n'), [])

    def test_a_folder_may_use_its_own_private_headers(self):
        self.assertEqual(complaints("src/io/csv.cpp", '#include "io/csv.hpp"\n#include "buffer.hpp"\n'), [])

    def test_design_must_not_know_family(self):
        found = complaints("src/design/dense.cpp", '\n#include "tamis/family/family.hpp"\n')
        self.assertEqual(len(found), 1)
        self.assertTrue(found[0].startswith("src/design/dense.cpp:2: "), found[0])
        self.assertIn("sideways: from design to family", found[0])

    def test_method_must_not_know_io(self):
        self.assertIn("from method to io", complaints("src/method/a.cpp", '#include <tamis/io/dataset.hpp>\n')[0])

    def test_a_lower_layer_must_not_include_a_higher_one(self):
        self.assertIn("up: from base to solver/descent",
                      complaints("src/base/a.cpp", '#include "solver/descent/coordinate_penalty.hpp"\n')[0])

    def test_methods_must_not_know_each_other(self):
        self.assertIn("sideways: from method/ard to method/ridge",
                      complaints("src/method/ard/a.cpp", '#include "method/ridge/ridge_basis.hpp"\n')[0])

    def test_a_declared_edge_is_allowed(self):
        self.assertEqual(complaints("src/method/masking/a.cpp", '#include "method/penalized/penalized_path.hpp"\n'), [])

    def test_a_factor_prior_must_not_know_regression_methods(self):
        self.assertIn("to what it may not know",
                      complaints("src/factor/point/a.cpp", '#include "solver/path/lasso_path.hpp"\n')[0])

    def test_a_public_header_must_not_show_a_dependency(self):
        self.assertIn("dependency", complaints("include/tamis/design/a.hpp", "#include <Eigen/Dense>\n")[0])

    def test_a_public_header_must_not_show_a_private_header(self):
        self.assertIn("private", complaints("include/tamis/method/a.hpp", '#include "method/inner.hpp"\n')[0])

    def test_a_relative_climb_is_refused(self):
        self.assertIn("climbs", complaints("src/design/a.cpp", '#include "../family/bernoulli.hpp"\n')[0])

    def test_the_library_must_not_use_its_own_umbrella(self):
        self.assertIn("umbrella", complaints("src/report/a.cpp", '#include "tamis/tamis.hpp"\n')[0])

    def test_an_unknown_folder_is_refused(self):
        self.assertIn("'utils'", complaints("src/utils/a.cpp", "int a;\n")[0])

    def test_an_unknown_sub_folder_is_refused(self):
        self.assertIn("'solver/misc'", complaints("src/solver/misc/a.cpp", "int a;\n")[0])

    def test_the_program_may_use_experiments_but_experiments_not_the_program(self):
        self.assertEqual(complaints("apps/tamis/a.cpp", '#include "experiments/designs.hpp"\n'), [])
        self.assertEqual(len(complaints("experiments/a.cpp", '#include "apps/tamis/b.hpp"\n')), 1)


if __name__ == "__main__":
    unittest.main()
