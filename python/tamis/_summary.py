"""Summary of a fit as text, as a data frame and in a notebook."""
import html
import re
from collections import namedtuple

Selected = namedtuple("Selected", "feature name inclusion coefficient")
Selected.__doc__ = "A selected feature: column index, name, inclusion probability (None if not defined), coefficient."


def selected(model, **rule):
    """Features chosen by one of fdr, threshold and top, strongest first."""
    known = model.inclusion is not None
    names = model.features
    return [Selected(feature, names[feature], inclusion if known else None, coefficient)
            for feature, inclusion, coefficient in model.select(**rule)]


def _feature_columns(model):
    names = {"inclusion": model.inclusion, "coefficient": model.coefficients, "sd": model.standard_deviations}
    return names, "feature", model.features


def _factor_columns(model):
    names = {"rate": model.factor_rates, "mean": model.factor_means, "variance": model.factor_variances}
    return names, "factor", range(1, model.factors + 1)


def _as_table(paragraph):
    """A paragraph whose lines all have the cells of the first as a table of HTML; None for sentences."""
    first, *lines = [re.split(r"\s{2,}", line.strip()) for line in paragraph.split("\n")]
    if len(first) < 2 or not lines or any(len(line) != len(first) for line in lines):
        return None

    def row(cells, tag):
        styles = ["left"] + ["right"] * (len(cells) - 1)
        return "".join(f'<{tag} style="text-align: {style}">{html.escape(cell)}</{tag}>'
                       for cell, style in zip(cells, styles))

    body = "".join(f"<tr>{row(line, 'td')}</tr>" for line in lines)
    return f"<table><thead><tr>{row(first, 'th')}</tr></thead><tbody>{body}</tbody></table>"


class Summary:
    """Summary of a model: ``print`` shows the table of ``tamis fit`` or ``tamis factor``, ``to_frame()`` returns all
    features (or factors) as a pandas DataFrame."""

    def __init__(self, model):
        self._model = model

    def __str__(self):
        return self._model.text()

    __repr__ = __str__

    def to_frame(self):
        import pandas

        model = self._model
        columns, what, names = _feature_columns(model) if hasattr(model, "features") else _factor_columns(model)
        defined = {name: values for name, values in columns.items() if values is not None}
        return pandas.DataFrame(defined, index=pandas.Index(names, name=what))

    def _repr_html_(self):
        head, *rest = str(self).strip().split("\n\n")
        title, *lines = head.split("\n")
        parts = [f"<p><strong>{html.escape(title)}</strong><br>{html.escape(' '.join(lines))}</p>"]
        return "".join(parts + [_as_table(each) or f"<p>{html.escape(each)}</p>" for each in rest])
