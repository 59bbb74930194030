"""Data that several tests use. The package is found by PYTHONPATH, the program by TAMIS_PROGRAM (see python/CMakeLists.txt)."""
import os
import pathlib
import subprocess

import numpy as np
import pandas
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def diabetes():
    """(X, y) as frames, every number as the program reads it."""
    table = pandas.read_csv(ROOT / "examples" / "diabetes.csv", float_precision="round_trip")
    y = table.pop("progression")
    return table.astype(np.float64), y


@pytest.fixture(scope="session")
def sparse_problem():
    """(X, y) with three strong features of thirty: columns 3, 7 and 20."""
    draw = np.random.default_rng(1)
    X = np.asfortranarray(draw.standard_normal((120, 30)))
    return X, 2 * X[:, 3] - 3 * X[:, 7] + X[:, 20] + 0.3 * draw.standard_normal(120)


@pytest.fixture(scope="session")
def program():
    """Runs the command line on words and returns what it prints."""
    if "TAMIS_PROGRAM" not in os.environ:
        pytest.skip("TAMIS_PROGRAM does not say where the command line is")

    def run(*words):
        command = [os.environ["TAMIS_PROGRAM"], *map(str, words)]
        return subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout

    return run
