"""The package as a whole: its stubs, its documentation, its examples in words."""

import doctest
import importlib
import inspect
import re
from pathlib import Path

import pytest

import contrapositive as cp
from contrapositive import _native

ROOT = Path(__file__).parents[3]
MODULES = ["contrapositive"] + [f"contrapositive.{name}" for name in ("_statements", "_claims", "_losses", "_catalogue")]


@pytest.mark.parametrize("name", MODULES)
def test_what_the_documentation_shows_is_so(name):
    tried = doctest.testmod(importlib.import_module(name))
    assert tried.attempted >= 1 and tried.failed == 0


def test_the_page_about_python_runs():
    text = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
    # The first is about the reader's arrays, the second about a cluster.
    assert len(blocks) == 3
    names = {}
    exec(blocks[2], names)
    assert names["first_lemma"].tried().verdict == "fails"


def test_everything_public_is_documented():
    for name in cp.__all__:
        thing = getattr(cp, name)
        assert inspect.getdoc(thing), name
        if inspect.isclass(thing):
            members = [m for m in vars(thing) if not m.startswith("_")]
            undocumented = [m for m in members if callable(getattr(thing, m)) and not inspect.getdoc(getattr(thing, m))]
            assert not undocumented, (name, undocumented)


def test_what_people_call_first_is_told_in_more_than_two_sentences():
    for function in (cp.losses, cp.bounds, cp.info_nce, cp.try_, cp.claim, cp.claims, cp.verify, cp.replay):
        told = inspect.getdoc(function)
        assert len(re.findall(r"[.:](?=\s|$)", told)) > 2 and ">>> " in told, function.__name__


def test_the_version_is_that_of_the_workspace():
    manifest = (ROOT / "Cargo.toml").read_text(encoding="utf-8")
    assert cp.__version__ == re.search(r'^version = "([^"]+)"', manifest, flags=re.MULTILINE).group(1)


def test_the_stubs_name_what_there_is():
    stub = (ROOT / "src/python/contrapositive/_native.pyi").read_text(encoding="utf-8")
    written = set(re.findall(r"^(?:def|class) (\w+)", stub, flags=re.MULTILINE))
    assert written == {name for name in vars(_native) if not name.startswith("_")}
    for name in ("Enclosure", "Comparison", "Trend", "Draws"):
        body = re.search(rf"^class {name}:\n(.*?)(?=^\S|\Z)", stub, flags=re.MULTILINE | re.DOTALL).group(1)
        members = {m for m in re.findall(r"def (\w+)", body) if not m.startswith("_")}
        assert members == {m for m in vars(getattr(_native, name)) if not m.startswith("_")}
