"""What a fit found, as a text, as a table and in a notebook."""
import html
from collections import namedtuple

Selected = namedtuple("Selected", "feature name inclusion coefficient")
Selected.__doc__ = "A selected feature: its column, its name, its inclusion probability (None: not defined), its mean."


def selected(model, **rule):
    """Features chosen by one of fdr, threshold and top, strongest first."""
    known = model.inclusion is not None
    names = model.features
    return [Selected(feature, names[feature], inclusion if known else None, coefficient)
            for feature, inclusion, coefficient in model.select(**rule)]


class Summary:
    """``print`` shows the table of ``tamis fit``; ``to_frame()`` gives all features as a pandas DataFrame."""

    def __init__(self, model):
        self._model = model

    def __str__(self):
        return self._model.text()

    __repr__ = __str__

    def to_frame(self):
        import pandas

        model = self._model
        columns = {"inclusion": model.inclusion, "coefficient": model.coefficients, "sd": model.standard_deviations}
        defined = {name: values for name, values in columns.items() if values is not None}
        return pandas.DataFrame(defined, index=pandas.Index(model.features, name="feature"))

    def _repr_html_(self):
        return f"<pre>{html.escape(str(self))}</pre>"
