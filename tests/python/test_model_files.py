"""Models of Python and of the command line are the same to the last bit."""
import json

import numpy as np
import pytest
import tamis
from conftest import ROOT

DATA = ROOT / "examples" / "diabetes.csv"
METHODS = {"lasso": tamis.Lasso, "vg": tamis.VariationalGarrote, "ard": tamis.ARD}


def without_times(text):
    model = json.loads(text)
    return {key: value for key, value in model.items() if key != "seconds"}


@pytest.mark.parametrize("method", METHODS)
def test_python_fits_what_the_program_fits(method, diabetes, program, tmp_path):
    program("fit", DATA, "--target", "progression", "--method", method, "-o", tmp_path / "model.json", "--quiet")
    ours = METHODS[method]().fit(*diabetes).model_.to_json()
    assert without_times(ours) == without_times((tmp_path / "model.json").read_text())


def test_a_model_of_the_program_loads_to_the_last_bit(diabetes, program, tmp_path):
    path = tmp_path / "model.json"
    program("fit", DATA, "--target", "progression", "--method", "vg", "-o", path, "--quiet")
    model = tamis.load(path)
    assert isinstance(model, tamis.VariationalGarrote)
    assert model.model_.to_json() == path.read_text()
    assert np.array_equal(model.predict(diabetes[0]), tamis.VariationalGarrote().fit(*diabetes).predict(diabetes[0]))


def test_the_program_predicts_with_a_model_of_python(diabetes, program, tmp_path):
    model = tamis.Lasso(random_state=7).fit(*diabetes)
    model.save(tmp_path / "model.json")
    program("predict", tmp_path / "model.json", DATA, "-o", tmp_path / "out.csv", "--quiet")
    predicted = np.loadtxt(tmp_path / "out.csv", delimiter=",", skiprows=1, usecols=0)
    # The file has as many digits as the program prints.
    assert np.allclose(predicted, model.predict(diabetes[0]), rtol=1e-9)
    assert tamis.load(tmp_path / "model.json").get_params() == model.get_params()


def test_a_loaded_classifier_knows_its_classes(sparse_problem, tmp_path):
    X, y = sparse_problem
    model = tamis.RidgeClassifier().fit(X, np.where(y > 0, "yes", "no"))
    model.save(tmp_path / "model.json")
    again = tamis.load(tmp_path / "model.json")
    assert np.array_equal(again.predict(X), model.predict(X))


def test_a_missing_and_a_broken_file_are_told_apart(tmp_path):
    with pytest.raises(FileNotFoundError):
        tamis.load(tmp_path / "none.json")
    (tmp_path / "broken.json").write_text("{")
    with pytest.raises(ValueError, match="broken.json"):
        tamis.load(tmp_path / "broken.json")


@pytest.mark.parametrize("method, family", [("foreign", "gaussian"), ("exact", "bernoulli")])
def test_a_model_without_an_estimator_is_refused_with_those_there_are(method, family, sparse_problem, tmp_path):
    X, y = sparse_problem
    text = tamis.ExactSpikeSlab().fit(X[:, :8], y).model_.to_json()
    (tmp_path / "model.json").write_text(text.replace('"exact"', f'"{method}"').replace('"gaussian"', f'"{family}"'))
    with pytest.raises(ValueError, match=f"the method {method} and the family {family}; there are .*Lasso, .*"):
        tamis.load(tmp_path / "model.json")
