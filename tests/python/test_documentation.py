"""The examples that the pages show."""
import doctest
import re

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


def test_the_example_of_the_package_prints_what_it_shows():
    result = doctest.testmod(tamis)
    assert result.attempted > 0
    assert result.failed == 0
