"""The parts of a workspace: clock, records, faults, subscriptions, snapshots, recordings, keys, users."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Dict, List, Literal

from ._errors import is_simulator_error
from ._generated import (
    Advanced,
    CreatedSubscription,
    DueJob,
    Fault,
    FaultCreateDelayMs,
    FaultCreateDelivery,
    FaultCreateLimit,
    FaultCreateMethod,
    FaultCreatePreset,
    FaultCreateWhen,
    FaultReleased,
    FoundRecord,
    HeldCall,
    InterfaceName,
    Key,
    Recording,
    RecordingFile,
    RecordPage,
    RecordSection,
    RecordWithState,
    SavedSnapshot,
    Section,
    Snapshot,
    Subscription,
    User,
)
from ._generated import Clock as ClockState
from ._messages import AnyEvent, Part
from ._values import Duration, Instant, duration, given, instant, json_text, parse_instant
from ._waiting import DEFAULT_TIMEOUT, wait_until

__tracebackhide__ = is_simulator_error


class Clock(Part):
    """The clock of a workspace."""

    def now(self) -> datetime:
        """Returns its time, with a time zone."""
        return parse_instant(self.get()["now"])

    def get(self) -> ClockState:
        return self._call("getClock", path=self._id)

    def due(self) -> List[DueJob]:
        """Lists the next due jobs by kind, earliest first."""
        return self._call("listDue", path=self._id)["data"]

    def set(self, now: Instant | None = None, *, frozen: bool | None = None) -> ClockState:
        """Sets, freezes or unfreezes the clock. Jobs that become due run in order."""
        body = given(now=None if now is None else instant(now), frozen=frozen)
        return self._call("setClock", path=self._id, body=body)

    def freeze(self, now: Instant | None = None) -> ClockState:
        """Freezes the clock at its current time, or at another one."""
        return self.set(now, frozen=True)

    def advance(self, by: Duration, *, wait_ms: int | None = None) -> Advanced:
        """Advances the clock by a timedelta or an ISO 8601 duration, "PT1H".

        Returns when the due jobs have run and the due webhooks were sent, or after `wait_ms` (5,000).
        """
        body = given(duration=duration(by), waitMs=wait_ms)
        return self._call("advanceClock", path=self._id, body=body)


class Records(Part):
    """The records of a workspace, with their states."""

    def sections(self) -> List[RecordSection]:
        """Lists the sets of records with their sizes."""
        return self._call("listRecordSections", path=self._id)["data"]

    def list(
        self, section: Section, *, limit: int | None = None, cursor: str | None = None
    ) -> RecordPage:
        """Returns a page of a set: "payments.links"."""
        query = given(limit=limit, cursor=cursor)
        path: Dict[str, str] = {**self._id, "section": section}
        return self._call("listRecords", path=path, query=query)

    def find(
        self,
        *,
        id: str | None = None,
        text: str | None = None,
        section: Section | None = None,
        limit: int | None = None,
    ) -> List[FoundRecord]:
        """Finds records by an id or a key, or by a part of these or of their names."""
        query = given(id=id, text=text, section=section, limit=limit)
        return self._call("findRecords", path=self._id, query=query)["data"]

    def get(self, section: Section, record_id: str) -> RecordWithState:
        """Returns a record with its state, its next moves and its history."""
        return self._get(section, record_id, {})

    def wait(
        self, section: Section, record_id: str, *, until: str, timeout: float = DEFAULT_TIMEOUT
    ) -> RecordWithState:
        """Returns a record as soon as a field has a value: `until="status:paid"`."""
        field, separator, value = until.partition(":")
        if not separator:
            raise ValueError(f'until must be a field and its value, "status:paid", not {until!r}')

        def poll(wait: float) -> RecordWithState:
            return self._get(section, record_id, {"until": until, "wait": wait})

        def text(found: RecordWithState) -> str:
            return json_text(found["record"].get(field))

        return wait_until(
            timeout,
            poll,
            lambda found: text(found) == value,
            lambda found: (
                f"Waited {timeout:g} s for {field} of {section} {record_id} to be {value}; "
                f"it is {text(found)}."
            ),
        )

    def _get(self, section: str, record_id: str, query: Mapping[str, Any]) -> RecordWithState:
        path = {**self._id, "section": section, "recordId": record_id}
        return self._call("getRecord", path=path, query=query)


class Faults(Part):
    """Faults of calls and deliveries."""

    def add(
        self,
        *,
        preset: FaultCreatePreset | None = None,
        interface: InterfaceName | None = None,
        method: FaultCreateMethod | None = None,
        path: str | None = None,
        when: FaultCreateWhen | None = None,
        case: str | None = None,
        status: int | None = None,
        body: object = None,
        headers: Mapping[str, str] | None = None,
        template: bool | None = None,
        delay_ms: int | FaultCreateDelayMs | None = None,
        reset: bool | None = None,
        after: bool | None = None,
        limit: FaultCreateLimit | None = None,
        lag: Duration | None = None,
        hold: bool | None = None,
        times: int | None = None,
        probability: float | None = None,
        delivery: FaultCreateDelivery | None = None,
        event: AnyEvent | None = None,
    ) -> Fault:
        """Injects a fault: `add(interface="catalog", status=503, times=2)`, `add(delivery="drop")`.

        With `after`, the work of the call is done before; `delay_ms` can be `{"min": 100, "max": 900}`.
        `limit={"calls": 10, "per": "PT1M"}` refuses further calls, `lag="PT2S"` hides new records from
        lists, and with `hold` calls wait until `release`.
        """
        fault = given(
            preset=preset,
            interface=interface,
            method=method,
            path=path,
            when=when,
            case=case,
            status=status,
            body=body,
            headers=headers,
            template=template,
            delayMs=delay_ms,
            reset=reset,
            after=after,
            limit=limit,
            lag=None if lag is None else duration(lag),
            hold=hold,
            times=times,
            probability=probability,
            delivery=delivery,
            event=event,
        )
        return self._call("createFault", path=self._id, body=fault)

    def list(self) -> List[Fault]:
        return self._call("listFaults", path=self._id)["data"]

    def get(self, fault_id: str) -> Fault:
        """Returns a fault, and with `hold` the calls that wait for it."""
        return self._call("getFault", path={**self._id, "faultId": fault_id})

    def wait(
        self, fault_id: str, *, count: int = 1, timeout: float = DEFAULT_TIMEOUT
    ) -> List[HeldCall]:
        """Returns the calls that a fault with `hold` lets wait, as soon as there are `count`."""
        path = {**self._id, "faultId": fault_id}

        def poll(wait: float) -> Fault:
            return self._call("getFault", path=path, query={"wait": wait, "count": count})

        def held(fault: Fault) -> List[HeldCall]:
            return fault.get("waiting", [])

        found = wait_until(
            timeout,
            poll,
            lambda fault: len(held(fault)) >= count,
            lambda fault: (
                f"Waited {timeout:g} s for {count} calls that {fault_id} holds; "
                f"it holds {len(held(fault))}."
            ),
        )
        return held(found)

    def release(
        self, fault_id: str, *, count: int | None = None, calls: Sequence[str] | None = None
    ) -> FaultReleased:
        """Lets calls go on that wait: all, the first `count`, or `calls` in this order."""
        body = given(count=count, calls=None if calls is None else [*calls])
        return self._call("releaseCalls", path={**self._id, "faultId": fault_id}, body=body)

    def delete(self, fault_id: str) -> None:
        self._call("deleteFault", path={**self._id, "faultId": fault_id})

    def clear(self) -> None:
        """Deletes all faults."""
        self._call("deleteFaults", path=self._id)


class Subscriptions(Part):
    """Webhook subscriptions of every interface."""

    def create(
        self,
        *,
        interface: InterfaceName,
        url: str,
        events: Sequence[AnyEvent] | None = None,
        secret: str | None = None,
    ) -> CreatedSubscription:
        """Creates a subscription; its secret signs the deliveries."""
        body = given(interface=interface, url=url, events=_listed(events), secret=secret)
        return self._call("createSubscription", path=self._id, body=body)

    def list(self) -> List[Subscription]:
        return self._call("listSubscriptions", path=self._id)["data"]

    def delete(self, subscription_id: str) -> None:
        self._call("deleteSubscription", path={**self._id, "subscriptionId": subscription_id})


class Snapshots(Part):
    """Snapshots: named ones on the server, and the current records."""

    def save(self, name: str) -> SavedSnapshot:
        return self._call("saveSnapshot", path=self._id, body={"name": name})

    def list(self) -> List[SavedSnapshot]:
        return self._call("listSnapshots", path=self._id)["data"]

    def restore(self, name: str) -> None:
        self._call("restoreSnapshot", path={**self._id, "name": name})

    def delete(self, name: str) -> None:
        self._call("deleteSnapshot", path={**self._id, "name": name})

    def get(self) -> Snapshot:
        """Returns all records in the format of a fixture file."""
        return self._call("getSnapshot", path=self._id)

    def put(self, snapshot: Mapping[str, Any]) -> None:
        """Replaces all records; all or none."""
        self._call("putSnapshot", path=self._id, body=snapshot)


class Recordings(Part):
    """Recordings of what changes the workspace."""

    def list(self) -> List[Recording]:
        return self._call("listRecordings", path=self._id)["data"]

    def get(self, recording_id: str) -> Recording:
        return self._call("getRecording", path={**self._id, "recordingId": recording_id})

    def stop(self, recording_id: str) -> RecordingFile:
        """Stops a recording, and returns its file; that of a stopped one again."""
        return self._call("stopRecording", path={**self._id, "recordingId": recording_id})

    def delete(self, recording_id: str) -> None:
        self._call("deleteRecording", path={**self._id, "recordingId": recording_id})


class StartedRecording:
    """A recording that was started here: `file = workspace.record().stop()`."""

    def __init__(self, recordings: Recordings, started: Recording) -> None:
        self._recordings = recordings
        self.id = started["id"]
        self.name = started["name"]

    def get(self) -> Recording:
        """Returns its status and its number of steps."""
        return self._recordings.get(self.id)

    def stop(self) -> RecordingFile:
        """Stops it, and returns the file for `suite-sim replay`."""
        return self._recordings.stop(self.id)

    def delete(self) -> None:
        """Deletes it, also while it is running."""
        self._recordings.delete(self.id)


class Keys(Part):
    """The keys of a workspace."""

    def create(
        self,
        *,
        scopes: Sequence[str] | None = None,
        interfaces: Sequence[InterfaceName | Literal["*"]] | None = None,
        user_id: str | None = None,
        expires_at: Instant | None = None,
    ) -> Key:
        """Creates a key, which can have fewer scopes or interfaces, another user, or an expiry."""
        body = given(
            scopes=_listed(scopes),
            interfaces=_listed(interfaces),
            userId=user_id,
            expiresAt=None if expires_at is None else instant(expires_at),
        )
        return self._call("createWorkspaceKey", path=self._id, body=body)

    def list(self) -> List[Key]:
        return self._call("listWorkspaceKeys", path=self._id)["data"]

    def delete(self, key: str) -> None:
        self._call("deleteWorkspaceKey", path={**self._id, "key": key})


class Users(Part):
    """The users of a workspace."""

    def create(self, *, name: str, email: str) -> User:
        return self._call("createUser", path=self._id, body={"name": name, "email": email})


def _listed(values: Sequence[Any] | None) -> List[Any] | None:
    """Returns a list. A text is a sequence too, but its letters are no names."""
    if isinstance(values, str):
        raise TypeError(f"a list is required: [{values!r}]")
    return None if values is None else [*values]
