"""The page of `tamis compare` in a real browser: drawn without complaint, sorted, searched, hostile names stay text.

    test_compare_page.py PROGRAM
"""
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

from browser import Browser, CannotStart

PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else None
HOSTILE = "</script><script>document.title='taken'</script><img src=x onerror=\"document.title='taken'\">"


def write_table(path):
    """Twenty columns, two of which matter; the first has a hostile name."""
    rng = random.Random(1)
    names = [HOSTILE, "second"] + [f"x{j}" for j in range(3, 21)]
    quoted = ",".join('"' + name.replace('"', '""') + '"' for name in names)
    lines = [f"<b>target</b>,{quoted}"]
    for _ in range(60):
        x = [rng.gauss(0, 1) for _ in names]
        lines.append(",".join(f"{v:.6f}" for v in [2 * x[0] - x[1] + 0.5 * rng.gauss(0, 1), *x]))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


class ComparePage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        folder = pathlib.Path(cls.folder.name)
        write_table(folder / "table.csv")
        cls.page = folder / "<i>page & more</i>.html".replace("/", "_")
        subprocess.run([PROGRAM, "compare", folder / "table.csv", "--target", "<b>target</b>", "--methods",
                        "lasso,ard,pmf,ridge", "--cv", "3", "--quiet", "-o", cls.page], check=True,
                       stdout=subprocess.DEVNULL)
        try:
            cls.browser = Browser()
        except CannotStart as reason:
            cls.folder.cleanup()
            raise unittest.SkipTest(str(reason)) from reason
        cls.browser.open(cls.page.as_uri())

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.folder.cleanup()

    def listing(self, title):
        """A script expression: the listing under that heading."""
        return f"[...document.querySelectorAll('.listing')].find(l => l.querySelector('h3').textContent === '{title}')"

    def first_cells(self, title):
        return self.browser.evaluate(
            f"[...{self.listing(title)}.querySelectorAll('tbody tr')].map(r => r.cells[0].textContent)")

    def test_is_drawn_without_complaint_or_request(self):
        self.assertEqual(self.browser.complaints(), [])
        self.assertEqual(self.browser.requests(), [])

    def test_has_every_picture(self):
        charts = self.browser.evaluate("[...document.querySelectorAll('figure.chart')].map(f => [f.querySelector('h3')"
                                       ".textContent, f.querySelectorAll('.screen canvas').length > 0])")
        self.assertEqual([drawn for _, drawn in charts], [True] * 5)
        titles = " ".join(title for title, _ in charts)
        for words in ("RMSE by fold", "Difference in RMSE from", "empirical coverage", "Selection frequency", "Agreement"):
            self.assertIn(words, titles)

    def test_the_table_has_every_method_best_first_and_sorts(self):
        methods = self.first_cells("Scores")
        self.assertEqual(sorted(methods), ["ard", "lasso", "pmf", "ridge"])
        self.assertNotEqual(methods[0], "ridge")
        sort = f"{self.listing('Scores')}.querySelector('thead button').click()"
        self.browser.evaluate(sort)
        self.browser.evaluate(sort)
        self.assertIn(self.first_cells("Scores"), [sorted(methods), sorted(methods, reverse=True)])

    def test_a_search_finds_who_keeps_a_feature(self):
        listing = self.listing("Features selected by each method")
        search = f"{listing}.querySelector('input[type=search], input')"
        type_in = "{0}.value = '{1}'; {0}.dispatchEvent(new Event('input', {{bubbles: true}}))"
        self.browser.evaluate(type_in.format(search, "second"))
        self.assertEqual(self.first_cells("Features selected by each method"), ["second"])
        self.browser.evaluate(type_in.format(search, ""))
        self.assertGreater(len(self.first_cells("Features selected by each method")), 1)

    def test_hostile_names_stay_text(self):
        self.assertIn(HOSTILE, self.first_cells("Features selected by each method"))
        self.assertEqual(self.browser.evaluate("document.querySelectorAll('img, b > b, main script').length"), 0)
        self.assertIn("<b>target</b>", self.browser.evaluate("document.body.textContent"))
        self.assertNotEqual(self.browser.evaluate("document.title"), "taken")


if __name__ == "__main__":
    unittest.main()
