"""What pickle, copy, joblib and skops keep of an estimator: plain types, the model as the text of its file."""


def plain(state, derived):
    """The attributes to keep; those that are made from the model (`derived`) are not."""
    kept = {name: value for name, value in state.items() if name not in derived}
    if "model_" in kept:
        kept["model_"] = kept["model_"].to_json()
    return kept


def take_model(estimator, model_class):
    """Makes the model again, and what is made from it."""
    if "model_" in vars(estimator):
        estimator._take(model_class(estimator.model_))
