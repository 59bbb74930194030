"""Plots with matplotlib, which is imported only here."""
import numpy as np

_WIDTH_95 = 1.959963984540054  # of a normal 95 % interval, in standard deviations
_STRONG, _WEAK, _LINE = "#1b6ca8", "#b9c4cc", "#c8553d"


def _axes(ax, lines):
    """The caller's axes, or new ones with room for that many lines of names."""
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("plot requires matplotlib (pip install matplotlib)") from error
    return plt.subplots(figsize=(7, max(4.2, 0.19 * lines)), layout="constrained")[1]


def _tidy(ax, title):
    ax.set_title(title, loc="left", fontsize=11)
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def _strongest(model, top):
    """The features to show, strongest first, and whether each is selected."""
    shown = [feature for feature, _, _ in model.select(top=top)]
    kept = {feature for feature, _, _ in model.select()}
    return shown, [feature in kept for feature in shown]


def _list_features(ax, model, shown):
    """Names down the left side, the strongest on top."""
    ax.set_ylim(len(shown) - 0.4, -0.6)
    ax.set_yticks(range(len(shown)), [model.features[feature][:30] for feature in shown],
                  fontsize=8 if len(shown) > 15 else 9)


def _left_out(model, shown):
    return f", {len(shown)} of {len(model.features)} features" if len(shown) < len(model.features) else ""


def _inclusion(model, ax, top):
    if model.inclusion is None:
        raise ValueError(f"plot: {model.method} defines no inclusion probabilities; use kind='coefficients'")
    shown, kept = _strongest(model, top)
    ax.barh(range(len(shown)), model.inclusion[shown], height=0.7, color=[_STRONG if k else _WEAK for k in kept])
    ax.axvline(0.5, color=_LINE, linewidth=1, linestyle="--")
    ax.set_xlim(0, 1)
    ax.set_xlabel("inclusion probability")
    _list_features(ax, model, shown)
    return _tidy(ax, f"Inclusion ({model.method}{_left_out(model, shown)})")


def _intervals(model, ax, top, scale, label, title):
    shown, kept = _strongest(model, top)
    spread = model.standard_deviations
    width = np.zeros(len(shown)) if spread is None else _WIDTH_95 * spread[shown] * scale[shown]
    for place, (feature, strong) in enumerate(zip(shown, kept)):
        ax.errorbar(model.coefficients[feature] * scale[feature], place, xerr=width[place], fmt="o", markersize=4,
                    capsize=2, color=_STRONG if strong else _WEAK)
    ax.axvline(0, color="black", linewidth=0.8)
    ax.set_xlabel(label if spread is None else f"{label} with 95% interval")
    _list_features(ax, model, shown)
    return _tidy(ax, f"{title} ({model.method}{_left_out(model, shown)})")


def _coefficients(model, ax, top):
    return _intervals(model, ax, top, np.ones(len(model.features)), "coefficient", "Coefficients")


def _effects(model, ax, top):
    if model.feature_spreads is None:
        raise ValueError("plot: the model has no standard deviations of the features; use kind='coefficients'")
    scale = np.nan_to_num(model.feature_spreads)  # not known for features that are not selected: their effect is 0
    return _intervals(model, ax, top, scale, "effect of one standard deviation", "Effects")


def _log_axis(ax):
    """Written out at 1, 2 and 5 of every power of ten: a path is one or two of them long."""
    from matplotlib.ticker import FormatStrFormatter, LogLocator, NullFormatter

    ax.set_xscale("log")
    ax.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    ax.xaxis.set_major_formatter(FormatStrFormatter("%g"))
    ax.xaxis.set_minor_formatter(NullFormatter())


def _mark_chosen(model, ax):
    """Mark the chosen tuning parameter, the hyperparameter whose value is on the path; returns its name."""
    for name, value in model.hyper.items():
        if np.ndim(value) == 0 and value in model.path["value"]:
            ax.axvline(value, color="black", linewidth=0.8, linestyle="--")
            return f"{name} (dashed: chosen)"
    return None


def _path(model, ax, _):
    path = model.path
    if not len(path["value"]):
        raise ValueError("plot: the model has no path, because no tuning parameter was chosen; use another kind")
    error, known = path["validation_error"], ~np.isnan(path["validation_error"])
    label = "validation error" if known.any() else "objective"
    height = error if known.any() else path["objective"]
    spread = np.where(np.isnan(path["validation_se"]), 0, path["validation_se"]) if known.any() else None
    ax.errorbar(path["value"], height, yerr=spread, fmt="o-", markersize=3, color=_STRONG, ecolor=_WEAK, linewidth=1)
    if np.all(path["value"] > 0):
        _log_axis(ax)
    ax.set_xlabel(_mark_chosen(model, ax) or "tuning parameter")
    ax.set_ylabel(label)
    count = ax.twinx()
    count.plot(path["value"], path["active"], color=_LINE, linewidth=1, linestyle=":")
    count.set_ylabel("selected features (dotted)", color=_LINE)
    count.yaxis.get_major_locator().set_params(integer=True)
    count.spines["top"].set_visible(False)
    return _tidy(ax, f"Path ({model.method})")


def _trace(model, ax, _):
    trace = model.trace
    if not len(trace["iteration"]):
        raise ValueError("plot: the model has no trace; use another kind")
    height, least = trace["objective"], 1e-6 * np.abs(trace["objective"]).max()
    if np.ptp(height) < least:  # nothing but rounding: a flat line, not a magnified one
        ax.set_ylim(height[0] - 1e3 * least, height[0] + 1e3 * least)
    ax.xaxis.get_major_locator().set_params(integer=True)
    ax.plot(trace["iteration"], height, color=_STRONG, linewidth=1.2,
            marker="o" if len(trace["iteration"]) < 30 else None, markersize=3)
    ax.set_xlabel("iteration")
    ax.set_ylabel("objective")
    return _tidy(ax, f"Trace ({getattr(model, 'method', None) or model.prior})")


def _loadings(model, ax, top):
    noise = model.noise_variances
    loadings = model.loadings[:top] / (1 if noise is None else np.sqrt(noise))
    largest = np.abs(loadings).max() or 1.0
    image = ax.imshow(loadings, aspect="auto", cmap="RdBu_r", vmin=-largest, vmax=largest, interpolation="nearest")
    ax.figure.colorbar(image, ax=ax, label="loading" if noise is None else "loading / noise")
    ax.set_yticks(range(len(loadings)), [f"{k + 1}" for k in range(len(loadings))])
    ax.set_ylabel("factor")
    if len(model.columns) <= 40:
        ax.set_xticks(range(len(model.columns)), [name[:20] for name in model.columns], rotation=90, fontsize=8)
    else:
        ax.set_xlabel("column")
    return _tidy(ax, f"Loadings ({model.prior})")


def _rates(model, ax, top):
    rates = model.factor_rates[:top]
    ax.bar(np.arange(len(rates)) + 1, rates, color=_STRONG)
    ax.set_ylim(0, 1)
    ax.set_xticks(np.arange(len(rates)) + 1)
    ax.set_xlabel("factor")
    ax.set_ylabel("proportion of active rows")
    return _tidy(ax, f"Factor activity ({model.prior})")


_LISTS = ("inclusion", "coefficients", "effects")  # pictures with a line for each feature


def _draw(kinds, model, kind, ax, top):
    if kind not in kinds:
        raise ValueError(f"plot: received {kind!r}; expected one of {', '.join(kinds)}")
    return kinds[kind](model, _axes(ax, top if kind in _LISTS else 0), top)


def plot(model, kind, ax, top):
    """Plot of a Fit."""
    kinds = {"inclusion": _inclusion, "coefficients": _coefficients, "effects": _effects, "path": _path,
             "trace": _trace}
    top = min(top, len(model.features))
    return _draw(kinds, model, kind or ("coefficients" if model.inclusion is None else "inclusion"), ax, top)


def plot_factors(model, kind, ax, top):
    """Plot of a FactorFit."""
    return _draw({"loadings": _loadings, "rates": _rates, "trace": _trace}, model, kind, ax, top)
