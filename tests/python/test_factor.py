"""SparseFactorModel: tables with holes."""
import json
import os
import pickle

import numpy as np
import pytest
import scipy.sparse
import tamis
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

QUICK = {"spike-slab": {"chains": 2, "samples": 40, "burn_in": 20}, "vb": {"starts": 1}, "l1": {"path_length": 3},
         "laplace": {"chains": 2, "samples": 40, "burn_in": 20}}


@pytest.fixture(scope="module")
def table():
    """(truth, the same with a tenth of its cells missing): two factors, each in half of the rows."""
    draw = np.random.default_rng(0)
    scores = draw.standard_normal((80, 2)) * (draw.random((80, 2)) < 0.5)
    truth = 5 + scores @ draw.standard_normal((2, 6)) + 0.1 * draw.standard_normal((80, 6))
    return truth, np.where(draw.random(truth.shape) < 0.1, np.nan, truth)


def quick(prior, **more):
    return tamis.SparseFactorModel(n_factors=2, prior=prior, **QUICK[prior], **more)


# Priors that are quick; all of them in the second tier (script/wheel).
CHECKED = [tamis.SparseFactorModel(prior="vb"), tamis.SparseFactorModel(prior="l1", path_length=2)]
if os.environ.get("TAMIS_SECOND_TIER") == "1":
    CHECKED += [tamis.SparseFactorModel(prior=name, chains=2, samples=40, burn_in=20)
                for name in ("spike-slab", "laplace", "exponential", "gaussian")] + [tamis.SparseFactorModel(prior="none")]


@pytest.mark.filterwarnings("ignore")
@parametrize_with_checks(CHECKED)
def test_keeps_the_conventions_of_scikit_learn(estimator, check):
    check(estimator)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("prior", QUICK)
def test_fills_holes_far_better_than_column_means(prior, table):
    truth, holes = table
    model = quick(prior)
    filled = model.fit_impute(holes)
    missing = np.isnan(holes)
    by_mean = np.where(missing, np.nanmean(holes, axis=0), holes)
    for guess in (filled, model.impute(holes)):
        assert np.array_equal(guess[~missing], truth[~missing])
        assert np.mean((guess - truth)[missing] ** 2) < 0.3 * np.mean((by_mean - truth)[missing] ** 2)
    assert model.transform(holes).shape == model.scores_.shape == (80, 2)
    assert list(model.get_feature_names_out()) == ["sparsefactormodel0", "sparsefactormodel1"]


def test_the_number_of_factors_is_whole(table):
    with pytest.raises(ValueError, match="n_factors: received 2.5; expected an integer"):
        tamis.SparseFactorModel(n_factors=2.5).fit(table[0])


def test_intervals_cover_what_was_hidden(table):
    truth, holes = table
    _, sd, lower, upper = quick("vb").fit_impute(holes, return_std=True, return_interval=True)
    missing = np.isnan(holes)
    assert np.mean((lower <= truth)[missing] & (truth <= upper)[missing]) > 0.8  # 95 % but for chance and mean field
    assert np.all(sd[missing] > 0) and np.all(sd[~missing] == 0)
    assert np.array_equal(lower[~missing], truth[~missing])


def test_scores_make_the_table_again(table):
    truth, holes = table
    model = quick("vb").fit(holes)
    again = model.inverse_transform(model.transform(holes))
    assert np.sqrt(np.mean((again - truth) ** 2)) < 0.3
    inclusion = model.transform_inclusion(holes)
    assert inclusion.shape == (80, 2) and inclusion.min() >= 0 and inclusion.max() <= 1


def test_the_best_number_of_factors_is_chosen(table):
    model = tamis.SparseFactorModel(n_factors=[1, 2], prior="vb", holdout=0.05).fit(table[1])
    assert model.n_factors_ == 2
    assert list(model.search_["factors"]) == [1, 2]
    assert model.rmse_ > 0 and model.nlp_bits_ is not None


def test_the_number_of_factors_is_judged_on_a_tenth_of_the_cells_that_are_not_held_out():
    draw = np.random.default_rng(1)
    coins = (draw.random((60, 20)) < 0.5).astype(float)  # every cell takes a bit, whoever predicts it
    for holdout in (0.05, 0.1, 0.2, 0.3):
        for seed in (1, 2):
            model = tamis.SparseFactorModel(n_factors=[1, 2], prior="vb", starts=1, holdout=holdout, random_state=seed)
            bits = model.fit(coins).search_["nlp_bits"]
            assert np.allclose(bits / (0.1 * (1 - holdout) * coins.size), 1, atol=0.3), (holdout, seed)


def test_the_family_is_guessed_from_the_table(table):
    draw = np.random.default_rng(2)

    def guessed(X, **more):
        return tamis.SparseFactorModel(n_factors=1, prior="vb", starts=1, **more).fit(X).family_

    counts = draw.poisson(np.exp(draw.standard_normal((40, 1)) * [1, 0.5, -1, 1])).astype(float)
    assert guessed(table[1]) == "gaussian"
    assert guessed(counts) == "poisson"
    assert guessed(scipy.sparse.csc_matrix(counts)) == "poisson"
    assert guessed(np.where(draw.random(counts.shape) < 0.2, np.nan, counts)) == "poisson"
    assert guessed(counts > 0) == "bernoulli"
    assert guessed(1 + draw.binomial(4, 0.6, (40, 4))) == "gaussian"  # ratings from 1 to 5
    assert guessed(draw.binomial(5, 0.7, (40, 4))) == "gaussian"  # from 0 to 5
    assert guessed(np.hstack([counts, table[0][:40, :1]])) == "gaussian"
    assert guessed(counts, family="gaussian") == "gaussian"
    model = pickle.loads(pickle.dumps(tamis.SparseFactorModel(prior="vb", starts=1).fit(counts)))
    assert (model.family, model.family_) == (None, "poisson")
    with pytest.raises(ValueError, match="family: received 3; expected a string"):
        tamis.SparseFactorModel(prior="vb", family=3).fit(counts)
    with pytest.raises(ValueError, match="family: received ''; expected one of gaussian, bernoulli, poisson"):
        tamis.SparseFactorModel(prior="vb", family="").fit(counts)


def test_sparse_counts_and_binary_tables(table):
    counts = np.floor(np.exp(0.3 * np.nan_to_num(table[0] - 5)))
    model = tamis.SparseFactorModel(n_factors=2, prior="vb", family="poisson", starts=1)
    from_dense = model.fit(counts).transform(counts)
    from_sparse = model.fit(scipy.sparse.csr_matrix(counts)).transform(scipy.sparse.csc_matrix(counts))
    assert np.allclose(from_dense, from_sparse, atol=1e-6)
    binary = tamis.SparseFactorModel(n_factors=1, prior="vb", family="bernoulli", starts=1).fit(counts > 1)
    assert np.all((binary.inverse_transform([[0.5]]) > 0) & (binary.inverse_transform([[0.5]]) < 1))


def test_mistakes_are_value_errors(table):
    with pytest.raises(ValueError, match="family poisson expects nonnegative integers"):
        quick("vb", family="poisson").fit(table[0])
    with pytest.raises(ValueError, match="unknown prior"):
        tamis.SparseFactorModel(prior="vbb").fit(table[0])
    with pytest.raises(ValueError, match="chains"):
        tamis.SparseFactorModel(prior="vb", chains=3).fit(table[0])


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_a_pickle_and_a_file_say_the_same_to_the_last_bit(table, tmp_path):
    model = quick("spike-slab").fit(table[1])
    model.save(tmp_path / "model.json")
    for again in (pickle.loads(pickle.dumps(model)), tamis.load(tmp_path / "model.json")):
        assert again.model_.to_json() == model.model_.to_json()
        assert np.array_equal(again.scores_, model.scores_)
        assert np.array_equal(again.transform(table[1]), model.transform(table[1]))
        given = {name: value for name, value in model.get_params().items() if value is not None}
        assert given.items() <= again.get_params().items()  # a file also says what was left to the prior
    assert b"components_" not in pickle.dumps(model)


def test_python_fits_what_the_program_fits(table, program, tmp_path):
    lines = [",".join("" if np.isnan(x) else repr(float(x)) for x in row) for row in table[1]]
    (tmp_path / "table.csv").write_text("\n".join(["a,b,c,d,e,f", *lines]))
    program("factor", tmp_path / "table.csv", "--factors", 2, "--prior", "vb", "--set", "starts=1", "--family", "gaussian",
            "-o", tmp_path / "model.json", "--quiet")
    loaded = tamis.load(tmp_path / "model.json")
    assert isinstance(loaded, tamis.SparseFactorModel)
    assert loaded.model_.to_json() == (tmp_path / "model.json").read_text()
    ours = json.loads(quick("vb").fit(table[1]).model_.to_json())
    theirs = json.loads(loaded.model_.to_json())
    for changing in ("seconds", "columns"):
        del ours[changing], theirs[changing]
    assert ours == theirs


def test_works_in_a_pipeline_and_is_cloned(table):
    steps = make_pipeline(quick("vb"), tamis.Lasso())
    truth, holes = table
    assert steps.fit(holes, truth[:, 0]).score(holes, truth[:, 0]) > 0.3
    assert clone(steps[0]).get_params() == steps[0].get_params()


def test_the_summary_lists_the_factors(table):
    summary = quick("vb").fit(table[1]).summary()
    assert "vb" in str(summary)
    assert list(summary.to_frame().index) == [1, 2]
