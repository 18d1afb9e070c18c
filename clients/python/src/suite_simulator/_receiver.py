"""A webhook receiver for tests: it verifies signatures, records webhooks and lets a test wait for them."""

from __future__ import annotations

import hashlib
import hmac
import json
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Protocol, TypeVar, Union

from ._errors import SimulatorError, is_simulator_error
from ._generated import CreatedSubscription, InterfaceName
from ._messages import AnyEvent
from ._values import variable
from ._waiting import DEFAULT_TIMEOUT

__tracebackhide__ = is_simulator_error

LOOPBACK = "127.0.0.1"

# More than any webhook has.
_LONGEST_BODY = 16 * 1_048_576

# Ends requests that never send their body.
_CONNECTION_TIMEOUT = 60


# Compared by identity: two attempts may be equal.
@dataclass(frozen=True, eq=False)
class Webhook:
    """A received webhook."""

    #: The same id in every attempt: that of the envelope, or else of the delivery.
    id: str
    event: str
    #: The event data; the whole body if it has no envelope.
    data: dict[str, Any]
    #: The whole body: `{id, event, createdAt, data}`, or the fields of the record under other readings.
    payload: dict[str, Any]
    #: The signed bytes, as text.
    body: str
    #: With names in lower case.
    headers: dict[str, str]
    #: The number of the attempt, from 1.
    attempt: int
    #: Whether one of the secrets signed it; None for a receiver without secrets.
    verified: bool | None
    #: The response status; 0 while a function determines it.
    status: int = 0


#: A response status, or a function that returns it for a webhook.
Answer = Union[int, Callable[[Webhook], int]]

Picked = TypeVar("Picked")


class _Subscriptions(Protocol):
    def create(
        self,
        *,
        interface: InterfaceName,
        url: str,
        events: Sequence[AnyEvent] | None = None,
        secret: str | None = None,
    ) -> CreatedSubscription: ...


class _Subscribing(Protocol):
    @property
    def subscriptions(self) -> _Subscriptions: ...


def verify_signature(body: str | bytes, signature: str | None, secret: str) -> bool:
    """Checks `signature` (the header X-Service-Signature).

    It is "sha256=" and the hex HMAC-SHA256 of the body's bytes with the secret of the subscription.
    All interfaces sign in this way.
    """
    signed = body.encode() if isinstance(body, str) else body
    expected = f"sha256={hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()}"
    return hmac.compare_digest(expected.encode(), (signature or "").encode())


class WebhookReceiver:
    """Receives webhooks until it is closed: `with WebhookReceiver() as receiver:`.

    It listens on 127.0.0.1. With `hostname` (SUITE_SIM_WEBHOOK_HOST by default), the host name of
    this machine for a simulator elsewhere, it listens on the network.
    """

    def __init__(
        self,
        *,
        secret: str | Iterable[str] = (),
        answer: Answer = 200,
        port: int = 0,
        hostname: str | None = None,
    ) -> None:
        host = hostname or variable("SUITE_SIM_WEBHOOK_HOST")
        #: All received webhooks in order: every attempt, and those with a wrong signature.
        self.received: list[Webhook] = []
        self._secrets = {secret} if isinstance(secret, str) else {*secret}
        self._answer = _checked(answer)
        self._returned: set[Webhook] = set()
        self._error: BaseException | None = None
        self._changed = threading.Condition()
        self._server = _Server((LOOPBACK if host is None else "0.0.0.0", port), self._take)
        #: The URL for subscriptions: "http://127.0.0.1:49152/webhooks".
        self.url = f"http://{host or LOOPBACK}:{self._server.server_port}/webhooks"
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        )
        self._thread.start()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.url}>"

    def __enter__(self) -> WebhookReceiver:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def trust(self, secret: str) -> None:
        """Accepts webhooks that this secret signed, too."""
        with self._changed:
            self._secrets.add(secret)

    def subscribe(
        self,
        workspace: _Subscribing,
        *,
        interface: InterfaceName,
        events: Sequence[AnyEvent] | None = None,
        secret: str | None = None,
    ) -> CreatedSubscription:
        """Subscribes the receiver in a workspace, and trusts its secret."""
        created = workspace.subscriptions.create(
            interface=interface, url=self.url, events=events, secret=secret
        )
        self.trust(created["secret"])
        return created

    def answer_with(self, answer: Answer) -> None:
        """Sets the response from now on: a status, or a function of the webhook.

        If the function raises, the webhook gets no response, and `next`, `wait` and `check` raise the
        error.
        """
        self._answer = _checked(answer)

    def next(self, event: AnyEvent | None = None, *, timeout: float = DEFAULT_TIMEOUT) -> Webhook:
        """Returns the first webhook, past or future, that no earlier `next()` returned."""

        def first(matching: list[Webhook]) -> Webhook | None:
            found = next((each for each in matching if each not in self._returned), None)
            if found is not None:
                self._returned.add(found)
            return found

        return self._until("another webhook", event, timeout, first)

    def wait(
        self, count: int, event: AnyEvent | None = None, *, timeout: float = DEFAULT_TIMEOUT
    ) -> list[Webhook]:
        """Returns the first `count` webhooks, including those that `next()` returned."""

        def enough(matching: list[Webhook]) -> list[Webhook] | None:
            return matching[:count] if len(matching) >= count else None

        return self._until(f"{count} webhooks", event, timeout, enough)

    def clear(self) -> None:
        """Deletes all received webhooks."""
        with self._changed:
            self.received.clear()
            self._returned.clear()

    def check(self) -> None:
        """Raises the error of the answer function if it failed and nothing has raised it yet."""
        with self._changed:
            error, self._error = self._error, None
        if error is not None:
            raise error

    def close(self) -> None:
        """Stops listening. Does nothing if it is closed."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _until(
        self,
        what: str,
        event: str | None,
        timeout: float,
        pick: Callable[[list[Webhook]], Picked | None],
    ) -> Picked:
        """Returns the first pick of the matching webhooks; those with a wrong signature never match."""
        end = time.monotonic() + timeout
        while True:
            self.check()
            with self._changed:
                matching = [
                    each
                    for each in self.received
                    if each.verified is not False and event in (None, each.event)
                ]
                picked = pick(matching)
                if picked is not None:
                    return picked
                left = end - time.monotonic()
                if left <= 0:
                    raise self._timeout_error(what, event, timeout)
                if self._error is None:
                    self._changed.wait(left)

    def _timeout_error(self, what: str, event: str | None, timeout: float) -> SimulatorError:
        received = [
            each.event + (" (wrong signature)" if each.verified is False else "")
            for each in self.received
        ]
        wanted = what if event is None else f"{what} {event}"
        return SimulatorError(
            "timeout",
            f"Waited {timeout:g} s for {wanted}. Received in all: {', '.join(received) or 'nothing'}.",
        )

    def _take(self, body: bytes, headers: dict[str, str], respond: Callable[[int], None]) -> None:
        """Takes a request in a thread of the server."""
        webhook = _read(body, headers, self._verify(body, headers.get("x-service-signature")))
        try:
            answer = 401 if webhook.verified is False else self._answer
            status = answer if isinstance(answer, int) else _checked_status(answer(webhook))
        except BaseException as error:  # Failed assertions and pytest.fail() too.
            with self._changed:
                self._error = self._error or error
                self._changed.notify_all()
            return
        with self._changed:
            self.received.append(replace(webhook, status=status))
        # The sender must not see the response before `received` has the webhook.
        try:
            respond(status)
        finally:
            with self._changed:
                self._changed.notify_all()

    def _verify(self, body: bytes, signature: str | None) -> bool | None:
        with self._changed:
            secrets = [*self._secrets]
        return any(verify_signature(body, signature, each) for each in secrets) if secrets else None


def _checked(answer: Answer) -> Answer:
    return answer if callable(answer) else _checked_status(answer)


def _checked_status(status: object) -> int:
    if isinstance(status, bool) or not isinstance(status, int) or not 200 <= status <= 599:
        raise TypeError(f"an answer must be a status from 200 to 599, or a function, not {status!r}")
    return int(status)


def _read(body: bytes, headers: dict[str, str], verified: bool | None) -> Webhook:
    """Parses a webhook. A truncated body is no JSON; only its text is kept."""
    text = body.decode(errors="replace")
    payload = _parse_object(text)
    identity, event, data = payload.get("id"), payload.get("event"), payload.get("data")
    attempt = headers.get("x-service-attempt", "")
    return Webhook(
        # The id of a flat body is that of its record, a number.
        id=identity if isinstance(identity, str) else headers.get("x-service-delivery", ""),
        event=headers.get("x-service-event") or (event if isinstance(event, str) else ""),
        data=data if isinstance(data, dict) else payload,
        payload=payload,
        body=text,
        headers=headers,
        attempt=int(attempt) if attempt.isdecimal() else 1,
        verified=verified,
    )


def _parse_object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(
        self,
        address: tuple[str, int],
        take: Callable[[bytes, dict[str, str], Callable[[int], None]], None],
    ) -> None:
        self.take = take
        super().__init__(address, _Handler)

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignores broken connections: the sender reports them in its deliveries."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    timeout = _CONNECTION_TIMEOUT

    def _handle(self) -> None:
        length = self.headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > _LONGEST_BODY:
            self.send_error(413)
            return
        body = self.rfile.read(int(length))
        if len(body) < int(length):
            return
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.take(body, headers, self._respond)

    do_DELETE = do_GET = do_HEAD = do_PATCH = do_POST = do_PUT = _handle

    def _respond(self, status: int) -> None:
        self.send_response_only(status)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Writes nothing: the output of a test belongs to the test."""
