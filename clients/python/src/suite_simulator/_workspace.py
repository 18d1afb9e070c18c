"""One workspace, isolated from all others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, cast, overload

import httpx

from ._calling import ControlPlane
from ._errors import SimulatorError, is_simulator_error
from ._generated import (
    INTERFACES,
    Counts,
    Coverage,
    CreatedWorkspace,
    Diff,
    GroupedHint,
    Interface,
    InterfaceName,
    Reached,
    ScreenNow,
    SearchResults,
    TimelineItem,
    TimelineItemKind,
    Triggers,
    User,
    WorkspaceChange,
)
from ._generated import Workspace as WorkspaceSettings
from ._messages import Deliveries, Emails, Inbox, Requests
from ._parts import (
    Clock,
    Faults,
    Keys,
    Recordings,
    Records,
    Snapshots,
    StartedRecording,
    Subscriptions,
    Users,
)
from ._paths import check_path
from ._stream import TimelineStream
from ._values import given, unknown_name

__tracebackhide__ = is_simulator_error

# A fault can delay a response by 60 seconds.
_TIMEOUT = 90.0

# The workspaces that a client created and did not delete, by id.
Live = dict[str, "Workspace"]


class Workspace:
    """A workspace of a simulator, with a key for its interfaces."""

    def __init__(
        self, control: ControlPlane, live: Live, settings: WorkspaceSettings, key: str
    ) -> None:
        self._control = control
        self._call = control.call
        self._live = live
        self._settings = settings
        self._clones: list[NewWorkspace] = []
        self.id = settings["id"]
        self.name = settings["name"]
        self.currency = settings["currency"]
        self.timezone = settings["timezone"]
        #: The account number of the conversations interface.
        self.account_id = settings["accountId"]
        #: Works for all interfaces, with all scopes.
        self.key = key
        self.clock = Clock(control, self.id)
        self.records = Records(control, self.id)
        self.deliveries = Deliveries(control, self.id)
        self.inbox = Inbox(control, self.id)
        self.emails = Emails(control, self.id)
        #: The request journal: `workspace.requests(status="4xx")`.
        self.requests = Requests(control, self.id)
        self.faults = Faults(control, self.id)
        self.subscriptions = Subscriptions(control, self.id)
        self.snapshots = Snapshots(control, self.id)
        self.recordings = Recordings(control, self.id)
        self.keys = Keys(control, self.id)
        self.users = Users(control, self.id)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.id} at {self._control.url}>"

    def with_key(self, key: str) -> Workspace:
        """Returns the same workspace with another of its keys."""
        return Workspace(self._control, self._live, self._settings, key)

    @property
    def trigger(self) -> Triggers:
        """Simulates an action by a user, a device or an authority outside the interfaces.

        `workspace.trigger("payments.link.pay", link_id=link_id)`
        """
        return cast(Triggers, self._trigger)

    def _trigger(self, trigger: str, /, **body: Any) -> Any:
        path = {"id": self.id, "name": trigger}
        return self._call("pullTrigger", path=path, body=body)

    def reach(self, record: str, state: str, /, **fields: Any) -> Reached:
        """Puts a new record into a state; returns it with the way there as code.

        `workspace.reach("payments.refunds", "failed")`. Fields are those of the call or trigger that
        makes the record.
        """
        body = {"record": record, "state": state, **given(fields=fields or None)}
        return self._call("reach", path={"id": self.id}, body=body)

    # What an interface answers: named as in httpx.

    def get(self, interface: InterfaceName, path: str, **options: Any) -> httpx.Response:
        """Calls an interface with the key: `workspace.get("catalog", "/products")`."""
        return self.fetch(interface, path, method="GET", **options)

    def post(self, interface: InterfaceName, path: str, **options: Any) -> httpx.Response:
        """Calls an interface with the key: `workspace.post("catalog", "/products", json={...})`."""
        return self.fetch(interface, path, method="POST", **options)

    def put(self, interface: InterfaceName, path: str, **options: Any) -> httpx.Response:
        return self.fetch(interface, path, method="PUT", **options)

    def patch(self, interface: InterfaceName, path: str, **options: Any) -> httpx.Response:
        return self.fetch(interface, path, method="PATCH", **options)

    def delete(self, interface: InterfaceName, path: str, **options: Any) -> httpx.Response:
        """Calls an interface with the key. `remove()` deletes the workspace."""
        return self.fetch(interface, path, method="DELETE", **options)

    def fetch(
        self,
        interface: InterfaceName,
        path: str,
        *,
        method: str | None = None,
        json: object = None,
        params: Any = None,
        headers: Mapping[str, str] | None = None,
        content: str | bytes | None = None,
        data: Mapping[str, Any] | None = None,
        files: Any = None,
        timeout: float = _TIMEOUT,
    ) -> httpx.Response:
        """Calls an interface with the key; a POST if there is a body, otherwise a GET.

        The options are those of httpx. Raises a ValueError if the interface does not exist, or if the
        path does not start with a slash or contains "." or ".." segments.
        """
        url = self.url_of(interface)
        check_path(path, f'fetch("{interface}", ...)')
        has_body = any(each is not None for each in (json, content, data, files))
        options = given(json=json, params=params, content=content, data=data, files=files)
        try:
            return self._control.http.request(
                method or ("POST" if has_body else "GET"),
                url + path,
                headers={**self.headers_of(interface), **(headers or {})},
                timeout=timeout,
                **options,
            )
        except httpx.ConnectError as error:
            message = f"No simulator responds at {self._control.url}: {error}"
            raise SimulatorError("unreachable", message) from None

    def url_of(self, interface: InterfaceName) -> str:
        """Returns the URL of an interface: "http://127.0.0.1:4012/pay/v1"."""
        return self._control.url + _interface(interface).base_path

    def headers_of(self, interface: InterfaceName) -> dict[str, str]:
        """Returns the key header of an interface: `{"authorization": "Bearer ..."}`."""
        header = _interface(interface).header
        return {"authorization": f"Bearer {self.key}"} if header is None else {header.lower(): self.key}

    # The workspace itself.

    def settings(self) -> WorkspaceSettings:
        """Returns the current settings."""
        return self._call("getWorkspace", path={"id": self.id})

    def update(
        self,
        *,
        currency: str | None = None,
        timezone: str | None = None,
        modules: Mapping[str, bool] | None = None,
        plan: Mapping[str, bool] | None = None,
        test_cards: bool | None = None,
        progression: Literal["clock", "immediate", "manual"] | None = None,
        readings: Mapping[str, str] | None = None,
        ttl: str | None = None,
        labels: Mapping[str, str] | None = None,
    ) -> WorkspaceSettings:
        """Updates settings: `update(modules={"products": False})`."""
        change: WorkspaceChange = given(  # type: ignore[assignment]
            currency=currency,
            timezone=timezone,
            modules=modules,
            plan=plan,
            testCards=test_cards,
            progression=progression,
            readings=readings,
            ttl=ttl,
            labels=labels,
        )
        return self._call("updateWorkspace", path={"id": self.id}, body=change)

    def reset(self) -> None:
        """Resets the records to those at creation. Keys and id stay."""
        self._call("resetWorkspace", path={"id": self.id})

    def remove(self) -> None:
        """Deletes the workspace with all its data."""
        self._call("deleteWorkspace", path={"id": self.id})
        self._live.pop(self.id, None)

    def clone(self, *, name: str | None = None) -> NewWorkspace:
        """Creates a workspace with the same records, files and clock."""
        created = self._call("cloneWorkspace", path={"id": self.id}, body=given(name=name))
        clone = NewWorkspace(self._control, self._live, created)
        self._clones.append(clone)
        return clone

    # What happened in it.

    def hints(self, *, assumed: bool | None = None) -> list[GroupedHint]:
        """Lists hints for callers, grouped.

        With `assumed`, also behavior that the specification leaves open.
        """
        return self._call("listHints", path={"id": self.id}, query=given(assumed=assumed))["data"]

    def timeline(
        self,
        *,
        kind: TimelineItemKind | None = None,
        limit: int | None = None,
        before: str | None = None,
    ) -> list[TimelineItem]:
        """Lists the timeline with causes, newest first."""
        query = given(kind=kind, limit=limit, before=before)
        return self._call("getTimeline", path={"id": self.id}, query=query)["data"]

    def changes(
        self,
        *,
        from_: str | None = None,
        section: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Diff:
        """Returns what changed since a named snapshot, or since the workspace was created."""
        query = given(**{"from": from_}, section=section, limit=limit, cursor=cursor)
        return self._call("getDiff", path={"id": self.id}, query=query)

    def record(self, *, name: str | None = None) -> StartedRecording:
        """Starts a recording of what changes the workspace."""
        started = self._call("startRecording", path={"id": self.id}, body=given(name=name))
        return StartedRecording(self.recordings, started)

    def search(self, text: str, *, limit: int | None = None) -> SearchResults:
        """Finds a text in calls, e-mails, deliveries and records."""
        query = {"q": text, **given(limit=limit)}
        return self._call("searchWorkspace", path={"id": self.id}, query=query)

    def counts(self) -> Counts:
        """Counts calls, hints, deliveries, e-mails and records."""
        return self._call("getCounts", path={"id": self.id})

    def stream(self, *, after: str | None = None) -> TimelineStream:
        """Streams the timeline live; after an entry if its id is given."""
        return TimelineStream(self._control, {"id": self.id}, after)

    @overload
    def coverage(self) -> Coverage: ...

    @overload
    def coverage(self, *, format: Literal["text", "mermaid"]) -> str: ...

    def coverage(self, *, format: Literal["text", "mermaid"] | None = None) -> Coverage | str:
        """Returns the called operations, the moves and the sent events, also those that never occurred."""
        path = {"id": self.id}
        if format is None:
            return self._call("getCoverage", path=path)
        return self._control.send("getCoverage", path=path, query={"format": format}).text

    def screen_now(self, screen_id: str) -> ScreenNow:
        """Returns what a signage screen plays now."""
        return self._call("getScreenNow", path={"id": self.id, "screen_id": screen_id})


class NewWorkspace(Workspace):
    """A new workspace: `with simulator.workspaces.create() as workspace:` deletes it after the block."""

    def __init__(self, control: ControlPlane, live: Live, created: CreatedWorkspace) -> None:
        super().__init__(control, live, created["workspace"], created["key"])
        #: The owner of the key.
        self.user: User = created["user"]
        #: Opens the control calls of this workspace and no others: `connect(url, admin_token=...)`.
        self.control_token = created["controlToken"]
        live[self.id] = self

    def __enter__(self) -> NewWorkspace:
        return self

    def __exit__(self, *error: object) -> None:
        """Deletes the workspace with all its data. Does nothing if it was already deleted."""
        try:
            self.remove()
        except SimulatorError as refusal:
            if refusal.code != "not_found":
                raise


def _interface(name: str) -> Interface:
    """Returns the base path and key header of an interface."""
    if name not in INTERFACES:
        raise ValueError(unknown_name("interface", name, INTERFACES))
    return INTERFACES[name]
