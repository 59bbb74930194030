"""Posterior draws of a sampler for ArviZ."""
import inspect


def to_arviz(estimator):
    """``draws_`` as ArviZ data, with the names of the features as coordinates."""
    if not hasattr(estimator, "draws_"):
        raise ValueError("to_arviz: the model has no draws; fit a sampler (GibbsSpikeSlab) with keep_draws=True")
    try:
        import arviz
    except ImportError as error:
        raise ImportError("to_arviz requires arviz (pip install arviz); draws_ contains the same draws as arrays") from error
    groups = estimator.draws_
    listed = [name for group in groups.values() for name, values in group.items() if values.ndim == 3]
    names = {"coords": {"feature": estimator.model_.features}, "dims": {name: ["feature"] for name in listed}}
    # From version 1 on the groups are one dictionary, and what is made of them is an xarray.DataTree.
    by_group = "posterior" in inspect.signature(arviz.from_dict).parameters
    return arviz.from_dict(**groups, **names) if by_group else arviz.from_dict(groups, **names)
