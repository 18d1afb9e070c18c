"""The package: its version, its methods, its documentation."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT, RunTests

import suite_simulator
from suite_simulator import SimulatorClient
from suite_simulator._generated import CALLS

PACKAGE = Path(suite_simulator.__file__).parent
SOURCES = sorted((ROOT / "src/suite_simulator").glob("*.py"))
README = (ROOT / "README.md").read_text()
CLIENTS = (ROOT.parent.parent / "docs/clients.md").read_text()
BLOCKS = re.findall(r"^```python\n(.+?)^```$", README + CLIENTS, re.DOTALL | re.MULTILINE)
TESTS = [block for block in BLOCKS if "def test_" in block]
PROGRAMS = [block for block in BLOCKS if "def test_" not in block]

# Operations without a method, which `simulator.call()` can make; keys have methods of their workspace.
BY_ID_ALONE = ["createKey", "deleteKey", "getDashboard", "getDocsPage", "listKeys", "receiveWebhook"]


def test_has_the_version_of_the_simulator() -> None:
    package = json.loads((ROOT.parent.parent / "package.json").read_text())
    project = (ROOT / "pyproject.toml").read_text()
    assert f'\nversion = "{package["version"]}"\n' in project
    assert suite_simulator.__version__ == package["version"]


def test_is_typed() -> None:
    assert (PACKAGE / "py.typed").exists()


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: str(source.name))
def test_has_the_syntax_of_python_3_9_and_a_readable_length(source: Path) -> None:
    text = source.read_text()
    ast.parse(text, feature_version=(3, 9))
    if source.name != "_generated.py":
        assert len(text.splitlines()) <= 450


def test_has_a_method_for_every_operation_of_the_control_plane() -> None:
    texts = "".join(each.read_text() for each in SOURCES if each.name != "_generated.py")
    without = [operation for operation in CALLS if f'"{operation}"' not in texts]
    assert sorted(without) == BY_ID_ALONE


def test_exports_what_it_lists() -> None:
    assert sorted(suite_simulator.__all__) == suite_simulator.__all__
    for name in suite_simulator.__all__:
        assert getattr(suite_simulator, name) is not None


def test_the_documentation_has_code() -> None:
    assert (len(TESTS), len(PROGRAMS)) == (4, 1)


@pytest.mark.parametrize("block", TESTS, ids=range(len(TESTS)))
def test_the_tests_of_the_documentation_pass(
    server: SimulatorClient, run_tests: RunTests, block: str
) -> None:
    run_tests(block, "--strict-markers").assert_outcomes(passed=block.count("def test_"))


@pytest.mark.parametrize("block", PROGRAMS, ids=range(len(PROGRAMS)))
def test_the_programs_of_the_documentation_run(server: SimulatorClient, block: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-W", "error", "-c", block],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.startswith("503 True {")


def test_the_readme_names_every_option_and_fixture(run_tests: RunTests) -> None:
    plugin = (ROOT / "src/suite_simulator/plugin.py").read_text()
    names = re.findall(r'"(--suite-sim[\w-]*)"|addini\("(\w+)"|"(SUITE_SIM_\w+)"', plugin)
    fixtures = re.findall(r"@pytest\.fixture.*\ndef (\w+)", plugin)
    assert len(names) > 6 and len(fixtures) == 6
    for name in [*filter(None, sum(names, ())), *fixtures]:
        assert re.search(rf"`{name}\b", README), name
