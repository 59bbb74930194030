"""Draws of a sampler for other programs."""


def to_arviz(estimator):
    """An arviz.InferenceData of ``draws_``; the coordinate of the features are their names."""
    if not hasattr(estimator, "draws_"):
        raise ValueError("to_arviz: there are no draws; fit a sampler (GibbsSpikeSlab) with keep_draws=True")
    try:
        import arviz
    except ImportError as error:
        raise ImportError("to_arviz needs arviz (pip install arviz); draws_ has the same numbers as arrays") from error
    groups = estimator.draws_
    listed = [name for group in groups.values() for name, values in group.items() if values.ndim == 3]
    return arviz.from_dict(**groups, coords={"feature": estimator.model_.features},
                           dims={name: ["feature"] for name in listed})
