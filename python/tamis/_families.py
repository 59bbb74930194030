"""Families by the kind of their responses, as the library describes them."""
from tamis import _core

_RESPONSES = {family["name"]: family["response"] for family in _core.families()}


def family_names():
    return list(_RESPONSES)


def is_binary(family):
    return _RESPONSES.get(family) == "binary"


def families_of(method, binary):
    """Names of the families that a method fits: those of two classes, or all others."""
    return [name for name in method["families"] if is_binary(name) == binary]
