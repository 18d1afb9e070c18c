"""The client of a simulator's control plane."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, List, Literal, overload
from urllib.parse import urlsplit

from ._calling import ControlPlane
from ._errors import SimulatorError, is_simulator_error
from ._generated import (
    Access,
    Backup,
    Calls,
    Coverage,
    Health,
    InterfaceName,
    Key,
    Observations,
    Reading,
    StateMachine,
    Trigger,
    UnmatchedJournalEntry,
)
from ._generated import Workspace as WorkspaceSettings
from ._values import given, variable
from ._workspace import Live, NewWorkspace, Workspace

__tracebackhide__ = is_simulator_error

DEFAULT_URL = "http://127.0.0.1:4012"


class Workspaces:
    """The workspaces of a simulator."""

    def __init__(self, control: ControlPlane, live: Live) -> None:
        self._control = control
        self._live = live

    def create(
        self,
        *,
        fixtures: Literal["none", "small", "demo"] | Mapping[str, Any] | None = None,
        name: str | None = None,
        currency: str | None = None,
        timezone: str | None = None,
        readings: Mapping[str, str] | None = None,
        ttl: str | None = None,
        labels: Mapping[str, str] | None = None,
    ) -> NewWorkspace:
        """Creates a workspace with a user and a key.

        It is empty, or has the fixtures "small" or "demo", or those of a snapshot. With ttl="P7D", the server
        deletes it after seven days without calls.
        """
        body = given(
            fixtures=fixtures,
            name=name,
            currency=currency,
            timezone=timezone,
            readings=readings,
            ttl=ttl,
            labels=labels,
        )
        created = self._control.call("createWorkspace", body=body)
        return NewWorkspace(self._control, self._live, created)

    def list(self, labels: Mapping[str, str] | None = None) -> List[WorkspaceSettings]:
        """Lists all workspaces, or those with these labels: `list({"team": "checkout"})`."""
        return self._control.call("listWorkspaces", query={"label": _label_texts(labels or {})})["data"]

    def delete_all(self, labels: Mapping[str, str]) -> int:
        """Deletes all workspaces with these labels, and returns their number. Refused without a label."""
        query = {"label": _label_texts(labels)}
        return self._control.call("deleteWorkspaces", query=query)["count"]

    def get(self, workspace_id: str) -> Workspace:
        """Returns an existing workspace with a key for all interfaces and scopes.

        Creates such a key if none exists.
        """
        settings = self._control.call("getWorkspace", path={"id": workspace_id})
        keys = self._control.call("listWorkspaceKeys", path={"id": workspace_id})["data"]
        found = next(filter(_has_full_access, keys), None)
        if found is None:
            found = self._control.call("createWorkspaceKey", path={"id": workspace_id})
        return Workspace(self._control, self._live, settings, found["key"])

    def delete(self, workspace_id: str) -> None:
        self._control.call("deleteWorkspace", path={"id": workspace_id})
        self._live.pop(workspace_id, None)


def _label_texts(labels: Mapping[str, str]) -> List[str]:
    return [f"{name}:{value}" for name, value in labels.items()]


def _has_full_access(key: Key) -> bool:
    return "*" in key["scopes"] and "*" in key["interfaces"] and key["expiresAt"] is None


class Machines:
    """The state machines of the records."""

    def __init__(self, control: ControlPlane) -> None:
        self._call = control.call

    def list(self) -> List[StateMachine]:
        return self._call("listMachines")["data"]

    def get(self, name: str) -> StateMachine:
        return self._call("getMachine", path={"name": name})


class SimulatorClient:
    """A simulator in any process. Threads can share it. `with connect() as simulator:` closes it."""

    def __init__(self, url: str, *, admin_token: str | None = None) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"{url} must be a URL that starts with http:// or https://")
        self._control = ControlPlane(url, admin_token)
        self._live: Live = {}
        #: "http://127.0.0.1:4012"; the interfaces are mounted below it.
        self.url = self._control.url
        #: The control plane: `url` and "/_sim".
        self.admin_url = self._control.admin_url
        #: The bearer token for the control plane; None if it needs none.
        self.admin_token = admin_token
        self.workspaces = Workspaces(self._control, self._live)
        self.machines = Machines(self._control)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.url}>"

    def __enter__(self) -> SimulatorClient:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections."""
        self._control.http.close()

    @property
    def call(self) -> Calls:
        """Calls any operation of the control plane: `call("getClock", path={"id": "demo"})`."""
        return self._control.call

    def triggers(self) -> list[Trigger]:
        """Lists all triggers, with the JSON Schemas of body and result."""
        return self.call("listTriggers")["data"]

    def unmatched(
        self, *, limit: int | None = None, wait: float | None = None, count: int | None = None
    ) -> list[UnmatchedJournalEntry]:
        """Lists calls without a workspace (unknown or missing key, unknown path), newest first.

        With `wait`, as soon as `count` exist or these seconds have passed.
        """
        query = {"unmatched": True, **given(limit=limit, wait=wait, count=count)}
        return self.call("listUnmatchedRequests", query=query)["data"]

    def readings(self) -> list[Reading]:
        """Lists the readings: where the specification can be read in several ways."""
        return self.call("listReadings")["data"]

    def observed(self) -> Observations:
        """Returns what the server follows of the overlay of `--observed`, and the entries that it ignores."""
        return self.call("listObserved")

    def reset(self) -> None:
        """Resets the whole server to its state at the start."""
        self.call("resetServer")
        self._live.clear()

    def access(self) -> Access:
        """Returns what the token of this client opens: the whole server, or one workspace."""
        return self.call("getAccess")

    def backup(self, directory: str) -> Backup:
        """Copies the database and its stored files into a new or empty directory.

        The directory is an absolute path on the machine of the server. Only programs on that machine may call this.
        """
        return self.call("backUp", body={"directory": directory})

    def health(self) -> Health:
        """Returns the health; raises a SimulatorError with status 503 while it is unavailable."""
        return self.call("getHealth")

    def ready(self) -> Health:
        """Returns the health like `health()`, from the address for readiness probes."""
        return self.call("getReadiness")

    @overload
    def coverage(self) -> Coverage: ...

    @overload
    def coverage(self, *, format: Literal["text", "mermaid"]) -> str: ...

    def coverage(self, *, format: Literal["text", "mermaid"] | None = None) -> Coverage | str:
        """Returns the coverage of all workspaces since the server's start, also of deleted ones."""
        if format is None:
            return self.call("getServerCoverage")
        return self._control.send("getServerCoverage", query={"format": format}).text

    def metrics(self) -> str:
        """Returns the metrics for Prometheus."""
        return self.call("getMetrics")

    def openapi(self, name: InterfaceName | Literal["control"] | None = None) -> dict[str, Any]:
        """Returns the OpenAPI 3.1 document of an interface, of the control plane, or of all interfaces."""
        if name is None:
            return self.call("getOpenapi")
        return self.call("getOpenapiOfInterface", path={"interface": name})


def connect(url: str | None = None, *, admin_token: str | None = None) -> SimulatorClient:
    """Connects to a running simulator: at `url`, at SUITE_SIM_URL, or at http://127.0.0.1:4012.

    The token for its control plane is that in SIM_ADMIN_TOKEN unless one is given. Raises a
    SimulatorError with the code "unreachable" if no server responds, or "unexpected_answer" if
    another server does.
    """
    simulator = SimulatorClient(
        url or variable("SUITE_SIM_URL") or DEFAULT_URL,
        admin_token=variable("SIM_ADMIN_TOKEN") if admin_token is None else admin_token or None,
    )
    try:
        health: Any = simulator.call("getLiveness")
        if not isinstance(health, dict) or health.get("status") != "ok":
            message = f"The server at {simulator.url} is not a simulator."
            raise SimulatorError("unexpected_answer", message)
    except BaseException:
        simulator.close()
        raise
    return simulator
