"""No mistake in Python ends the process: every one is an exception."""
import json
import subprocess
import sys

import pytest
from conftest import ROOT
from hostile_use import CASES

HERE = ROOT / "tests" / "python"


@pytest.fixture(scope="module")
def outcomes():
    """What became of every case; one that fails alone is found by running hostile_use.py with its name."""
    ran = subprocess.run([sys.executable, HERE / "hostile_use.py"], check=True, capture_output=True, text=True, timeout=600)
    return json.loads(ran.stdout)


@pytest.mark.parametrize("name", CASES)
def test_a_mistake_is_an_exception_and_no_signal(name, outcomes):
    expected = CASES[name][1].split() or [""]
    assert outcomes[name] in expected


BEGINNING = """
import atexit, os, resource, sys, threading, time
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
import numpy as np, tamis
from tamis import _core
X = np.asfortranarray(np.random.default_rng(0).standard_normal((300, 200)))
y = X[:, 0] + X[:, 1]
short = lambda: _core.fit("lasso", "gaussian", X, y, {}, threads=1)[0]
long = lambda **more: _core.fit("gibbs", "gaussian", X, y, {"samples": 1e7}, threads=1, **more)
fit = short()

def beside(work, threads=4):
    for _ in range(threads):
        threading.Thread(target=work, daemon=True).start()
    time.sleep(0.3)

def forever(work):
    while True:
        work()
"""
ENDINGS = {
    "long fits in daemon threads": "beside(long)",
    "many short fits in daemon threads": "beside(lambda: forever(short))",
    "predictions in daemon threads": "beside(lambda: forever(lambda: fit.predict(X)))",
    "a fit that tells its progress in a daemon thread": "beside(lambda: long(progress=lambda *_: time.sleep(0.02)))",
    "a fit and a prediction after that": "beside(long); atexit.register(lambda: short().predict(X))",
    "a fit and a prediction after all that was registered": "import builtins\n"
                                                            "class Late:\n"
                                                            "    def __del__(self): fit.predict(X)\n"
                                                            "builtins.late = Late()",
    "the end of a child that was forked during a fit": "beside(long, 1)\n"
                                                       "child = os.fork()\n"
                                                       "if child: assert os.waitpid(child, 0)[1] == 0",
    "a fit in a child that was forked during a fit": "beside(long, 1)\n"
                                                     "child = os.fork()\n"
                                                     "short()\n"
                                                     "if child: assert os.waitpid(child, 0)[1] == 0",
}


@pytest.mark.parametrize("name", ENDINGS)
def test_python_ends_well_during(name):
    for _ in range(2):  # it depends on when the threads ask for the lock
        ended = subprocess.run([sys.executable, "-c", BEGINNING + ENDINGS[name]], capture_output=True, text=True, timeout=60)
        assert (ended.returncode, ended.stderr) == (0, "")
