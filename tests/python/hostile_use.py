"""What a mistake in Python may do to tamis, one line each: name: (expression, exceptions that it may raise; "" : none).

As a program it runs every case in a forked process of its own and prints {name: outcome} as JSON, where the outcome of a
process that was ended by a signal is the name of the signal. test_hostile_use.py judges."""
import json
import os
import resource
import signal
import sys
import tempfile
import time

MISTAKES = "TypeError ValueError"
CASES = {}

for name in ("Fit", "FactorFit"):
    made, other = ("fit", "factor_fit") if name == "Fit" else ("factor_fit", "fit")
    kind = f"tamis.{name}"
    CASES |= {f"{name}, {what}": case for what, case in {
        **{f"pickle protocol {k}": (f"pickle.loads(pickle.dumps({made}, {k})).to_json() == {made}.to_json() or 1/0", "")
           for k in range(6)},
        **{f"made by copyreg, protocol {k}": (f"copyreg._reduce_ex({made}, {k})", MISTAKES) for k in (0, 1)},
        "object.__reduce__": (f"object.__reduce__({made})", MISTAKES),
        "copy": (f"copy.copy({made}).to_json() == {made}.to_json() or 1/0", ""),
        "deepcopy": (f"copy.deepcopy({made}).to_json() == {made}.to_json() or 1/0", ""),
        "its base called": (f"{kind}.__base__()", "TypeError"),
        "its base made": (f"{kind}.__base__.__new__({kind}.__base__)", "TypeError"),
        "its base made for it": (f"{kind}.__base__.__new__({kind})", "TypeError"),
        "its base derived from": (f"type('A', ({kind}.__base__,), {{}})()", "TypeError"),
        "made without a text": (f"{kind}()", "TypeError"),
        "made by __new__ alone": (f"every_attribute({kind}.__new__({kind}))", "TypeError"),
        "made by __new__ of another": (f"{kind}.__new__(int)", "TypeError"),
        "a subclass without __init__": (f"every_attribute(type('A', ({kind},), {{'__init__': lambda self: None}})())",
                                        "TypeError"),
        "a subclass": (f"every_attribute(type('A', ({kind},), {{}})({made}.to_json()))", ""),
        "a subclass with attributes": (f"subclass_with_attribute({kind}, {made})", ""),
        "derived from both": ("type('A', (tamis.Fit, tamis.FactorFit), {})", "TypeError"),
        "an __init__ that makes nothing": (f"every_attribute(without_init({kind}))", "TypeError"),
        "__init__ again": (f"({made}.__init__('{{}}'), every_attribute({made}))", ""),
        "__class__ of the other": (f"(setattr({made}, '__class__', type({other})), every_attribute({made}))",
                                   "TypeError"),
        "__class__ of its base": (f"setattr({made}, '__class__', {kind}.__base__)", "TypeError"),
        "a method of the other": (f"{kind}.to_json({other})", "TypeError"),
        "a method without self": (f"{kind}.text(None)", "TypeError"),
        "__reduce__ of something else": (f"{kind}.__reduce__(3)", "TypeError"),
        "__reduce__ of the other": (f"{kind}.__reduce__({other})", "TypeError"),
        "a truncated pickle": (f"each(pickle.loads, (pickle.dumps({made})[:k] for k in range(0, 4000, 13)))", ""),
        "a pickle with changed bytes": (f"each(pickle.loads, changed(pickle.dumps({made})))", ""),
        "texts that are none": (f"each({kind}, [None, 3, b'x', '', '{{', '[]', 'null', '\\0', '\\ud800', [], {other}, "
                                f"{other}.to_json()])", ""),
        "a deep text": (f"{kind}('[' * 10**6)", "ValueError"),
        "a deep object": (f"{kind}('{{\"a\":' * 10**6)", "ValueError"),
        "half a text": (f"{kind}({made}.to_json()[:200])", "ValueError"),
        "paths that are none": (f"each({made}.save, ['', '/', '/nonexistent/x', '\\0', '\\ud800', None, 3])", ""),
    }.items()}

for form in ("csr", "csc", "bsr", "coo", "lil"):
    for call in ("model.fit(bad, y)", "model.predict(bad)", "model.transform(bad)", "table_model.fit(bad)",
                 "table_model.impute(bad)", "tamis.Lasso().fit(X, y, validation=(bad, y))", "tamis.ARD().fit(X, bad)"):
        CASES[f"broken {form}, {call}"] = (f"each(lambda bad: {call}, broken({form!r}))", "")

for what in ("None", "'x'", "3", "object()", "b'123'", "memoryview(b'12345678')", "Refuses()", "NotAnArray()", "Endless()",
             "(x for x in y)", "X[:, 0]", "np.zeros((0, 0))", "np.zeros((0, 5))", "np.zeros((60, 0))", "np.zeros((3, 3, 3))",
             "X.astype(complex)", "X.astype(object)", "np.full((60, 5), None)", "np.full((60, 5), 'a')", "X * np.nan",
             "X * 1e308", "X.astype('>f8')", "X[::-1]", "X[:, ::-1]", "np.broadcast_to(1.0, (60, 5))",
             "np.zeros((1 << 58, 0))",
             "np.zeros((60, 5), [('a', float)])", "np.zeros((60, 5), 'M8[s]')", "read_only(X)", "misaligned(X)",
             "np.lib.stride_tricks.as_strided(np.ones(100), (60, 5), (8, 8))", "pandas.DataFrame(X, columns=list('aabbc'))",
             "pandas.DataFrame(X, columns=['\\ud800', 'b', '\\0', 'd', 'e'])", "(60, 5, [0] * 6, [], [])"):
    CASES[f"{what} everywhere"] = (f"everywhere({what})", "")

CASES |= {
    "numbers at odd addresses are used":
        ("np.array_equal(model.fit(misaligned(X), y).coef_, model.fit(X, y).coef_) or 1/0", ""),
    "and the library itself wants them at even ones": ("fit_core(misaligned(X))", "ValueError"),
    "a response at odd addresses": ("fit_core(X, misaligned(y))", ""),
    "row numbers that are others in 32 bits":
        ("fit_core((60, 5, [0, 1, 1, 1, 1, 1], np.array([1 << 40]), [1.0]))", "ValueError"),
    "negative numbers of rows": ("fit_core((-1, -1, [0], [], []))", "ValueError"),
    "more rows than memory": ("fit_core((1 << 62, 1 << 62, [0], [], []))", "ValueError"),
    "more columns than memory": ("fit_core((60, 1 << 62, [0], [], []))", "ValueError"),
    "parts of no matrix": ("each(fit_core, [(), (None,) * 5, (60.0, 5.0, [], [], []), ('a',) * 5, ((),) * 5])", ""),
    "keywords of other types": ("each(lambda more: fit_core(X, **more), wrong_keywords())", ""),
    "a keyword of another type is named": ("fit_core(X, weights=object())", "TypeError"),
    "selections of nothing":
        ("each(lambda more: fit.select(**more), [{'top': -1}, {'top': 1 << 62}, {'fdr': np.nan}, {'top': 'x'}])", ""),
    "reports of nothing": ("each(fit.text, [-1, 0, 1 << 62, -(1 << 62), 1 << 63, None])", ""),
    "wrong numbers of levels":
        ("each(with_levels, [[], ['a'], ['a'] * 3, ['z' * 10**6] * 2, [b'\\xff'] * 2, None, 3])", ""),
    "numbers of threads": ("each(lambda n: fit_core(X, threads=n), [0, -1, 2**31 - 1, -(2**31), 2**31])", ""),
    "new rows in numbers of threads": ("each(lambda n: factor_fit.explain(X, n), [0, -1, 2**31 - 1, -(2**31), 2**31])", ""),
    "scores of another width": ("each(factor_fit.means, [X[:, :0], X[:0], X, X[:, 0]])", ""),
    "a progress that raises": ("long_fit(lambda *_: 1 / 0)", "ZeroDivisionError"),
    "a progress that is none": ("long_fit(3)", "TypeError"),
    "a progress that leaves": ("long_fit(lambda *_: sys.exit(3))", "SystemExit"),
    "a progress that recurses": ("long_fit(recurse)", "RecursionError"),
    "a progress that fits": ("long_fit(Fits())", "ZeroDivisionError"),
    "a progress that takes the data away": ("long_fit(Forgets())", "ZeroDivisionError"),
    "a progress that forks": ("long_fit(forks_and_raises)", "ZeroDivisionError"),
    "a signal handler that raises": ("(alarm(raise_timeout), long_fit(None))", "TimeoutError"),
    "a signal handler that fits": ("(alarm(Fits(), 0.1), long_fit(None))", "ZeroDivisionError"),
    "fits of one model in threads":
        ("in_threads(lambda: (model.fit(X, y), model.predict(X), model.select(), pickle.dumps(model)))", ""),
    "states of an estimator that are none":
        ("each(model.__setstate__, [None, 3] + [{'model_': each} for each in (3, '{}', None, factor_fit)])", ""),
    "estimators that were never made":
        ("each(lambda m: m.predict(X), [type(model).__new__(type(model)), copy.copy(tamis.Ridge())])", ""),
}


def namespace():
    """Names that the cases use."""
    import copy
    import copyreg
    import pickle
    import threading

    import numpy as np
    import pandas
    import scipy.sparse
    import tamis
    from tamis import _core

    draw = np.random.default_rng(0)
    X = np.asfortranarray(draw.standard_normal((60, 5)))
    y = 3 * X[:, 2] + 0.1 * draw.standard_normal(60)
    model, table_model = tamis.Lasso(penalty=0.1).fit(X, y), tamis.SparseFactorModel(prior="vb").fit(X)
    fit, factor_fit = model.model_, table_model.model_

    def fit_core(X, y=y, **more):
        return _core.fit("lasso", "gaussian", X, y, {}, **({"threads": 1} | more))

    def long_fit(progress):
        return _core.fit("gibbs", "gaussian", X, y, {"samples": 1e7}, threads=1, progress=progress)

    def each(call, arguments):
        """Calls with every argument; all may raise, but only exceptions of mistakes."""
        for argument in arguments:
            try:
                call(argument)
            except (ArithmeticError, AttributeError, EOFError, ImportError, LookupError, MemoryError, OSError, TypeError,
                    ValueError, pickle.UnpicklingError):
                pass

    def every_attribute(thing):
        for name in dir(thing):
            value = getattr(thing, name)
            if callable(value) and not name.startswith("__"):
                each(lambda arguments: value(*arguments), [(), (None,), (X,), ("x",), (thing,), (3,)])

    def subclass_with_attribute(kind, made):
        derived = type("Derived", (kind,), {})
        globals()["Derived"], derived.__module__ = derived, __name__
        thing = derived(made.to_json())
        thing.note = "kept"
        assert all(pickle.loads(pickle.dumps(thing, k)).note == "kept" for k in range(6))

    def without_init(kind):
        kind.__init__ = lambda self: None
        return kind.__new__(kind)

    def changed(data):
        for _ in range(500):
            other = bytearray(data)
            other[draw.integers(len(other))] = draw.integers(256)
            yield bytes(other)

    def broken(form):
        """Sparse matrices with the shape of X whose arrays contradict each other."""
        whole = scipy.sparse.random(60, 5, 0.3, random_state=0).asformat(form)
        changes = [lambda a: a + 10**7, lambda a: a - 10**7, lambda a: a[:3], lambda a: None, lambda a: a.astype(float),
                   lambda a: np.append(a[:-1], 10**8).astype(a.dtype)]
        for name in {"coo": ("row", "col", "data"), "lil": ()}.get(form, ("indices", "indptr", "data")):
            for change in changes:
                bad = whole.copy()
                try:
                    setattr(bad, name, change(getattr(bad, name)))
                except TypeError:  # newer versions of scipy do not take every one
                    continue
                yield bad
        for columns in ([10**7], [-10**7], [1, 2, 3], None) if form == "lil" else ():
            bad = whole.copy()
            bad.rows[0], bad.data[0] = columns, [1.0]
            yield bad

    def misaligned(values):
        moved = np.frombuffer(bytearray(values.nbytes + 1), dtype=values.dtype, offset=1).reshape(values.shape, order="F")
        moved[...] = values
        assert not moved.flags.aligned
        return moved

    def read_only(values):
        values = values.copy(order="F")
        values.flags.writeable = False
        return values

    class Refuses:
        def __array__(self, *_, **__):
            raise ZeroDivisionError("no")

    class NotAnArray:
        shape, ndim, dtype = (60, 5), 2, np.dtype(float)

        def __array__(self, *_, **__):
            return 3

    class Endless:
        def __len__(self):
            return -5

        def __getitem__(self, _):
            raise KeyError("none")

    def everywhere(thing):
        calls = [model.predict, model.transform, table_model.transform, table_model.impute, table_model.inverse_transform,
                 lambda z: model.fit(z, y), lambda z: model.fit(X, z), lambda z: tamis.RidgeClassifier().fit(X, z),
                 lambda z: model.fit(X, y, sample_weight=z), lambda z: model.fit(X, y, offset=z),
                 lambda z: model.predict(X, offset=z), lambda z: tamis.Lasso(cv=3).fit(X, y, validation=z),
                 lambda z: tamis.Lasso(cv=3).fit(X, y, validation=(z, z, z, z)),
                 lambda z: tamis.Lasso(cv=z).fit(X, y), lambda z: tamis.Lasso(penalty=z).fit(X, y),
                 lambda z: tamis.Lasso(penalty_factors=z).fit(X, y), lambda z: tamis.ARD(groups=z).fit(X, y),
                 lambda z: tamis.ARD(components=z).fit(X, y), lambda z: tamis.ARD(components={"a": z}).fit(X, y),
                 lambda z: tamis.Lasso(low_memory=True, penalty=0.1).fit(z, y),
                 fit_core, lambda z: fit_core(X, z), fit.predict, lambda z: fit.predict(X, z), fit.linear_predictor,
                 lambda z: _core.fit_factors("vb", "gaussian", z, [1], {}), factor_fit.explain, factor_fit.means]
        for call in calls:
            each(call, [thing])

    def wrong_keywords():
        for name in ("weights", "offset", "penalty_factors", "groups", "components", "fold_of_row", "more_responses", "validation",
                     "feature_names", "more_targets", "seed", "threads", "folds", "keep_draws", "intercept", "nosuch"):
            for value in ("x", 3, -1, 1 << 70, object(), Refuses(), Endless(), [[1]], X, X[:0], [b"\xff"] * 5,
                          ["\ud800"] * 5, [-1] * 60, [1 << 62] * 5, [2**31 - 1] * 60, (X, y), (X, y[:3], None, None),
                          (None,) * 4):
                yield {name: value}

    def with_levels(levels):
        fit.levels = levels
        every_attribute(fit)

    def recurse(*arguments):
        return recurse(*arguments)

    class Fits:
        calls = 0

        def __call__(self, *_):
            fit_core(X)
            self.calls += 1
            return 1 / (3 - self.calls)

    class Forgets(Fits):
        def __call__(self, *_):
            nonlocal X, y
            X = y = None
            self.calls += 1
            return 1 / (3 - self.calls)

    def forks_and_raises(*_):
        if (child := os.fork()) == 0:
            raise SystemExit("the child has no fit to wait for")
        os.waitpid(child, 0)
        raise ZeroDivisionError

    def raise_timeout(*_):
        raise TimeoutError

    def alarm(handler, again=0.0):
        signal.signal(signal.SIGALRM, handler)
        signal.setitimer(signal.ITIMER_REAL, 0.1, again)

    def in_threads(work):
        threads = [threading.Thread(target=lambda: [work() for _ in range(5)]) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    return globals() | locals()


def outcome(code, names, seconds=60):
    """What became of a process that evaluates the code: the name of an exception or of a signal, "" for neither."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.dup2(1, 2)
        own = os.getpid()
        try:
            eval(code, names)
        except BaseException as error:
            if os.getpid() == own:  # a case may fork
                os.write(writing, type(error).__name__.encode())
        finally:
            os._exit(0)
    os.close(writing)
    end = time.monotonic() + seconds
    while (ended := os.waitpid(child, os.WNOHANG))[0] == 0:
        if time.monotonic() > end:
            os.kill(child, signal.SIGKILL)
            ended = os.waitpid(child, 0)
            break
        time.sleep(0.002)
    with os.fdopen(reading) as said:
        return signal.Signals(os.WTERMSIG(ended[1])).name if os.WIFSIGNALED(ended[1]) else said.read()


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    import warnings

    warnings.simplefilter("ignore")
    names, chosen = namespace(), sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:  # some cases leave files
        os.chdir(folder)
        print(json.dumps({name: outcome(code, names) for name, (code, _) in CASES.items() if not chosen or name in chosen}))
