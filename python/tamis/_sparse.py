"""Whether the arrays of a sparse matrix fit together."""
import itertools

import numpy as np
import scipy.sparse


def check_sparse(X):
    """Refuses a sparse matrix whose arrays contradict each other: scipy's conversions do not look, and read and write
    wherever such numbers point."""
    check = _CHECKS.get(X.format) if scipy.sparse.issparse(X) else None
    trouble = check(X) if check else None
    if trouble:
        raise ValueError(f"received an inconsistent sparse matrix ({X.format}, {X.shape[0]} x {X.shape[1]}): {trouble}; "
                         "check how it was made")


def _all_whole(*lines):
    return all(isinstance(each, np.ndarray) and each.ndim == 1 and each.dtype.kind in "iu" for each in lines)


def _out_of_range(indices, count, name):
    lowest, highest = (indices.min(), indices.max()) if len(indices) else (0, -1)
    wrong = lowest if lowest < 0 else highest if highest >= count else None
    return None if wrong is None else f"{name} has {wrong}; expected 0 to {count - 1}"


def _trouble_of_compressed(X):
    starts, indices, values = X.indptr, X.indices, X.data
    axes = 3 if X.format == "bsr" else 1
    if not _all_whole(starts, indices) or not isinstance(values, np.ndarray) or values.ndim != axes:
        return "data, indices and indptr are not arrays of the right axes and types"
    height, width = values.shape[1:] if X.format == "bsr" else (1, 1)
    counts = X.shape[0] // height, X.shape[1] // width
    lines, length = counts[::-1] if X.format == "csc" else counts
    entries = min(len(indices), len(values))
    if len(starts) != lines + 1 or starts[0] != 0 or starts[-1] > entries or np.any(starts[1:] < starts[:-1]):
        return (f"indptr has {len(starts)} entries; expected {lines + 1}, nondecreasing from 0 to the number of values, "
                f"{entries}")
    return _out_of_range(indices[:starts[-1]], length, "indices")


def _trouble_of_coordinates(X):
    if not _all_whole(X.row, X.col) or not len(X.row) == len(X.col) == len(X.data):
        return "row, col and data are not integer arrays of the same length"
    return _out_of_range(X.row, X.shape[0], "row") or _out_of_range(X.col, X.shape[1], "col")


def _trouble_of_lists(X):
    columns, values = X.rows.tolist(), X.data.tolist()
    if not len(columns) == len(values) == X.shape[0] or any(len(c) != len(v) for c, v in zip(columns, values)):
        return "rows and data do not have the same lists"
    columns = np.fromiter(itertools.chain.from_iterable(columns), dtype=np.int64)
    return _out_of_range(columns, X.shape[1], "rows")


_CHECKS = {"csc": _trouble_of_compressed, "csr": _trouble_of_compressed, "bsr": _trouble_of_compressed,
           "coo": _trouble_of_coordinates, "lil": _trouble_of_lists}
