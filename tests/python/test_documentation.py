"""The examples that the pages show."""
import ast
import doctest
import re
import subprocess
import sys

import pytest
import tamis
from conftest import ROOT


def test_the_example_of_the_page_runs(tmp_path, monkeypatch, capsys):
    page = (ROOT / "docs" / "python.md").read_text()
    example = re.search(r"```python\n(.*?)```", page, re.S).group(1)
    monkeypatch.chdir(tmp_path)
    names = {}
    exec(compile(example, "docs/python.md", "exec"), names)
    assert "vg (gaussian), 350 rows x 10 features" in capsys.readouterr().out
    assert len(names["mean"]) == len(names["sd"]) == 92
    assert isinstance(tamis.load("model.json"), tamis.VariationalGarrote)


def test_the_example_of_the_first_page_runs(capsys):
    example = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.S).group(1)
    names = {}
    exec(compile(example, "README.md", "exec"), names)
    assert "bvs (gaussian), 400 rows x 10 features" in capsys.readouterr().out
    assert len(names["mean"]) == len(names["sd"]) == 42


def stable(text):
    """Without times and certificates, which are rounding errors."""
    return re.sub(r"\([\d.e+-]+ s\)|violated by [\d.e+-]+ \(retained\) and [\d.e+-]+", "#", " ".join(text.split()))


def test_the_examples_of_covariance_components_print_what_the_page_shows(capsys):
    examples = re.findall(r"```python\n(.*?)```\n```\n(.*?)```", (ROOT / "docs" / "methods" / "ard.md").read_text(), re.S)
    assert len(examples) == 2
    for code, shown in examples:
        exec(compile(code, "docs/methods/ard.md", "exec"), {})
        assert stable(capsys.readouterr().out) == stable(shown)


def test_a_list_of_names_shows_each_once():
    assert hasattr(tamis, "Lasso")  # made when asked for; it is a global then, too
    assert len(dir(tamis)) == len(set(dir(tamis)))
    assert set(tamis.__all__) <= set(dir(tamis))


def documented():
    return [name for name in tamis.__all__ if hasattr(getattr(tamis, name), "fit")]


@pytest.mark.parametrize("name", documented())
def test_the_example_of_every_class_prints_what_it_shows(name):
    finder, runner = doctest.DocTestFinder(recurse=False), doctest.DocTestRunner()
    for example in finder.find(getattr(tamis, name), name, globs={}):
        runner.run(example)
    assert runner.tries > 3
    assert runner.failures == 0


def test_the_attributes_that_are_described_are_there_after_a_fit(sparse_problem):
    described = re.findall(r"^(\w+_)$", tamis.Lasso.__doc__, re.M)
    model = tamis.Lasso().fit(*sparse_problem)
    assert len(described) == 14
    assert set(described) <= vars(model).keys()


def test_the_stubs_are_those_of_the_package():
    made = subprocess.run([sys.executable, ROOT / "tools" / "python_stubs.py"], capture_output=True, text=True, check=True)
    assert made.stdout == (ROOT / "python" / "tamis" / "__init__.pyi").read_text()
    ast.parse(made.stdout)


def test_the_example_of_the_package_prints_what_it_shows():
    result = doctest.testmod(tamis)
    assert result.attempted > 0
    assert result.failed == 0


def test_an_option_of_several_priors_is_described_once():
    described = re.search(r"^chains : .*\n(.*)$", tamis.SparseFactorModel.__doc__, re.M).group(1)
    assert described.strip().startswith("spike-slab, laplace, exponential, gaussian: ")
    laplace = next(prior for prior in tamis._core.factor_priors() if prior["name"] == "laplace")
    meaning = next(field["meaning"] for field in laplace["fields"] if field["name"] == "chains")
    assert described.count(meaning) == 1
