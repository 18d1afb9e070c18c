"""The tests run against one server: that of SUITE_SIM_URL, or one that they start from dist/ (npm run build)."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from suite_simulator import SimulatorClient

pytest_plugins = ["pytester", "suite_simulator.plugin"]

ROOT = Path(__file__).parent.parent

os.environ.setdefault(
    "SUITE_SIM_COMMAND", shlex.join(["node", str(ROOT.parent.parent / "dist/main.js")])
)

RunTests = Callable[..., pytest.RunResult]


@pytest.fixture
def run_tests(pytester: pytest.Pytester) -> RunTests:
    """Runs a file of tests in a session of its own."""

    def run(source: str, *args: str) -> pytest.RunResult:
        pytester.makepyfile(source)
        options = ["-p", "suite_simulator.plugin", "-p", "no:cacheprovider", "-W", "error"]
        return pytester.runpytest(*options, *args)

    return run


@pytest.fixture
def server(suite_simulator: SimulatorClient, monkeypatch: pytest.MonkeyPatch) -> SimulatorClient:
    """The server of this session, which the inner sessions of `run_tests` use."""
    monkeypatch.setenv("SUITE_SIM_URL", suite_simulator.url)
    monkeypatch.setenv("SIM_ADMIN_TOKEN", suite_simulator.admin_token or "")
    return suite_simulator


@pytest.fixture
def no_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets inner sessions start their own server."""
    monkeypatch.delenv("SUITE_SIM_URL", raising=False)
    monkeypatch.delenv("SIM_ADMIN_TOKEN", raising=False)


def section_of(result: pytest.RunResult) -> str:
    """Returns the lines between the title of the section and the next line of dashes or of a heading."""
    lines = result.outlines
    starts = [index for index, line in enumerate(lines) if " Suite Simulator " in line]
    assert len(starts) == 1, "\n".join(lines)
    section: list[str] = []
    for line in lines[starts[0] + 1 :]:
        if line.startswith(("---", "===", "___", "!!!")):
            break
        section.append(line)
    return "\n".join(section)
