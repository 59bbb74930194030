"""Pictures, draws for others, progress: what people look at."""
import io
import subprocess
import sys
import types

import numpy as np
import pytest
import tamis
from tamis import _progress


@pytest.fixture(scope="module")
def garrote():
    draw = np.random.default_rng(1)
    X = draw.standard_normal((80, 12))
    return tamis.VariationalGarrote().fit(X, 2 * X[:, 3] + 0.3 * draw.standard_normal(80))


@pytest.fixture
def pictures():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    yield
    import matplotlib.pyplot

    matplotlib.pyplot.close("all")


@pytest.mark.parametrize("kind, label", [
    (None, "inclusion probability"), ("coefficients", "coefficient with 95% interval"),
    ("effects", "effect of one standard deviation with 95% interval"), ("path", "gamma (dashed: chosen)"),
    ("trace", "iteration")])
def test_draws_every_kind(kind, label, garrote, pictures):
    axes = garrote.plot(kind)
    assert axes.get_xlabel() == label
    axes.figure.canvas.draw()


def test_draws_into_the_callers_axes_and_at_most_the_top(garrote, pictures):
    import matplotlib.pyplot as plt

    axes = plt.subplots()[1]
    assert garrote.plot("inclusion", ax=axes, top=3) is axes
    assert [text.get_text() for text in axes.get_yticklabels()][0] == "x4"
    assert len(axes.get_yticks()) <= 3  # pruned features are never shown


def test_draws_factors(pictures):
    model = tamis.SparseFactorModel(n_factors=2, prior="vb", starts=1).fit(np.random.default_rng(0).random((30, 5)))
    for kind in ("loadings", "rates", "trace"):
        model.plot(kind).figure.canvas.draw()


def test_says_what_cannot_be_drawn(garrote, pictures):
    with pytest.raises(ValueError, match="expected one of inclusion"):
        garrote.plot("pie")
    X = np.random.default_rng(0).random((20, 3))
    with pytest.raises(ValueError, match="no inclusion probabilities"):
        tamis.Ridge(penalty=1.0).fit(X, X[:, 0]).plot("inclusion")
    with pytest.raises(ValueError, match="no path"):
        tamis.ExactSpikeSlab().fit(X, X[:, 0]).plot("path")


def test_names_the_library_that_is_missing(garrote, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match="pip install matplotlib"):
        garrote.plot()


def gibbs(**more):
    X = np.random.default_rng(2).standard_normal((40, 3))
    return tamis.GibbsSpikeSlab(chains=2, samples=20, burn_in=5, **more).fit(X, X[:, 1])


def test_draws_have_the_axes_chain_draw_feature():
    draws = gibbs(keep_draws=True).draws_
    assert draws["posterior"]["coefficients"].shape == (2, 20, 3)
    assert draws["posterior"]["noise_variance"].shape == (2, 20)
    assert set(np.unique(draws["posterior"]["inclusion"])) <= {0.0, 1.0}


def test_draws_average_to_the_model():
    model = gibbs(keep_draws=True)
    assert np.allclose(model.draws_["posterior"]["coefficients"].mean(axis=(0, 1)), model.coef_, atol=0.01)
    assert not hasattr(gibbs(), "draws_")


@pytest.mark.parametrize("from_dict", [
    lambda posterior=None, *, sample_stats=None, **names: ({"posterior": posterior, "sample_stats": sample_stats}, names),
    lambda data, **names: (data, names)], ids=["before version 1", "version 1"])
def test_arviz_gets_names_and_groups(from_dict, monkeypatch):
    model = gibbs(keep_draws=True)
    monkeypatch.setitem(sys.modules, "arviz", types.SimpleNamespace(from_dict=from_dict))
    groups, names = model.to_arviz()
    assert names["coords"] == {"feature": ["x1", "x2", "x3"]}
    assert names["dims"] == {"coefficients": ["feature"], "inclusion": ["feature"]}
    assert groups["posterior"]["intercept"].shape == (2, 20)


def test_arviz_itself_takes_them():
    pytest.importorskip("arviz")
    data = gibbs(keep_draws=True).to_arviz()
    assert list(data.posterior["coefficients"].dims) == ["chain", "draw", "feature"]
    assert list(data.posterior["feature"].values) == ["x1", "x2", "x3"]


def test_arviz_without_draws_or_without_arviz(monkeypatch):
    with pytest.raises(ValueError, match="keep_draws=True"):
        gibbs().to_arviz()
    monkeypatch.setitem(sys.modules, "arviz", None)
    with pytest.raises(ImportError, match="pip install arviz"):
        gibbs(keep_draws=True).to_arviz()


def test_a_bar_in_a_terminal_is_drawn_and_taken_away():
    terminal = io.StringIO()
    terminal.isatty = lambda: True
    with _progress.Progress(terminal, width=4) as progress:
        progress(0.5, "searching")
    assert terminal.getvalue().startswith("\rsearching                [##..]  50%")
    assert terminal.getvalue().endswith("\r\x1b[K")


def test_a_bar_in_a_notebook_is_an_element(monkeypatch):
    shown = []
    handle = types.SimpleNamespace(update=lambda html: shown.append(html))
    display = types.ModuleType("IPython.display")
    display.HTML, display.display = str, lambda html, display_id: handle
    shell = types.ModuleType("IPython")
    shell.get_ipython = lambda: types.SimpleNamespace(kernel=True)
    monkeypatch.setitem(sys.modules, "IPython", shell)
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    with _progress.Progress() as progress:
        progress(0.25, "a < b")
    assert shown == ['<progress value="0.250" max="1"></progress> a &lt; b  25%  ', ""]


def test_a_long_fit_tells_and_what_a_teller_raises_arrives():
    X = np.asfortranarray(np.random.default_rng(5).standard_normal((200, 100)))
    told = []

    def tell(fraction, phase):
        told.append((fraction, phase))
        if len(told) == 2:
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        tamis._core.fit("gibbs", "gaussian", X, X[:, 0], {"samples": 1e6}, progress=tell)
    assert 0 <= told[0][0] <= told[1][0] <= 1 and told[0][1]


def test_importing_tamis_does_not_import_scikit_learn():
    code = "import sys, tamis; print('sklearn' in sys.modules, 'matplotlib' in sys.modules, 'Lasso' in dir(tamis))"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert answer.split() == ["False", "False", "True"]
