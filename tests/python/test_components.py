"""Covariance components of ARD: the same from Python, from the command line and as features."""
import pickle

import numpy as np
import pytest
import sklearn.base
import tamis
from conftest import ROOT


def test_components_of_one_feature_each_are_features(sparse_problem):
    X, y = sparse_problem
    columns = {f"c{j}": np.eye(30)[:, j] for j in range(30)}
    joint, single = tamis.ARD(components=columns).fit(X, y), tamis.ARD().fit(X, y)
    assert joint.coef_ == pytest.approx(single.coef_, abs=1e-8)
    assert joint.std_ == pytest.approx(single.std_, abs=1e-8)
    table = joint.model_.components
    assert table["name"] == list(columns)
    assert table["variance"] == pytest.approx(single.model_.hyper["gamma"], abs=1e-8)
    assert table["rank"].tolist() == [1] * 30
    assert single.model_.components is None


def test_a_kernel_stands_beside_the_features(sparse_problem):
    X, y = sparse_problem
    same = np.kron(np.eye(40), np.ones((3, 3)))
    effect = np.repeat(np.random.default_rng(2).standard_normal(40), 3)
    model = tamis.ARD(components={"rows:block": same}).fit(X, y + effect)
    assert sorted(each.feature for each in model.select()) == [3, 7, 20]
    assert model.model_.components["name"] == ["block"]
    assert model.model_.components["of_rows"] == [True]
    assert model.model_.components["variance"][0] == pytest.approx(1, rel=0.5)
    assert np.corrcoef(model.model_.hyper["row_effects"], effect)[0, 1] > 0.9
    assert model.noise_variance_ == pytest.approx(0.09, rel=0.5)
    mean, sd = model.predict(X, return_std=True)
    assert np.all(sd**2 > model.noise_variance_ + model.model_.hyper["row_effect_variance"])
    again = pickle.loads(pickle.dumps(model))
    assert again.model_.components == pytest.approx(model.model_.components)
    assert sklearn.base.clone(model).components.keys() == {"rows:block"}


def test_several_targets_share_the_components(sparse_problem):
    X, y = sparse_problem
    model = tamis.ARD(components={"first": np.eye(30)[:, :15], "rest": np.eye(30)[:, 15:]}).fit(X, np.column_stack([y, -y]))
    assert model.coef_[0] == pytest.approx(-model.coef_[1])


def test_python_and_the_command_line_agree(program, diabetes, tmp_path):
    X, y = diabetes
    factors = {}
    for path in sorted((ROOT / "examples" / "components").glob("*.csv")):
        import pandas

        factors[path.stem] = pandas.read_csv(path, index_col="feature").reindex(X.columns, fill_value=0).to_numpy()
    model = tamis.ARD(components=factors).fit(X, y)
    np.savez(tmp_path / "factors.npz", **factors)
    for source in (tmp_path / "factors.npz", ROOT / "examples" / "components"):
        program("fit", ROOT / "examples" / "diabetes.csv", "--target", "progression", "--method", "ard", "--components", source,
                "-o", tmp_path / "model.json")
        saved = tamis.load(tmp_path / "model.json")
        assert saved.coef_.tolist() == model.coef_.tolist()
        assert saved.model_.components["variance"].tolist() == model.model_.components["variance"].tolist()


@pytest.mark.parametrize("components, words", [
    ({}, "empty dictionary"),
    ([np.eye(30)], "expected a dictionary"),
    ({"a": "text"}, "no array of numbers"),
    ({"a": np.zeros((2, 2, 2))}, "expected a matrix or a vector"),
    ({"a": np.ones((7, 2))}, "component a has shape 7 x 2; expected 30 rows"),
    ({"a": np.zeros((30, 2))}, "all its numbers are zero"),
    ({"a": np.full((30, 2), np.nan)}, "row 1, column 1 is NaN"),
    ({"a": -np.eye(120)}, "not positive semidefinite"),
    ({"rows:a": np.ones((30, 2))}, "a kernel of the rows of shape 120 x 120"),
    ({"a": np.ones((30, 1)), "features:a": np.ones((30, 1))}, "the name a occurs twice"),
])
def test_what_is_no_component_is_refused(sparse_problem, components, words):
    with pytest.raises(ValueError, match=words):
        tamis.ARD(components=components).fit(*sparse_problem)


def test_a_square_array_that_could_be_both_needs_a_prefix(sparse_problem):
    X, y = sparse_problem
    with pytest.raises(ValueError, match="name it features:a or rows:a"):
        tamis.ARD(components={"a": np.eye(30)}).fit(X[:30], y[:30])
    assert tamis.ARD(components={"features:a": np.eye(30)}).fit(X[:30], y[:30]).model_.components["of_rows"] == [False]
