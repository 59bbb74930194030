"""A method that was only added to the library's list has its classes in the Python package; families and priors are
parameters of the others."""
import doctest
import os
import pickle
import subprocess

import numpy as np
import pytest
import tamis


@pytest.fixture
def problem():
    """(X, y) with two strong features of ten."""
    draw = np.random.default_rng(1)
    X = np.asfortranarray(draw.standard_normal((120, 10)))
    return X, 2 * X[:, 3] - 2 * X[:, 7] + 0.3 * draw.standard_normal(120)


def test_the_package_lists_the_method():
    assert tamis.methods()[-1]["name"] == "toy-screening"
    assert {"ToyScreening", "ToyScreeningClassifier", "Lasso"} <= set(tamis.__all__)
    assert {"ToyScreening", "ToyScreeningClassifier", "Lasso"} <= set(dir(tamis))


def test_the_regressor_fits(problem):
    X, y = problem
    model = tamis.ToyScreening(threshold=0.3).fit(X, y)
    assert list(model.get_support(indices=True)) == [3, 7]
    assert np.corrcoef(model.predict(X), y)[0, 1] > 0.95
    assert np.array_equal(pickle.loads(pickle.dumps(model)).predict(X), model.predict(X))
    assert np.all(tamis.ToyScreening(family="poisson").fit(X, np.floor(np.exp(0.3 * y))).predict(X) > 0)


def test_the_classifier_fits(problem):
    X, y = problem
    model = tamis.ToyScreeningClassifier().fit(X, np.where(y > 0, "yes", "no"))
    assert model.score(X, np.where(y > 0, "yes", "no")) > 0.9


def test_options_are_parameters_and_refused_as_the_library_does(problem):
    assert tamis.ToyScreening().get_params()["threshold"] == 0.2
    with pytest.raises(ValueError, match="threshold: received 2"):
        tamis.ToyScreening(threshold=2.0).fit(*problem)


def test_the_family_is_a_parameter_of_the_methods_that_fit_it(problem):
    X, y = problem
    waits = np.exp(0.3 * y) * np.random.default_rng(2).exponential(size=len(y))
    model = tamis.Lasso(family="toy-exponential").fit(X, waits)
    assert model.coef_[3] > 0.2 > -0.2 > model.coef_[7]
    lower, upper = model.predict_interval(X)
    assert np.mean((lower <= waits) & (waits <= upper)) > 0.8
    assert np.array_equal(pickle.loads(pickle.dumps(model)).predict(X), model.predict(X))
    assert "toy-exponential" not in tamis.GibbsSpikeSlab.__doc__
    with pytest.raises(ValueError, match="expects a positive number"):
        model.fit(X, y)


def test_the_prior_and_the_family_are_parameters_of_the_factor_model():
    draw = np.random.default_rng(3)
    X = np.exp(draw.standard_normal((40, 1)) * [1, 1, 0, -1]) * draw.exponential(size=(40, 4))
    X[0, 0] = np.nan
    model = tamis.SparseFactorModel(prior="toy-ridge", family="toy-exponential", n_factors=1, score_precision=2.0).fit(X)
    assert model.model_.family == "toy-exponential"
    filled = model.impute(X)
    assert np.all(filled > 0) and np.array_equal(filled[1:], X[1:])
    assert "toy-ridge" in tamis.SparseFactorModel.__doc__


@pytest.mark.parametrize("name", ["ToyScreening", "ToyScreeningClassifier"])
def test_the_example_of_the_class_prints_what_it_shows(name):
    finder, runner = doctest.DocTestFinder(recurse=False), doctest.DocTestRunner()
    for example in finder.find(getattr(tamis, name), name, globs={}):
        runner.run(example)
    assert runner.tries > 3
    assert runner.failures == 0


def test_a_model_of_the_program_loads(problem, tmp_path):
    X, y = problem
    columns = [f"{name}: {' '.join(map(repr, map(float, values)))}\n"
               for name, values in [("y", y), *((f"x{j + 1}", X[:, j]) for j in range(10))]]
    data, path = tmp_path / "data.toy", tmp_path / "model.json"
    data.write_text(f"toy-table {len(y)} 11\n{''.join(columns)}end\n")
    subprocess.run([os.environ["TAMIS_PROGRAM"], "fit", data, "--target", "y", "--method", "toy-screening", "-o",
                    path, "--quiet"], check=True, capture_output=True, timeout=60)
    model = tamis.load(path)
    assert isinstance(model, tamis.ToyScreening)
    assert np.array_equal(model.coef_, tamis.ToyScreening().fit(X, y).coef_)
