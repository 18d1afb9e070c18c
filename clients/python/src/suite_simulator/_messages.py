"""The messages of a workspace: deliveries, received webhooks, e-mails and the request journal."""

from __future__ import annotations

import json
from typing import Any, List, Mapping, Union

from ._calling import ControlPlane
from ._errors import is_simulator_error
from ._generated import (
    Delivery,
    DeliveryStatus,
    Email,
    EventName,
    InboxEntry,
    InterfaceName,
    JournalEntry,
    ListDeliveriesResult,
    ListEmailsResult,
    ListInboxResult,
    ListRequestsResult,
    SentSample,
    WholeEmail,
    WholeJournalEntry,
)
from ._values import given
from ._waiting import DEFAULT_TIMEOUT, wait_for_rows

__tracebackhide__ = is_simulator_error

# Methods named "list" hide the built-in name inside their classes, hence List.

AnyEvent = Union[EventName, str]


class Part:
    """The base class of the parts of a workspace."""

    def __init__(self, control: ControlPlane, workspace_id: str) -> None:
        self._control = control
        self._call = control.call
        self._id = {"id": workspace_id}


class Deliveries(Part):
    """Webhook deliveries, sent and pending."""

    def list(
        self,
        *,
        interface: InterfaceName | None = None,
        event: AnyEvent | None = None,
        status: DeliveryStatus | None = None,
        subscription: str | None = None,
        limit: int | None = None,
    ) -> List[Delivery]:
        """Lists deliveries, newest first; 25 unless `limit` is given."""
        query = given(interface=interface, event=event, status=status)
        return self._page({**query, **given(subscription=subscription, limit=limit)})["data"]

    def wait(
        self,
        *,
        interface: InterfaceName | None = None,
        event: AnyEvent | None = None,
        status: DeliveryStatus = "delivered",
        subscription: str | None = None,
        count: int = 1,
        timeout: float = DEFAULT_TIMEOUT,
    ) -> List[Delivery]:
        """Returns as soon as `count` deliveries are delivered, or have the given status; newest first."""
        query = given(status=status, interface=interface, event=event, subscription=subscription)
        return wait_for_rows("deliveries", query, count, timeout, self._page)

    def sample(
        self,
        *,
        interface: InterfaceName,
        event: AnyEvent,
        data: Mapping[str, Any] | None = None,
        at: str | None = None,
    ) -> SentSample:
        """Delivers a sample of an event that did not occur, with its published example or other data."""
        body = given(interface=interface, event=event, data=data, at=at)
        return self._call("deliverSample", path=self._id, body=body)

    def redeliver(self, delivery_id: str) -> None:
        """Sends a delivery again, with a new retry schedule."""
        self._call("redeliver", path={**self._id, "deliveryId": delivery_id})

    def redeliver_all(
        self,
        *,
        status: DeliveryStatus | None = None,
        interface: InterfaceName | None = None,
        event: AnyEvent | None = None,
        since: str | None = None,
    ) -> int:
        """Sends all dead deliveries that match again, or those with the given status; returns their number."""
        body = given(status=status, interface=interface, event=event, since=since)
        return self._call("redeliverAll", path=self._id, body=body)["count"]

    def _page(self, query: dict[str, Any]) -> ListDeliveriesResult:
        return self._call("listDeliveries", path=self._id, query=query)


class Inbox(Part):
    """The webhooks that the built-in receiver of the server got."""

    def list(
        self,
        *,
        event: AnyEvent | None = None,
        subscription: str | None = None,
        limit: int | None = None,
    ) -> List[InboxEntry]:
        """Lists received webhooks, newest first; 25 unless `limit` is given."""
        return self._page(given(event=event, subscription=subscription, limit=limit))["data"]

    def wait(
        self,
        *,
        event: AnyEvent | None = None,
        subscription: str | None = None,
        count: int = 1,
        timeout: float = DEFAULT_TIMEOUT,
    ) -> List[InboxEntry]:
        """Returns as soon as `count` webhooks were received, newest first."""
        query = given(event=event, subscription=subscription)
        return wait_for_rows("received webhooks", query, count, timeout, self._page)

    def clear(self) -> None:
        """Deletes all entries."""
        self._call("clearInbox", path=self._id)

    def _page(self, query: dict[str, Any]) -> ListInboxResult:
        return self._call("listInbox", path=self._id, query=query)


class Emails(Part):
    """E-mails that the suite would have sent."""

    def list(self, *, to: str | None = None, limit: int | None = None) -> List[Email]:
        """Lists e-mails, newest first; 25 unless `limit` is given."""
        return self._page(given(to=to, limit=limit))["data"]

    def wait(
        self, *, to: str | None = None, count: int = 1, timeout: float = DEFAULT_TIMEOUT
    ) -> List[Email]:
        """Returns as soon as `count` e-mails exist, newest first."""
        return wait_for_rows("e-mails", given(to=to), count, timeout, self._page)

    def get(self, email_id: str) -> WholeEmail:
        """Returns a whole e-mail with its HTML."""
        return self._call("getEmail", path={**self._id, "emailId": email_id})

    def eml(self, email_id: str) -> bytes:
        """Returns an e-mail in the format of mail programs (RFC 822)."""
        return self._control.send("getEmailFile", path={**self._id, "emailId": email_id}).content

    def attachment(self, email_id: str, index: int) -> bytes:
        """Returns the bytes of an attachment; `index` counts from 0."""
        path = {**self._id, "emailId": email_id, "index": index}
        return self._control.send("getEmailAttachment", path=path).content

    def _page(self, query: dict[str, Any]) -> ListEmailsResult:
        return self._call("listEmails", path=self._id, query=query)


class Requests(Part):
    """The request journal. Call it to list requests: `workspace.requests(status="4xx")`."""

    def __call__(
        self,
        *,
        interface: InterfaceName | None = None,
        operation: str | None = None,
        method: str | None = None,
        path: str | None = None,
        status: int | str | None = None,
        body: str | None = None,
        caller: str | None = None,
        limit: int | None = None,
    ) -> List[JournalEntry]:
        """Lists requests, newest first; 25 unless `limit` is given.

        `status` may be "4xx"; `body` is a text in either body, in any case; `caller` is the X-Sim-Caller of the call.
        """
        return self._page(_filter(interface, operation, method, path, status, body, caller, limit))["data"]

    list = __call__

    def wait(
        self,
        *,
        interface: InterfaceName | None = None,
        operation: str | None = None,
        method: str | None = None,
        path: str | None = None,
        status: int | str | None = None,
        body: str | None = None,
        caller: str | None = None,
        count: int = 1,
        timeout: float = DEFAULT_TIMEOUT,
    ) -> List[JournalEntry]:
        """Returns as soon as `count` requests were made, newest first."""
        query = _filter(interface, operation, method, path, status, body, caller, None)
        return wait_for_rows("requests", query, count, timeout, self._page)

    def get(self, request_id: str, *, assumed: bool | None = None) -> WholeJournalEntry:
        """Returns a request with its hints and effects.

        With `assumed`, also what the specification leaves open about the operation.
        """
        query = given(assumed=assumed)
        return self._call("getRequest", path={**self._id, "requestId": request_id}, query=query)

    def curl(self, request_id: str) -> str:
        """Returns a request as a shell command."""
        return self._text(request_id, "curl")

    def har(self, request_id: str) -> dict[str, Any]:
        """Returns a request as an HTTP archive (HAR 1.2)."""
        archive: dict[str, Any] = json.loads(self._text(request_id, "har"))
        return archive

    def clear(self) -> None:
        """Deletes all entries."""
        self._call("deleteRequests", path=self._id)

    def _text(self, request_id: str, form: str) -> str:
        path = {**self._id, "requestId": request_id}
        return self._control.send("getRequest", path=path, query={"as": form}).text

    def _page(self, query: dict[str, Any]) -> ListRequestsResult:
        return self._call("listRequests", path=self._id, query=query)


def _filter(
    interface: str | None,
    operation: str | None,
    method: str | None,
    path: str | None,
    status: int | str | None,
    body: str | None,
    caller: str | None,
    limit: int | None,
) -> dict[str, Any]:
    return given(
        interface=interface,
        operation=operation,
        method=method,
        path=path,
        status=status,
        body=body,
        caller=caller,
        limit=limit,
    )
