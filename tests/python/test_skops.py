"""skops stores fitted estimators without pickle: it looks at their state, which must be of plain types."""
import numpy as np
import pandas
import pytest
import tamis
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

skops = pytest.importorskip("skops.io")


@pytest.mark.parametrize("name", [name for name in tamis.__all__ if hasattr(getattr(tamis, name), "_method")])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_every_estimator_comes_back_with_trust_in_its_class_alone(name, sparse_problem):
    X, y = np.asfortranarray(sparse_problem[0][:, :9]), sparse_problem[1]
    model = getattr(tamis, name)().fit(X, np.where(y > 0, "yes", "no") if name.endswith("Classifier") else y)
    stored = skops.dumps(model)
    assert skops.get_untrusted_types(data=stored) == [f"tamis.{name}"]
    again = skops.loads(stored, trusted=[f"tamis.{name}"])
    assert np.array_equal(again.predict(X), model.predict(X))
    assert again.model_.to_json() == model.model_.to_json()
    assert again.get_params() == model.get_params()


def test_so_do_factor_models_and_the_models_themselves(sparse_problem):
    table = sparse_problem[0][:, :6]
    model = tamis.SparseFactorModel(prior="vb").fit(table)
    again = skops.loads(skops.dumps(model), trusted=["tamis.SparseFactorModel"])
    assert np.array_equal(again.transform(table), model.transform(table))
    for what in (model.model_, tamis.Ridge().fit(table, table[:, 0]).model_):
        kind = f"tamis._core.{type(what).__name__}"
        assert skops.loads(skops.dumps(what), trusted=[kind]).to_json() == what.to_json()


def test_so_do_draws_names_and_pipelines(sparse_problem):
    frame = pandas.DataFrame(sparse_problem[0][:, :4], columns=list("abcd"))
    model = make_pipeline(StandardScaler(), tamis.GibbsSpikeSlab(samples=100, keep_draws=True))
    model.set_output(transform="pandas").fit(frame, frame["a"])
    again = skops.loads(skops.dumps(model), trusted=["tamis.GibbsSpikeSlab"])
    assert list(again[-1].feature_names_in_) == list("abcd")
    assert np.array_equal(again.predict(frame), model.predict(frame))
    assert np.array_equal(again[-1].draws_["posterior"]["coefficients"], model[-1].draws_["posterior"]["coefficients"])
