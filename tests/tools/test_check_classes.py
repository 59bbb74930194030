"""The check of large classes counts data members, and nothing else."""
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import check_classes  # noqa: E402

SOURCE = """
// A class with members_; of a comment_;
class Path final : public Base<int> {
 public:
  explicit Path(Index n) : x_(n) { other_ = 1; }
  Index size() const { return size_; }
  double value(double y_) const;
  using Values_ = std::vector<double>;

 private:
  struct Point {
    double inner_ = 0;
  };
  const std::vector<double>& x_;
  std::vector<std::pair<int, double>> pairs_;
  double a_ = 0, b_ = std::min(1, 2), c_{3};
  std::function<void(int)> call_ = [](int k) { int local_ = k; };
  Index size_;
};
"""


def large(count):
    return "class Large {\n" + "".join(f"  int m{k}_;\n" for k in range(count)) + "};\n"


def violations(text, allowed):
    with tempfile.TemporaryDirectory() as root:
        file = Path(root, "src/base/a.hpp")
        file.parent.mkdir(parents=True)
        file.write_text(text, encoding="utf-8")
        return check_classes.violations(root, allowed)


class Classes(unittest.TestCase):
    def test_members_are_counted_and_nothing_else(self):
        found = {name: members for name, _, members in check_classes.classes(SOURCE)}
        self.assertEqual(found["Path"], ["x_", "pairs_", "a_", "b_", "c_", "call_", "size_"])
        self.assertEqual(found["Point"], ["inner_"])

    def test_twelve_members_are_allowed_and_thirteen_are_not(self):
        self.assertEqual(violations(large(12), {}), [])
        self.assertEqual(violations(large(13), {}), ["src/base/a.hpp:1: Large has 13 data members, at most 12"])

    def test_a_listed_class_may_not_grow(self):
        self.assertEqual(violations(large(13), {"Large": 13}), [])
        self.assertEqual(len(violations(large(14), {"Large": 13})), 1)

    def test_a_listed_class_that_shrank_leaves_the_list(self):
        self.assertIn("no longer large", violations(large(12), {"Large": 13})[0])
        self.assertIn("has 13", violations(large(13), {"Large": 14})[0])


if __name__ == "__main__":
    unittest.main()
