"""What the estimators of a method are called: the library's own name, and that + ``Classifier`` for two classes."""
from tamis import _core
from tamis._families import families_of


def estimator_name(method, binary):
    """Of a method, as the library describes it; binary: for responses of two classes."""
    return method["estimator"] + ("Classifier" if binary else "")


def estimator_kinds(method):
    """False for the regressor and True for the classifier: those of the two that the method's families allow."""
    return [binary for binary in (False, True) if families_of(method, binary)]


def estimator_names():
    """All of them, in the order of the library's list."""
    return [estimator_name(method, binary) for method in _core.methods() for binary in estimator_kinds(method)]
