"""Pages of `tamis report` in a real browser: drawn without complaint, sorted, searched, zoomed, hostile names stay text.

    test_report_page.py PROGRAM
"""
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

from browser import Browser, CannotStart

PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else None
HOSTILE = "</script><script>document.title='taken'</script><img src=x onerror=\"document.title='taken'\">"
WIDE = 100_000


def run(*words):
    result = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True)
    if result.returncode not in (0, 1):  # 1: not converged, the model is written
        raise AssertionError(result.stderr)


def write_table(path):
    """Forty columns, two of which matter; the first has a hostile name."""
    rng = random.Random(1)
    names = [HOSTILE, "second"] + [f"x{j}" for j in range(3, 41)]
    quoted = ",".join('"' + name.replace('"', '""') + '"' for name in names)
    lines = [f"<b>target</b>,{quoted}"]
    for _ in range(80):
        x = [rng.gauss(0, 1) for _ in names]
        lines.append(",".join(f"{v:.6f}" for v in [2 * x[0] - x[1] + 0.5 * rng.gauss(0, 1), *x]))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def write_wide_model(narrow, path):
    """The model of a hundred thousand features: the few that stand out are 777, 50,000 and the last."""
    model = json.loads(narrow.read_text(encoding="utf-8"))
    for key in ("feature_means", "feature_spreads", "more_targets", "credible_sets", "alternatives", "set_candidates"):
        model.pop(key, None)
    rng = random.Random(2)
    names = [f"snp{j + 1}" for j in range(WIDE)]
    inclusion = [round(0.02 * rng.random(), 5) for _ in names]
    coefficients = [round(0.001 * x, 7) for x in inclusion]
    for j in (776, 49_999, WIDE - 1):
        inclusion[j], coefficients[j] = 0.9, 1.0
    model.update(features=names, inclusion=inclusion, coefficients=coefficients, standard_deviations=[], hyper={})
    path.write_text(json.dumps(model), encoding="utf-8")


def write_model_with_sets(narrow, path, count, size):
    """Disjoint credible sets of as many features, the first of which has the hostile name."""
    model = json.loads(narrow.read_text(encoding="utf-8"))
    for key in ("feature_means", "feature_spreads", "more_targets", "alternatives", "set_candidates"):
        model.pop(key, None)
    names = [HOSTILE] + [f"a rather long name of a genotype, rs{j}" for j in range(1, count * size)]
    shares = [round(.96 * 2. ** -(k + 1), 6) for k in range(size)]
    model.update(features=names, inclusion=shares * count, coefficients=[.1] * len(names), standard_deviations=[], hyper={},
                 credible_sets=[{"features": names[s * size:(s + 1) * size], "inclusion": shares, "probability": .96,
                                 "purity": .6, "size": size, "correlation": [1] + [.6] * (size - 1)} for s in range(count)])
    path.write_text(json.dumps(model), encoding="utf-8")


class ReportPage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        try:
            cls.browser = Browser()
        except CannotStart as reason:
            raise unittest.SkipTest(str(reason)) from reason
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = folder = pathlib.Path(cls.temporary.name)
        write_table(folder / "table.csv")
        fit = ("fit", folder / "table.csv", "--target", "<b>target</b>", "--quiet", "-o")
        run(*fit, folder / "<u>vg.json", "--method", "vg")
        run(*fit, folder / "lasso.json", "--method", "lasso")
        run("report", folder / "<u>vg.json", "-o", folder / "one.html", "--data", folder / "table.csv")
        run("report", folder / "<u>vg.json", folder / "lasso.json", "-o", folder / "two.html")

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.temporary.cleanup()

    def open(self, name, **how):
        self.browser.open((self.folder / name).as_uri(), **how)

    def value(self, expression):
        return self.browser.evaluate(expression)

    def first_cells(self):
        return self.value("[...document.querySelectorAll('article:not([hidden]) .listing tbody tr')]"
                          ".map(r => r.cells[0].textContent)")

    def type_in(self, words):
        self.value("{const s = document.querySelector('input[type=search]'); s.value = " + json.dumps(words) +
                   "; s.dispatchEvent(new Event('input', {bubbles: true}))}")

    def shown(self):
        """Ends of the stretch that the first chart shows."""
        return [float(x) for x in self.value("document.querySelector('figure.chart').dataset.shown").split()]

    def assert_clean(self):
        self.assertEqual(self.browser.complaints(), [])
        self.assertEqual(self.browser.requests(), [])

    def test_draws_every_chart_without_complaint_or_request(self):
        self.open("one.html")
        drawn = self.value("[...document.querySelectorAll('figure.chart')].map(f => f.querySelector('h3').textContent"
                           " + ':' + f.querySelectorAll('.screen canvas').length)")
        for title in ("Approximate inclusion probabilities", "Validation error", "Number of features", "Residuals"):
            self.assertIn(f"{title}:1", drawn)
        inked = self.value("""[...document.querySelectorAll('figure.chart canvas')].map(c =>
            c.getContext('2d').getImageData(0, 0, c.width, c.height).data.some(v => v))""")
        self.assertEqual(inked, [True] * len(drawn))
        self.assert_clean()

    def test_sorts_by_a_column_and_back(self):
        self.open("one.html")
        self.assertEqual(self.first_cells()[:2], [HOSTILE, "second"])
        head = "document.querySelector('.listing thead th button')"
        self.value(f"{head}.click()")
        self.assertEqual(self.value("document.querySelector('.listing th').getAttribute('aria-sort')"), "ascending")
        rising = self.first_cells()
        self.value(f"{head}.click()")
        self.assertEqual(self.first_cells()[0], "x40")  # numbers inside names count: x9 before x40
        self.assertNotEqual(self.first_cells(), rising)

    def test_filters_by_name_and_by_selection(self):
        self.open("one.html")
        self.type_in("SECOND")
        self.assertEqual(self.first_cells(), ["second"])
        self.type_in("no such name")
        self.assertEqual(self.first_cells(), [])
        self.assertIn("no matches among 40", self.value("document.querySelector('.pager output').textContent"))
        self.type_in("")
        self.value("document.querySelector('.only input').click()")
        self.assertEqual(sorted(self.first_cells()), sorted([HOSTILE, "second"]))

    def test_leafs_through_long_tables(self):
        self.open("one.html")
        self.value("document.querySelector('[aria-label=\"Next page\"]').click()")
        self.assertEqual(self.value("document.querySelector('.pager output').textContent"), "21–40 of 40")

    def test_zooms_by_dragging_by_buttons_and_by_keys(self):
        self.open("one.html")
        whole = self.shown()
        self.value("document.querySelector('figure.chart').scrollIntoView()")
        box = self.value("(() => {const b = document.querySelector('figure.chart .u-over').getBoundingClientRect();"
                         "return [b.left, b.top, b.width, b.height]})()")
        middle = box[1] + box[3] / 2
        self.browser.drag([box[0] + 0.25 * box[2], middle], [box[0] + 0.5 * box[2], middle])
        dragged = self.shown()
        self.assertAlmostEqual(dragged[1] - dragged[0], (whole[1] - whole[0]) / 4, delta=0.3)
        self.value("document.querySelector('[aria-label=\"Reset zoom\"]').click()")
        self.assertEqual(self.shown(), whole)
        self.value("document.querySelector('figure.chart .uplot').focus()")
        self.browser.key("+")
        self.browser.key("ArrowLeft")
        left = self.shown()
        self.assertAlmostEqual(left[1] - left[0], (whole[1] - whole[0]) / 2, delta=0.3)
        self.assertLess(sum(left), sum(whole))
        self.browser.key("0")
        self.assertEqual(self.shown(), whole)

    def test_reads_off_the_point_under_the_pointer(self):
        self.open("one.html")
        at = self.value("(() => {const b = document.querySelector('figure.chart .u-over').getBoundingClientRect();"
                        "return [b.left + b.width * (2 - 0.415) / 40.17, b.top + 20]})()")
        self.browser.move(at)
        self.assertIn("second: selected", self.value("document.querySelector('figure.chart .readout').textContent"))

    def test_tabs_go_by_click_and_by_arrow_keys(self):
        self.open("two.html")
        visible = "[...document.querySelectorAll('article')].map(a => !a.hidden)"
        self.assertEqual(self.value(visible), [True, False, False])
        self.value("document.querySelector('[role=tab]').focus()")
        self.browser.key("ArrowRight")
        self.assertEqual(self.value(visible), [False, True, False])
        self.value("document.querySelectorAll('[role=tab]')[2].click()")
        self.assertEqual(self.value(visible), [False, False, True])
        self.assertGreater(self.value("document.querySelectorAll('article:not([hidden]) canvas').length"), 1)
        self.assert_clean()

    def test_light_and_dark_follow_the_system_and_the_switch(self):
        ground = "getComputedStyle(document.body).backgroundColor"
        self.open("one.html", dark=True)
        dark = self.value(ground)
        self.value("document.querySelector('button.theme').click()")
        light = self.value(ground)
        self.assertNotEqual(dark, light)
        self.open("one.html")
        self.assertEqual(self.value(ground), light)

    def test_fits_on_a_phone(self):
        for page in ("one.html", "two.html"):
            self.open(page, width=375, height=800, phone=True)
            self.assertLessEqual(self.value("document.documentElement.scrollWidth"), 375)

    def test_prints_drawings_and_all_sheets(self):
        self.open("two.html", paper=True)
        self.assertTrue(self.value("[...document.querySelectorAll('article')].every(a => a.offsetHeight > 0)"))
        self.assertTrue(self.value("document.querySelectorAll('.paper svg')[0].getBoundingClientRect().width > 100"))
        self.assertEqual(self.value("document.querySelector('.tools').offsetHeight"), 0)

    def test_hostile_names_stay_text(self):
        for page in ("one.html", "two.html"):
            self.open(page)
            self.assertIn(HOSTILE, self.first_cells())
            self.assertEqual(self.value("document.querySelectorAll('main img, main b, main u, main script').length"), 0)
            self.assertIn("<b>target</b>", self.value("document.body.textContent"))
            self.assertIn("<u>vg.json", self.value("document.body.textContent"))
            self.assertNotEqual(self.value("document.title"), "taken")
            self.assert_clean()

    def test_a_hundred_thousand_features_are_drawn_searched_and_zoomed(self):
        write_wide_model(self.folder / "<u>vg.json", self.folder / "wide.json")
        run("report", self.folder / "wide.json", "-o", self.folder / "wide.html")
        self.open("wide.html")
        self.assertEqual(self.first_cells()[:3], ["snp777", "snp50000", "snp100000"])
        self.type_in("snp6543")
        self.assertEqual(len(self.first_cells()), 11)  # snp6543 and snp65430 to snp65439
        for _ in range(4):
            self.value("document.querySelector('[aria-label=\"Zoom in\"]').click()")
        low, high = self.shown()
        self.assertLess(high - low, WIDE / 15)
        self.assertTrue(low < 50_000 < high)
        self.assert_clean()

    def test_thirty_credible_sets_of_fifty_features_are_readable(self):
        write_model_with_sets(self.folder / "<u>vg.json", self.folder / "sets.json", 30, 50)
        run("report", self.folder / "sets.json", "-o", self.folder / "sets.html")
        for how in ({}, {"width": 375, "height": 800, "phone": True}):
            self.open("sets.html", **how)
            self.assertEqual(self.value("document.querySelectorAll('.groups ol > li').length"), 30)
            self.assertLessEqual(self.value("document.documentElement.scrollWidth - innerWidth"), 0)
            strip = self.value("[...document.querySelectorAll('.strip')].map(s => s.getBoundingClientRect().width)")
            first = self.value("document.querySelector('.strip rect').getBoundingClientRect().width")
            self.assertAlmostEqual(first / strip[0], .48, delta=.02)
            closed = self.value("document.querySelector('.groups').offsetHeight")
            self.value("document.querySelectorAll('.groups details').forEach(d => { d.open = true })")
            self.assertGreater(self.value("document.querySelector('.groups').offsetHeight"), 2 * closed)
            self.assertEqual(self.value("document.querySelectorAll('.members li').length"), 1500)
            self.assertEqual(self.value("document.querySelector('.members strong').textContent"), HOSTILE[:45] + "...")
            self.assert_clean()

    def test_factor_models_are_drawn_as_images_and_heat_maps(self):
        run("simulate", "factor.block-images", "--seed", 1, "--quiet", "-o", self.folder / "blocks")
        run("factor", self.folder / "blocks.train.csv", "--family", "bernoulli", "--factors", 4, "--prior", "vb", "--holdout",
            0.1, "--quiet", "-o", self.folder / "factor.json")
        run("report", self.folder / "factor.json", "-o", self.folder / "factor.html", "--image", "6x6")
        self.open("factor.html")
        sizes = self.value("[...document.querySelectorAll('.image canvas')].map(c => [c.width, c.height])")
        self.assertEqual(sizes, [[6, 6]] * 4)
        self.assertEqual(self.value("[...document.querySelectorAll('.heat canvas')].map(c => [c.width, c.height])"),
                         [[100, 4]] * 2)
        self.assert_clean()


if __name__ == "__main__":
    unittest.main()
