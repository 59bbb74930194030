#!/usr/bin/env python3
"""Writes the files of this folder, as NumPy and SciPy do it. X is always 3 x 2: [[1, 2], [3, 4], [5, 6.5]]."""
from pathlib import Path

import numpy as np
import scipy.sparse as sp

here = Path(__file__).parent
X = np.array([[1, 2], [3, 4], [5, 6.5]])
np.save(here / "float64.npy", X)
np.save(here / "float32-fortran.npy", np.asfortranarray(X.astype("f4")))
np.save(here / "big-endian.npy", X.astype(">f8"))
np.save(here / "int16.npy", np.array([[1, -2], [3, 4]], dtype="i2"))
np.save(here / "bool.npy", np.array([[True, False], [False, True]]))
np.save(here / "vector.npy", np.array([1.5, 2.5, 3.5]))
np.save(here / "objects.npy", np.array([1, "a"], dtype=object), allow_pickle=True)
np.savez(here / "stored.npz", X=X, y=np.array([0, 1, 1]), feature_names=np.array(["größe", "b"]))
np.savez_compressed(here / "deflated.npz", X=X, y=np.array(["yes", "no", "yes"]))
S = sp.csr_matrix(np.array([[0, 2, 0], [1, 0, 3.5]]))
sp.save_npz(here / "scipy-csr.npz", S)
sp.save_npz(here / "scipy-csc.npz", S.tocsc(), compressed=False)
