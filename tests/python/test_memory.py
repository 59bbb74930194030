"""X in every layout of memory: the same answer, and no copy where none is needed."""
import gc
import subprocess
import sys
import tracemalloc

import numpy as np
import pytest
import scipy.sparse
import tamis


def test_the_order_of_memory_does_not_change_a_bit(sparse_problem):
    X, y = sparse_problem
    ours = tamis.Lasso().fit(X, y).coef_
    assert np.array_equal(ours, tamis.Lasso().fit(np.ascontiguousarray(X), y).coef_)
    wide = np.asfortranarray(np.vstack([X, X]))
    assert np.array_equal(ours, tamis.Lasso().fit(wide[:120], y).coef_)


def test_sparse_columns_give_the_dense_answer(sparse_problem):
    X, y = sparse_problem
    few = np.where(np.abs(X) > 1, X, 0)
    dense = tamis.Lasso(penalty=0.1).fit(few, y)
    for kind in (scipy.sparse.csc_matrix, scipy.sparse.csr_matrix):
        sparse = tamis.Lasso(penalty=0.1).fit(kind(few), y)
        # Both are solved to a relative duality gap of 1e-9 or so; their sums run in another order.
        assert np.allclose(sparse.coef_, dense.coef_, atol=1e-4)
        assert np.allclose(sparse.predict(kind(few)), dense.predict(few), atol=1e-3)


def test_unsorted_sparse_columns_are_put_in_order_without_touching_the_callers():
    values, rows, starts = [1.0, 2.0, 3.0, 4.0], [3, 0, 2, 1], [0, 2, 4]
    X = scipy.sparse.csc_matrix((values, rows, starts), shape=(4, 2))
    model = tamis.Ridge(penalty=0.1).fit(X, [1.0, 2.0, 3.0, 5.0])
    assert np.allclose(model.coef_, tamis.Ridge(penalty=0.1).fit(X.toarray(), [1.0, 2.0, 3.0, 5.0]).coef_)
    assert list(X.indices) == rows


@pytest.mark.parametrize("order, more", [("F", {}), ("C", {"low_memory": True})])
def test_is_not_copied(order, more):
    draw = np.random.default_rng(3)
    X = np.array(draw.standard_normal((400, 5000)), order=order)
    y = X[:, 0] + draw.standard_normal(400)
    tamis.Lasso(penalty=0.5, **more).fit(X[:, :9], y)  # what is imported late is imported now
    tracemalloc.start()
    model = tamis.Lasso(penalty=0.5, **more).fit(X, y)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < X.nbytes / 10
    # Another order of memory, another order of sums.
    assert np.allclose(model.coef_, tamis.Lasso(penalty=0.5).fit(np.asfortranarray(X), y).coef_, atol=1e-6)


# How X is made, and how often its size is taken anew during a fit.
LAYOUTS = {
    "Fortran order": ("numpy.asfortranarray(dense)", 0),
    "rows of an array in Fortran order": ("numpy.asfortranarray(dense)[100:]", 0),
    "C order": ("dense", 1),
    "float32 in C order": ("dense.astype(numpy.float32)", 2),  # numbers of twice the size, once
    "sparse columns": ("scipy.sparse.csc_matrix(dense)", 0),
    "sparse columns, wide indices": ("wide(scipy.sparse.csc_array(dense))", 0.25),  # row numbers made narrow: 4 bytes of 16
    "sparse rows": ("scipy.sparse.csr_matrix(dense)", 1),  # their transposition
}
ELSE = 0.4  # residuals, solutions and what scipy needs to transpose; another copy would be 1 or more


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_peak_of_memory_shows_what_is_copied(layout):
    """tracemalloc sees what Python allocates, this also what the library does."""
    code = f"""
import gc, resource, numpy, scipy.sparse, tamis
def wide(X):
    X.indices, X.indptr = X.indices.astype(numpy.int64), X.indptr.astype(numpy.int64)
    return X
dense = numpy.random.default_rng(0).standard_normal((1000, 4000))
X = {LAYOUTS[layout][0]}
y = dense[-X.shape[0]:, 0].copy()
del dense
gc.collect()
size = X.data.nbytes + X.indices.nbytes if scipy.sparse.issparse(X) else X.nbytes
fit = tamis.Lasso(cv=0, path_length=5).fit
fit(numpy.asfortranarray(numpy.eye(9)), y[:9])
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
now = int(open("/proc/self/statm").read().split()[1]) * resource.getpagesize()
ballast = numpy.ones(max(0, peak() - now) // 8)  # up to the peak so far, which making X may have reached
before = peak()
fit(X, y)
print((peak() - before) / size)
"""
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert float(answer) < LAYOUTS[layout][1] + ELSE


@pytest.mark.parametrize("make", [scipy.sparse.csc_matrix, scipy.sparse.csr_matrix, scipy.sparse.coo_matrix])
@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_sparse_memory_may_be_read_only_and_gone_after_the_fit(make, index, sparse_problem):
    X, y = np.where(np.abs(sparse_problem[0]) > 1, sparse_problem[0], 0), sparse_problem[1]
    expected = tamis.Lasso(penalty=0.1).fit(scipy.sparse.csc_matrix(X), y)
    sparse = make(X)
    for part in ("row", "col") if sparse.format == "coo" else ("indices", "indptr"):
        setattr(sparse, part, getattr(sparse, part).astype(index))
        getattr(sparse, part).flags.writeable = False
    sparse.data.flags.writeable = False
    model = tamis.Lasso(penalty=0.1).fit(sparse, y)
    del sparse
    gc.collect()
    assert np.array_equal(model.coef_, expected.coef_)
    assert np.array_equal(model.predict(X), expected.predict(X))


def test_some_columns_and_rows_of_a_sparse_matrix_are_fitted_as_their_copy(sparse_problem):
    X, y = scipy.sparse.csc_matrix(np.where(np.abs(sparse_problem[0]) > 1, sparse_problem[0], 0)), sparse_problem[1]
    part = X[20:100, 3:25]
    expected = tamis.Lasso(penalty=0.1).fit(scipy.sparse.csc_matrix(part.toarray()), y[20:100])
    assert np.array_equal(tamis.Lasso(penalty=0.1).fit(part, y[20:100]).coef_, expected.coef_)


def test_entries_of_a_cell_are_added_without_touching_the_callers():
    values, rows, starts = [1.0, 2.0, 3.0, 4.0, 0.5], [3, 0, 3, 1, 2], [0, 3, 5]
    X, y = scipy.sparse.csc_matrix((values, rows, starts), shape=(4, 2)), [1.0, 2.0, 3.0, 5.0]
    expected = tamis.Ridge(penalty=0.1).fit(scipy.sparse.csc_matrix(X.toarray()), y)
    assert np.array_equal(tamis.Ridge(penalty=0.1).fit(X, y).coef_, expected.coef_)
    assert list(X.indices) == rows and list(X.data) == values


def test_the_core_refuses_sparse_columns_that_point_outside():
    parts = (4, 1, np.array([0, 2]), np.array([0, 4], dtype=np.int32), np.ones(2))
    with pytest.raises(ValueError, match="row index 4"):
        tamis._core.fit("lasso", "gaussian", parts, np.arange(4.0), {})


def test_the_core_refuses_what_it_would_have_to_copy():
    with pytest.raises(ValueError, match="asfortranarray"):
        tamis._core.fit("lasso", "gaussian", np.ones((8, 6))[::2, ::2], np.arange(4.0), {})


def test_an_array_that_is_contiguous_in_no_way_is_converted(sparse_problem):
    X, y = sparse_problem
    wide = np.repeat(np.repeat(X, 2, axis=0), 2, axis=1)[::2, ::2]
    assert np.array_equal(tamis.Lasso().fit(wide, y).coef_, tamis.Lasso().fit(X, y).coef_)
