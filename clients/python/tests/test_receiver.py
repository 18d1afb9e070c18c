"""The webhook receiver."""

from __future__ import annotations

import hashlib
import hmac
import socket
import threading
from urllib.parse import urlsplit

import httpx
import pytest

from suite_simulator import (
    NewWorkspace,
    SimulatorError,
    Webhook,
    WebhookReceiver,
    verify_signature,
)

BODY = b'{"id":"evt_1","event":"sale.completed","data":{"total":"1.00"}}'


def sign(body: bytes, secret: str) -> dict[str, str]:
    signature = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return {"X-Service-Signature": f"sha256={signature}", "X-Service-Event": "sale.completed"}


def send(
    receiver: WebhookReceiver, body: bytes = BODY, headers: dict[str, str] | None = None
) -> int:
    return httpx.post(receiver.url, content=body, headers=headers, timeout=30).status_code


def emit(workspace: NewWorkspace, event: str = "sale.completed") -> None:
    workspace.trigger("pos.event.emit", event=event)  # type: ignore[call-overload]


class TestWebhooks:
    def test_of_a_subscription_are_verified(
        self, workspace: NewWorkspace, receiver: WebhookReceiver
    ) -> None:
        created = receiver.subscribe(workspace, interface="pos", events=["sale.completed"])
        assert created["url"] == receiver.url
        emit(workspace, "sale.cancelled")
        emit(workspace)
        webhook = receiver.next("sale.completed")
        assert (webhook.event, webhook.verified, webhook.status) == ("sale.completed", True, 200)
        assert webhook.attempt == 1
        assert webhook.payload["data"] == webhook.data
        assert webhook.payload["id"] == webhook.id
        assert webhook.headers["x-service-event"] == "sale.completed"
        signature = webhook.headers["x-service-signature"]
        assert verify_signature(webhook.body, signature, created["secret"])
        workspace.deliveries.wait(event="sale.completed")
        assert receiver.received == [webhook]

    def test_are_sent_again_until_they_are_accepted(
        self, workspace: NewWorkspace, receiver: WebhookReceiver
    ) -> None:
        receiver.subscribe(workspace, interface="pos", secret="a-long-secret-of-the-test")
        receiver.answer_with(lambda webhook: 503 if webhook.attempt == 1 else 200)
        emit(workspace)
        receiver.wait(1)
        workspace.clock.advance("PT1M")
        first, second = receiver.wait(2, "sale.completed")
        assert [(each.attempt, each.status) for each in (first, second)] == [(1, 503), (2, 200)]
        assert first.id == second.id
        (delivery,) = workspace.deliveries.wait(count=1)
        assert [each["status"] for each in delivery["attempts"]] == [503, 200]
        workspace.deliveries.redeliver(delivery["id"])
        assert receiver.wait(3)[2].id == first.id
        assert workspace.deliveries.redeliver_all() == 0
        workspace.deliveries.wait(count=1)
        assert workspace.deliveries.redeliver_all(status="delivered", event="sale.completed") == 1
        assert receiver.wait(4)[3].id == first.id
        sent = workspace.deliveries.sample(interface="pos", event="sale.completed")
        assert sent["deliveries"][0] in [each["id"] for each in workspace.deliveries.list()]

    @pytest.mark.workspace(readings={"conversations.webhook_payload": "flat"}, fixtures="small")
    def test_without_an_envelope_are_read(
        self, workspace: NewWorkspace, receiver: WebhookReceiver
    ) -> None:
        receiver.subscribe(workspace, interface="conversations")
        inbox = workspace.records.list("conversations.inboxes")["data"][0]["id"]
        workspace.trigger(
            "conversations.message.receive",
            inbox_id=int(inbox),
            content="Hello",
            contact={"name": "Ana Ruiz", "email": "ana@example.com"},
        )
        # The inbox answers too, and deliveries have no order.
        webhook = receiver.next("message_created")
        while webhook.payload["content"] != "Hello":
            webhook = receiver.next("message_created")
        assert webhook.data == webhook.payload
        assert webhook.id == webhook.headers["x-service-delivery"]

    @pytest.mark.parametrize("fault", ["wrong_signature", "truncate"])
    def test_with_faults_are_recognized(
        self, workspace: NewWorkspace, receiver: WebhookReceiver, fault: str
    ) -> None:
        receiver.subscribe(workspace, interface="pos")
        workspace.faults.add(delivery=fault, times=1)  # type: ignore[arg-type]
        emit(workspace)
        workspace.clock.advance("PT1M")
        assert receiver.next().attempt == 2
        first, second = receiver.received
        assert (first.verified, first.status) == (False, 401)
        assert (second.verified, second.status) == (True, 200)
        assert (first.payload == {}) is (fault == "truncate")
        (delivery,) = workspace.deliveries.wait()
        assert [each["status"] for each in delivery["attempts"]] == [401, 200]


class TestSignatures:
    def test_are_checked_once_there_is_a_secret(self, receiver: WebhookReceiver) -> None:
        assert send(receiver) == 200
        assert receiver.next().verified is None
        receiver.trust("first")
        receiver.trust("second")
        for secret in ("first", "second"):
            assert send(receiver, BODY, sign(BODY, secret)) == 200
            assert receiver.next().verified is True
        assert send(receiver, BODY, sign(BODY, "third")) == 401
        assert send(receiver) == 401
        assert send(receiver, BODY + b" ", sign(BODY, "first")) == 401
        assert [each.verified for each in receiver.received[3:]] == [False] * 3
        with pytest.raises(SimulatorError) as caught:
            receiver.next(timeout=0.05)
        assert caught.value.code == "timeout"
        assert "sale.completed (wrong signature)" in str(caught.value)

    @pytest.mark.parametrize("secret", ["only", ["other", "only"]])
    def test_can_be_given_at_the_start(self, secret: str | list[str]) -> None:
        with WebhookReceiver(secret=secret, answer=202) as receiver:
            assert send(receiver) == 401
            assert send(receiver, BODY, sign(BODY, "only")) == 202

    def test_are_compared_as_bytes(self) -> None:
        assert verify_signature(BODY, sign(BODY, "é")["X-Service-Signature"], "é")
        assert verify_signature(BODY.decode(), sign(BODY, "s")["X-Service-Signature"], "s")
        for wrong in (None, "", "sha256=", "é", sign(BODY, "other")["X-Service-Signature"]):
            assert not verify_signature(BODY, wrong, "s")


class TestWaiting:
    def test_returns_each_webhook_once(self, receiver: WebhookReceiver) -> None:
        for number in range(3):
            event = "sale.completed" if number == 1 else "other"
            send(receiver, BODY, {"X-Service-Event": event, "X-Service-Delivery": str(number)})
        assert receiver.next("sale.completed").headers["x-service-delivery"] == "1"
        assert receiver.next().headers["x-service-delivery"] == "0"
        assert receiver.next().headers["x-service-delivery"] == "2"
        assert len(receiver.wait(3)) == 3
        assert len(receiver.wait(2, "other")) == 2
        receiver.clear()
        with pytest.raises(SimulatorError) as caught:
            receiver.wait(2, "other", timeout=0.05)
        expected = "Waited 0.05 s for 2 webhooks other. Received in all: nothing."
        assert str(caught.value) == expected

    def test_returns_as_soon_as_a_webhook_arrives(
        self, receiver: WebhookReceiver, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        is_waiting = threading.Event()
        wait = receiver._changed.wait

        def announced(timeout: float) -> bool:
            # The receiver takes no webhook until `wait` has released the lock.
            is_waiting.set()
            return wait(timeout)

        def send_later() -> None:
            if is_waiting.wait(60):
                send(receiver)

        monkeypatch.setattr(receiver._changed, "wait", announced)
        sender = threading.Thread(target=send_later)
        sender.start()
        assert receiver.next("sale.completed", timeout=60).data == {"total": "1.00"}
        sender.join()


class TestAnswers:
    def test_of_a_function_that_fails_are_raised(self, receiver: WebhookReceiver) -> None:
        def answer(webhook: Webhook) -> int:
            raise ValueError(webhook.event)

        receiver.answer_with(answer)
        with pytest.raises(httpx.TransportError):
            send(receiver)
        with pytest.raises(ValueError, match="sale.completed"):
            receiver.next(timeout=60)
        receiver.check()
        assert receiver.received == []
        receiver.answer_with(204)
        assert send(receiver) == 204

    @pytest.mark.parametrize("answer", [199, 600, True, "200", None])
    def test_must_be_statuses(self, receiver: WebhookReceiver, answer: int) -> None:
        with pytest.raises(TypeError, match="a status from 200 to 599"):
            receiver.answer_with(answer)
        receiver.answer_with(lambda webhook: answer)
        with pytest.raises(httpx.TransportError):
            send(receiver)
        with pytest.raises(TypeError, match="a status from 200 to 599"):
            receiver.check()


class TestServer:
    def test_listens_on_loopback_only(self, receiver: WebhookReceiver) -> None:
        assert receiver.url.startswith("http://127.0.0.1:")
        assert receiver._server.server_address[0] == "127.0.0.1"

    def test_has_another_host_name_and_listens_on_the_network(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with WebhookReceiver(hostname="localhost") as receiver:
            assert receiver.url.startswith("http://localhost:")
            assert receiver._server.server_address[0] == "0.0.0.0"
        monkeypatch.setenv("SUITE_SIM_WEBHOOK_HOST", "tests")
        with WebhookReceiver() as receiver:
            assert receiver.url.startswith("http://tests:")

    def test_stops_listening_and_may_be_closed_twice(self) -> None:
        with WebhookReceiver() as receiver:
            assert send(receiver) == 200
            receiver.close()
        with pytest.raises(httpx.ConnectError):
            send(receiver)

    @pytest.mark.parametrize("method", ["GET", "PUT", "PATCH", "DELETE", "HEAD"])
    def test_accepts_every_method(self, receiver: WebhookReceiver, method: str) -> None:
        assert httpx.request(method, receiver.url).status_code == 200
        assert receiver.next().body == ""

    @pytest.mark.parametrize("body", [b"", b"[1]", b"\xff\xfe", b"[" * 100_000, b'{"data": 1}'])
    def test_keeps_the_text_of_other_bodies(self, receiver: WebhookReceiver, body: bytes) -> None:
        assert send(receiver, body) == 200
        webhook = receiver.next()
        assert webhook.body == body.decode(errors="replace")
        assert (webhook.id, webhook.event, webhook.attempt) == ("", "", 1)

    @pytest.mark.parametrize("length", [str(16 * 1_048_576 + 1), "-1", "many"])
    def test_refuses_bodies_without_a_usable_length(
        self, receiver: WebhookReceiver, length: str
    ) -> None:
        assert raw(receiver, f"content-length: {length}\r\n").startswith(b"HTTP/1.0 413")
        assert receiver.received == []

    def test_ignores_bodies_that_end_early(self, receiver: WebhookReceiver) -> None:
        assert raw(receiver, "content-length: 10\r\n") == b""
        assert receiver.received == []


def raw(receiver: WebhookReceiver, headers: str) -> bytes:
    """Sends a request without a body, and returns the response."""
    address = urlsplit(receiver.url)
    place = (address.hostname, address.port or 80)
    with socket.create_connection(place, timeout=30) as connection:
        connection.sendall(f"POST /webhooks HTTP/1.1\r\nhost: test\r\n{headers}\r\n".encode())
        connection.shutdown(socket.SHUT_WR)
        return connection.makefile("rb").read()
