"""The pytest plugin: a simulator for the session, and a workspace and a webhook receiver for each test."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from datetime import datetime, timezone
from inspect import signature
from typing import Any, TypeVar

import pytest

from ._client import SimulatorClient, Workspaces, connect
from ._errors import SimulatorError
from ._parts import Clock
from ._receiver import WebhookReceiver
from ._report import TITLE, report
from ._server import start_simulator
from ._values import unknown_name, variable
from ._workspace import NewWorkspace

_SIMULATOR: pytest.StashKey[SimulatorClient] = pytest.StashKey()
_STARTED: pytest.StashKey[str] = pytest.StashKey()
_HAS_FAILED: pytest.StashKey[bool] = pytest.StashKey()

_WORKSPACE_OPTIONS = [name for name in signature(Workspaces.create).parameters if name != "self"]

WorkspaceFactory = Callable[..., NewWorkspace]

Made = TypeVar("Made")


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("suite-simulator", "Suite Simulator")
    group.addoption(
        "--suite-sim-url",
        metavar="URL",
        help="a running simulator; SUITE_SIM_URL by default. Without both, the session starts one. "
        "SIM_ADMIN_TOKEN is the token for its control plane.",
    )
    group.addoption(
        "--suite-sim-command",
        metavar="COMMAND",
        help="the command that starts a simulator; by default SUITE_SIM_COMMAND, suite-sim on the "
        "PATH, or npx suite-sim",
    )
    group.addoption(
        "--suite-sim-webhook-host",
        metavar="HOST",
        help="the host name of this machine for a simulator elsewhere; SUITE_SIM_WEBHOOK_HOST by default",
    )
    parser.addini("suite_sim_url", "the default of --suite-sim-url and SUITE_SIM_URL")
    parser.addini("suite_sim_command", "the default of --suite-sim-command and SUITE_SIM_COMMAND")
    parser.addini("suite_sim_args", "more flags for the simulator of the session: --seed ci")
    parser.addini("suite_sim_webhook_host", "the default of --suite-sim-webhook-host")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "workspace(fixtures, name, currency, timezone, readings): options of the test's workspace",
    )


def pytest_report_header(config: pytest.Config) -> str | None:
    url = _setting(config, "suite_sim_url", "SUITE_SIM_URL")
    return None if url is None else f"suite-simulator: {url}"


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    # In the form of the control plane, because the report compares them as texts.
    now = datetime.now(timezone.utc).isoformat(timespec="milliseconds")
    item.stash[_STARTED] = now.replace("+00:00", "Z")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, None]:
    """Adds the section to the report of a failed setup, test or teardown."""
    outcome = yield
    result: pytest.TestReport = outcome.get_result()
    if not result.failed:
        return
    item.stash[_HAS_FAILED] = True
    simulator = item.config.stash.get(_SIMULATOR, None)
    if simulator is None:
        return
    text = report(simulator, item.stash.get(_STARTED, ""))
    if text:
        result.sections.append((TITLE, text))


def _setting(config: pytest.Config, name: str, variable_name: str) -> str | None:
    """Returns a setting: of the command line, the environment, or the configuration file."""
    found: str | None = config.getoption(f"--{name.replace('_', '-')}")
    return found or variable(variable_name) or config.getini(name) or None


@pytest.fixture(scope="session")
def suite_simulator(pytestconfig: pytest.Config) -> Iterator[SimulatorClient]:
    """The simulator of --suite-sim-url or SUITE_SIM_URL, or one that is started for the session."""
    simulator = _or_fail(lambda: _simulator(pytestconfig), SimulatorError, ValueError)
    pytestconfig.stash[_SIMULATOR] = simulator
    try:
        yield simulator
    finally:
        del pytestconfig.stash[_SIMULATOR]
        simulator.close()


def _or_fail(make: Callable[[], Made], *errors: type[Exception]) -> Made:
    """Returns the result, or fails with the message of one of these errors, without a traceback."""
    try:
        return make()
    except errors as error:
        message = str(error)
    # Outside the handler, so that the report does not repeat the error as the cause.
    pytest.fail(message, pytrace=False)


def _simulator(config: pytest.Config) -> SimulatorClient:
    url = _setting(config, "suite_sim_url", "SUITE_SIM_URL")
    if url is None:
        return start_simulator(
            *shlex.split(config.getini("suite_sim_args")),
            command=_setting(config, "suite_sim_command", "SUITE_SIM_COMMAND"),
        )
    try:
        simulator = connect(url)
    except SimulatorError as error:
        advice = "Start it, or leave out --suite-sim-url, SUITE_SIM_URL and suite_sim_url."
        raise SimulatorError(error.code, f"{error.message}\n{advice}") from None
    try:
        simulator.readings()
    except SimulatorError as error:
        simulator.close()
        if error.status != 401:
            raise
        message = f"{error.message}\nSet SIM_ADMIN_TOKEN to the admin token of {simulator.url}."
        raise SimulatorError(error.code, message) from None
    return simulator


@pytest.fixture
def workspace_options() -> dict[str, Any]:
    """Options of the workspaces of tests. Override it to change them for a module or a project."""
    return {}


@pytest.fixture
def make_workspace(
    request: pytest.FixtureRequest, suite_simulator: SimulatorClient
) -> Iterator[WorkspaceFactory]:
    """Creates more workspaces: `make_workspace(fixtures="small")`. They are deleted after the test."""
    with ExitStack() as stack:

        def make(**options: Any) -> NewWorkspace:
            workspace = suite_simulator.workspaces.create(**options)
            stack.callback(_remove, workspace, request.node)
            return workspace

        yield make


def _remove(workspace: NewWorkspace, node: pytest.Item) -> None:
    """Deletes a workspace, and its clones, which no block of a test may have deleted."""
    for clone in workspace._clones:
        _remove(clone, node)
    try:
        workspace.__exit__()
    except SimulatorError as error:
        # A failed test has reported already that the server is gone.
        if error.code != "unreachable" or not node.stash.get(_HAS_FAILED, False):
            raise


@pytest.fixture
def workspace(
    request: pytest.FixtureRequest,
    workspace_options: dict[str, Any],
    make_workspace: WorkspaceFactory,
) -> NewWorkspace:
    """A workspace for this test; it is empty unless `@pytest.mark.workspace(fixtures="small")`."""
    options = {**workspace_options, **_marked(request.node)}
    for name in options:
        if name not in _WORKSPACE_OPTIONS:
            pytest.fail(unknown_name("workspace option", name, _WORKSPACE_OPTIONS), pytrace=False)
    return _or_fail(lambda: make_workspace(**options), SimulatorError)


def _marked(node: pytest.Item) -> dict[str, Any]:
    """Returns the options of the markers; the nearest marker has priority."""
    options: dict[str, Any] = {}
    for marker in node.iter_markers("workspace"):
        if marker.args:
            message = 'the marker workspace takes named options: workspace(fixtures="small")'
            pytest.fail(message, pytrace=False)
        options = {**marker.kwargs, **options}
    return options


@pytest.fixture
def clock(workspace: NewWorkspace) -> Clock:
    """The clock of the test's workspace: `clock.advance("P3D")`."""
    return workspace.clock


@pytest.fixture
def receiver(pytestconfig: pytest.Config) -> Iterator[WebhookReceiver]:
    """A webhook receiver for this test: `receiver.subscribe(workspace, interface="payments")`."""
    hostname = _setting(pytestconfig, "suite_sim_webhook_host", "SUITE_SIM_WEBHOOK_HOST")
    with WebhookReceiver(hostname=hostname) as webhooks:
        yield webhooks
        # Otherwise a failed assertion in an answer function would have no effect.
        webhooks.check()
