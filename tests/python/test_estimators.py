"""What the estimators promise beyond scikit-learn: uncertainty, selection, names, Ctrl-C."""
import _thread
import pickle
import signal
import threading
import time

import numpy as np
import pandas
import pytest
import scipy.sparse
import sklearn.base
import tamis
from sklearn.exceptions import ConvergenceWarning
from tamis import _estimators, _families, _names, _parameters


def test_selects_the_features_that_made_the_response(sparse_problem):
    X, y = sparse_problem
    model = tamis.VariationalGarrote().fit(X, y)
    assert sorted(s.feature for s in model.select(fdr=0.05)) == [3, 7, 20]
    assert list(model.get_support(indices=True)) == [3, 7, 20]
    assert model.transform(X).shape == (120, 3)
    assert model.select(top=1)[0].name == "x8"
    assert np.all((model.inclusion_ >= 0) & (model.inclusion_ <= 1))


def test_a_method_without_probabilities_invents_none(sparse_problem):
    model = tamis.Lasso().fit(*sparse_problem)
    assert model.inclusion_ is None
    assert model.select()[0].inclusion is None
    with pytest.raises(ValueError, match="inclusion"):
        model.select(fdr=0.05)


def test_credible_sets_and_alternatives_name_what_cannot_be_told_apart(sparse_problem):
    X, y = sparse_problem
    X = np.column_stack([X, -2 * X[:, 7]])
    model = tamis.GibbsSpikeSlab(samples=500).fit(X, y)
    assert model.inclusion_kind_ == "posterior"
    together = [s for s in model.credible_sets_ if set(s["columns"]) == {7, X.shape[1] - 1}]
    assert len(together) == 1
    assert together[0]["purity"] == 1
    assert together[0]["probability"] >= .95
    assert together[0]["size"] == len(together[0]["features"]) == len(together[0]["inclusion"]) == 2
    assert [s["features"] for s in model.credible_sets(.95)] == [s["features"] for s in model.credible_sets_]
    with pytest.raises(ValueError, match="level"):
        model.credible_sets(.2)
    again = pickle.loads(pickle.dumps(model))
    assert again.credible_sets_[0]["features"] == model.credible_sets_[0]["features"]
    garrote = tamis.VariationalGarrote().fit(X, y)
    assert garrote.inclusion_kind_ == "approximate"
    assert garrote.credible_sets_ == []
    assert {"x8", f"x{X.shape[1]}"} in [{a["feature"], a["with"]} for a in garrote.alternatives_] or \
        {7, X.shape[1] - 1} <= {s.feature for s in garrote.select()}


def test_two_rules_of_selection_are_refused(sparse_problem):
    with pytest.raises(ValueError, match="one of fdr, threshold and top"):
        tamis.Lasso().fit(*sparse_problem).select(threshold=0.5, top=3)


def test_standard_deviations_are_at_least_the_noise(sparse_problem):
    X, y = sparse_problem
    model = tamis.PairedMeanField().fit(X, y)
    mean, sd = model.predict(X, return_std=True)
    assert np.array_equal(mean, model.predict(X))
    assert np.all(sd >= np.sqrt(model.noise_variance_))


def test_poisson_has_rates_and_no_standard_deviation(sparse_problem):
    X, y = sparse_problem
    counts = np.floor(np.exp(0.3 * y))
    model = tamis.Lasso(family="poisson").fit(X, counts)
    assert np.all(model.predict(X) > 0)
    with pytest.raises(ValueError, match="poisson"):
        model.predict(X, return_std=True)


def test_names_of_a_frame_reach_the_model(diabetes):
    model = tamis.Lasso().fit(*diabetes)
    assert model.model_.features == list(diabetes[0].columns)
    assert "442 rows x 10 features, target progression" in str(model.summary())
    assert set(model.get_feature_names_out()) == {s.name for s in model.select()}


def test_the_summary_is_a_text_a_frame_and_html(diabetes):
    summary = tamis.VariationalGarrote().fit(*diabetes).summary()
    assert "vg (gaussian), 442 rows x 10 features" in str(summary)
    assert list(summary.to_frame().columns)[:2] == ["inclusion", "coefficient"]
    assert summary.to_frame().index.name == "feature"
    shown = summary._repr_html_()
    assert shown.startswith("<p><strong>vg (gaussian), 442 rows x 10 features, target progression</strong>")
    assert '<td style="text-align: left">body_mass_index</td>' in shown
    assert shown.count("<tr>") == 1 + sum(summary.to_frame()["inclusion"] >= 0.5)


@pytest.mark.parametrize("make", [np.asarray, pandas.DataFrame, scipy.sparse.csr_matrix])
@pytest.mark.parametrize("value, word", [(np.nan, "NaN"), (np.inf, "infinity")])
def test_says_where_x_is_not_finite(make, value, word, sparse_problem):
    X, y = sparse_problem[0].copy(), sparse_problem[1]
    X[5, 2] = value
    with pytest.raises(ValueError, match=rf"X contains {word}: the first is X\[5, 2\]"):
        tamis.Lasso().fit(make(X), y)


def test_names_the_column_that_has_no_numbers(diabetes):
    with pytest.raises(ValueError, match="column 'sex' has dtype .*; expected numbers"):
        tamis.Lasso().fit(diabetes[0].assign(sex="f"), diabetes[1])


def test_names_that_are_no_words_reach_the_model(sparse_problem):
    X, y = sparse_problem
    model = tamis.Lasso().fit(pandas.DataFrame(X, columns=range(1990, 2020)), y)
    assert model.select(top=1)[0].name == "1997"
    assert "1997" in model.get_feature_names_out()


def test_names_are_the_same_everywhere(sparse_problem):
    model = tamis.VariationalGarrote().fit(*sparse_problem)
    assert list(model.get_feature_names_out()) == ["x4", "x8", "x21"]
    assert {s.name for s in model.select()} == {"x4", "x8", "x21"}


@pytest.mark.parametrize("wrong, words", [
    ({"penalty": [1]}, "penalty: received .1.; expected a number or a string"), ({"family": 3}, "family: received 3; expected a string"),
    ({"random_state": -1}, "random_state: received -1; expected a nonnegative integer"), ({"penalty_factors": [1, 2]}, "shape .2,.; expected .30,. for 30 columns")])
def test_says_which_parameter_is_wrong(wrong, words, sparse_problem):
    with pytest.raises(ValueError, match=words):
        tamis.Lasso(**wrong).fit(*sparse_problem)


def test_one_class_is_named(sparse_problem):
    with pytest.raises(ValueError, match="only one class, 'yes'"):
        tamis.LassoClassifier().fit(sparse_problem[0], ["yes"] * 120)


def test_messages_speak_python(sparse_problem):
    with pytest.raises(ValueError, match="use family gaussian"):
        tamis.Lasso(family="poisson").fit(*sparse_problem)


def test_the_path_is_a_table(sparse_problem):
    path = tamis.Lasso().fit(*sparse_problem).path_
    assert np.all(np.diff(path["value"]) < 0)
    assert len(path["validation_error"]) == len(path["value"])


def test_classes_keep_their_names(sparse_problem):
    X, y = sparse_problem
    words = np.where(y > 0, "yes", "no")
    model = tamis.LassoClassifier().fit(X, words)
    assert model.model_.levels == ["no", "yes"]
    assert model.coef_.shape == (1, 30)
    assert np.mean(model.predict(X) == words) > 0.9
    assert np.allclose(model.predict_proba(X).sum(axis=1), 1)


def test_families_of_two_classes_make_the_classifiers_whatever_their_names(monkeypatch):
    monkeypatch.setattr(_families, "_RESPONSES", {"gaussian": "real", "probit": "binary", "cauchit": "binary"})
    method = dict(tamis.methods()[0], families=["gaussian", "probit", "cauchit"])
    assert _families.families_of(method, binary=False) == ["gaussian"]
    described = {name: default for name, default, _ in _parameters.parameters(method, binary=True)}
    assert described["family"] == "probit"
    assert "family" not in {name for name, _, _ in _parameters.parameters(method, binary=False)}


def test_three_classes_are_refused(sparse_problem):
    with pytest.raises(ValueError, match="Only binary classification"):
        tamis.LassoClassifier().fit(sparse_problem[0], np.arange(120) % 3)


def test_weight_two_is_the_row_twice(sparse_problem):
    X, y = sparse_problem
    weights = np.where(np.arange(120) < 40, 2.0, 1.0)
    twice = np.concatenate([np.arange(120), np.arange(40)])
    weighted = tamis.Lasso(penalty=0.1).fit(X, y, sample_weight=weights)
    repeated = tamis.Lasso(penalty=0.1).fit(np.asfortranarray(X[twice]), y[twice])
    assert np.allclose(weighted.coef_, repeated.coef_, atol=1e-4)  # duality gap


def test_an_offset_is_taken_off_and_given_back(sparse_problem):
    X, y = sparse_problem
    shift = np.linspace(-5, 5, 120)
    plain, shifted = tamis.Lasso(penalty=0.1).fit(X, y), tamis.Lasso(penalty=0.1).fit(X, y + shift, offset=shift)
    assert np.allclose(shifted.coef_, plain.coef_, atol=1e-5)  # y is rounded otherwise
    assert np.allclose(shifted.predict(X, offset=shift), plain.predict(X) + shift, atol=1e-4)
    with pytest.raises(ValueError, match="offset: received an array of shape"):
        plain.predict(X, offset=shift[:5])


def test_validation_rows_replace_the_folds(sparse_problem):
    X, y = sparse_problem
    model = tamis.Lasso().fit(X[:80], y[:80], validation=(X[80:], y[80:]))
    errors = model.path_["validation_error"]
    own = np.mean((tamis.Lasso(penalty=float(model.path_["value"][-1])).fit(X[:80], y[:80]).predict(X[80:]) - y[80:]) ** 2)
    assert np.isclose(errors[-1], own, rtol=1e-3)
    assert not np.isclose(errors[0], tamis.Lasso().fit(X[:80], y[:80]).path_["validation_error"][0], rtol=0.01)
    with pytest.raises(ValueError, match="validation: received a tuple of length 1; expected"):
        tamis.Lasso().fit(X, y, validation=(X,))


def test_validation_classes_must_be_known(sparse_problem):
    X, y = sparse_problem
    words = np.where(y > 0, "yes", "no")
    model = tamis.LassoClassifier().fit(X[:80], words[:80], validation=(X[80:], words[80:]))
    assert np.mean(model.predict(X) == words) > 0.85
    with pytest.raises(ValueError, match="'maybe' is not one of the classes"):
        tamis.LassoClassifier().fit(X, words, validation=(X[:2], ["yes", "maybe"]))


def test_several_targets_are_explained_by_the_same_features(sparse_problem):
    X, y = sparse_problem
    both = np.column_stack([y, 2 * X[:, 3] - X[:, 7]])
    model = tamis.ARD().fit(X, both)
    assert model.coef_.shape == (2, 30) and model.intercept_.shape == (2,)
    assert model.predict(X).shape == (120, 2)
    mean, sd = model.predict(X, return_std=True)
    assert sd.shape == (120, 2) and np.all(sd > 0)
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(again.coef_, model.coef_) and np.array_equal(again.predict(X), mean)
    assert model.score(X, both) > 0.9


def test_the_interval_is_around_the_mean(sparse_problem):
    X, y = sparse_problem
    model = tamis.PairedMeanField().fit(X, y)
    lower, upper = model.predict_interval(X)
    assert np.all((lower < model.predict(X)) & (model.predict(X) < upper))
    assert 0.85 < np.mean((lower <= y) & (y <= upper)) <= 1


def test_polars_frames_keep_their_names(sparse_problem):
    polars = pytest.importorskip("polars")
    X, y = sparse_problem
    frame = polars.DataFrame({f"gene {j}": X[:, j] for j in range(30)})
    model = tamis.Lasso().fit(frame, y)
    assert model.model_.features[3] == "gene 3"
    assert np.array_equal(model.coef_, tamis.Lasso().fit(X, y).coef_)


def test_the_number_of_threads_does_not_change_a_bit(sparse_problem):
    one, two = (tamis.Lasso(n_jobs=jobs).fit(*sparse_problem).coef_ for jobs in (1, 2))
    assert np.array_equal(one, two)


def described(families):
    """A method as the library describes one that is new to the package; it fits what lasso fits."""
    (lasso,) = (method for method in tamis.methods() if method["name"] == "lasso")
    return {**lasso, "estimator": "NewName", "families": families}


@pytest.mark.parametrize("families, expected", [
    (["gaussian"], ["NewName"]), (["bernoulli"], ["NewNameClassifier"]),
    (["bernoulli", "poisson"], ["NewName", "NewNameClassifier"])])
def test_a_new_method_has_the_classes_that_its_families_ask_for(families, expected):
    method = described(families)
    made = [_estimators.make_class(method, binary) for binary in _names.estimator_kinds(method)]
    assert [each.__name__ for each in made] == expected
    assert [sklearn.base.is_classifier(each()) for each in made] == [name.endswith("Classifier") for name in expected]


def test_a_regressor_takes_the_first_family_that_is_not_of_two_classes(sparse_problem):
    X, y = sparse_problem
    counts = np.floor(np.exp(0.3 * y))
    model = _estimators.make_class(described(["bernoulli", "poisson"]), binary=False)().fit(X, counts)
    assert model.model_.family == "poisson"
    assert np.array_equal(model.coef_, tamis.Lasso(family="poisson").fit(X, counts).coef_)


def test_a_fit_that_did_not_converge_warns(sparse_problem):
    with pytest.warns(ConvergenceWarning, match="bm iteration_limit"):
        tamis.BayesianMasking(algorithm="em", max_iterations=1).fit(*sparse_problem)


@pytest.fixture
def terminal():
    """Ctrl-C as in a terminal: what a script starts in the background ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def long_fit():
    X = np.asfortranarray(np.random.default_rng(5).standard_normal((200, 100)))
    return tamis.GibbsSpikeSlab(samples=1_000_000).fit(X, X[:, 0])


def test_control_c_ends_a_long_fit_soon(terminal):
    timer = threading.Timer(0.5, _thread.interrupt_main)
    start = time.monotonic()
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        long_fit()
    assert time.monotonic() - start < 60  # the whole would take many minutes


def test_other_threads_run_during_a_fit(terminal):
    ticks = []

    def tick_then_interrupt():
        for _ in range(20):
            time.sleep(0.01)
            ticks.append(time.monotonic())
        _thread.interrupt_main()

    threading.Thread(target=tick_then_interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        long_fit()
    assert len(ticks) == 20
