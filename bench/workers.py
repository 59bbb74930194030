"""Programs that stay alive with a problem loaded and answer one line of JSON per command, so that repetitions of
different programs can be interleaved on the same data."""
import json
import os
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
# Every program gets its threads by argument or has one: nobody may start BLAS threads on the side.
SINGLE_THREADED = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


class Worker:
    def __init__(self, *command):
        environment = {**os.environ, **SINGLE_THREADED}
        self.name = Path(command[-1]).name
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        env=environment)

    def ask(self, *words):
        line = " ".join(str(word) for word in words)
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        reply = self.process.stdout.readline()
        if not reply:
            raise SystemExit(f"bench: {self.name} ended at '{line}' with status {self.process.wait()}")
        return json.loads(reply)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()


def tamis(program):
    return Worker(program)


def glmnet():
    return Worker("Rscript", "--vanilla", str(HERE / "glmnet_worker.R"))


def jags():
    return Worker("Rscript", "--vanilla", str(HERE / "jags_worker.R"))


def scikit_learn():
    # Debian's own interpreter: the one that python3-sklearn is installed for, whatever `python3` means here.
    return Worker("/usr/bin/python3", str(HERE / "sklearn_worker.py"))
