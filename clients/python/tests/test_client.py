"""The client of the control plane."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import date, datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from suite_simulator import (
    NewWorkspace,
    SimulatorClient,
    SimulatorError,
    connect,
    start_simulator,
)
from suite_simulator._generated import INTERFACES
from suite_simulator._server import _command
from suite_simulator._values import duration, instant

FROZEN = "2026-03-01T09:00:00.000Z"


def new_link(workspace: NewWorkspace, **fields: object) -> str:
    order = {"amount": 1250, "currency": "USD", "description": "Standing desk", **fields}
    response = workspace.post("payments", "/payment-links", json=order)
    assert response.status_code == 201, response.text
    link_id: str = response.json()["data"]["id"]
    return link_id


class TestConnect:
    def test_uses_the_variables(
        self, suite_simulator: SimulatorClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("SUITE_SIM_URL", f"{suite_simulator.url}/")
        monkeypatch.setenv("SIM_ADMIN_TOKEN", suite_simulator.admin_token or "")
        with connect() as simulator:
            assert simulator.url == suite_simulator.url
            assert simulator.admin_url == f"{suite_simulator.url}/_sim"
            assert simulator.health()["status"] == "ok"
            assert simulator.ready()["status"] == "ok"

    def test_reports_the_url_if_no_server_responds(self) -> None:
        with pytest.raises(SimulatorError) as caught:
            connect("http://127.0.0.1:9")
        assert (caught.value.code, caught.value.status) == ("unreachable", None)
        assert str(caught.value).startswith("No simulator responds at http://127.0.0.1:9/_sim: ")

    @pytest.mark.parametrize(
        ("status", "body"),
        [(200, '{"status":"up"}'), (200, "hello"), (404, "not here"), (500, '{"error":"no"}')],
    )
    def test_reports_another_server(self, status: int, body: str) -> None:
        with answering(status, body) as url, pytest.raises(SimulatorError) as caught:
            connect(url)
        assert caught.value.code == "unexpected_answer"

    @pytest.mark.parametrize("url", ["127.0.0.1:4012", "ftp://127.0.0.1", "simulator", "http://"])
    def test_refuses_what_is_no_url(self, url: str) -> None:
        with pytest.raises(ValueError, match="must be a URL that starts with http:// or https://"):
            connect(url)

    def test_ignores_proxies_for_a_server_of_this_machine(
        self, suite_simulator: SimulatorClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
        with connect(suite_simulator.url) as simulator:
            assert simulator.health()["status"] == "ok"


class answering:
    """A server that gives every request the same answer."""

    def __init__(self, status: int, body: str, headers: dict[str, str] | None = None) -> None:
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(status)
                for name, value in (headers or {}).items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body.encode())

            def log_message(self, format: str, *args: object) -> None:
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(
            target=self.server.serve_forever, kwargs={"poll_interval": 0.02}
        )

    def __enter__(self) -> str:
        self.thread.start()
        return f"http://127.0.0.1:{self.server.server_port}"

    def __exit__(self, *error: object) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


class TestStart:
    def test_stops_with_its_block_and_can_be_reset(self) -> None:
        with start_simulator("--fixtures", "none", admin_token="open-sesame") as simulator:
            assert simulator.admin_token == "open-sesame"
            simulator.workspaces.create()
            simulator.reset()
            assert simulator.workspaces.list() == []
            for token in ("", "wrong"):
                with connect(simulator.url, admin_token=token) as other:
                    with pytest.raises(SimulatorError) as caught:
                        other.workspaces.list()
                    assert caught.value.status == 401
        assert simulator.output().endswith("(ended with exit code 0)")
        with pytest.raises(SimulatorError, match="No simulator responds"):
            connect(simulator.url)

    def test_listens_on_loopback_whatever_the_environment_says(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("HOST", "0.0.0.0")
        monkeypatch.setenv("SIM_PUBLIC_URL", "https://simulator.example")
        monkeypatch.setenv("LOG_LEVEL", "error")
        with start_simulator("--fixtures", "none", admin_token="") as simulator:
            assert simulator.url.startswith("http://127.0.0.1:")
            assert simulator.workspaces.list() == []

    def test_reports_an_unknown_flag(self) -> None:
        with pytest.raises(SimulatorError) as caught:
            start_simulator("--fixtuers", "none")
        assert caught.value.code == "start_failed"
        assert "--fixtures" in str(caught.value)
        assert "(ended with exit code 2)" in str(caught.value)

    def test_reports_a_command_that_never_gets_ready(self) -> None:
        with pytest.raises(SimulatorError, match="was not ready after 0.2 s"):
            start_simulator(command=["sh", "-c", "exec sleep 60"], timeout=0.2)

    @pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
    def test_ends_with_a_signal_that_ends_its_program(
        self, number: signal.Signals, tmp_path: Path
    ) -> None:
        alive = tmp_path / "alive"
        os.mkfifo(alive)
        holding = shlex.join(["sh", "-c", 'exec "$@" 3>"$ALIVE"', "sh", *_command(None)])
        program = (
            "import signal, suite_simulator as library;"
            " simulator = library.start_simulator('--fixtures', 'none');"
            " print('started', flush=True); signal.pause()"
        )
        variables = {**os.environ, "SUITE_SIM_COMMAND": holding, "ALIVE": str(alive)}
        with subprocess.Popen(
            [sys.executable, "-c", program],
            env=variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        ) as child:
            # The server has the other end open until it ends.
            with alive.open() as held:
                assert child.stdout is not None
                assert child.stdout.readline() == "started\n"
                child.send_signal(number)
                assert child.wait() == -number
                assert held.read() == ""

    def test_finds_the_command(
        self, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        folder = tmp_path_factory.mktemp("programs")
        program = folder / "suite-sim"
        program.write_text('#!/bin/sh\necho "called with $*"\n')
        program.chmod(0o755)
        monkeypatch.delenv("SUITE_SIM_COMMAND", raising=False)
        monkeypatch.setenv("PATH", str(folder))
        with pytest.raises(SimulatorError, match="called with serve --port 0 --db :memory: --seed ci"):
            start_simulator("--seed", "ci")
        program.rename(folder / "npx")
        with pytest.raises(SimulatorError, match="with --offline --no-install suite-sim serve"):
            start_simulator()
        (folder / "npx").unlink()
        with pytest.raises(SimulatorError, match="neither suite-sim nor npx is on the PATH"):
            start_simulator()
        monkeypatch.setenv("SUITE_SIM_COMMAND", "/bin/sh -c 'echo chosen; exit 1'")
        with pytest.raises(SimulatorError, match="\nchosen\n"):
            start_simulator()


class TestSimulator:
    def test_describes_itself(self, suite_simulator: SimulatorClient) -> None:
        simulator = suite_simulator
        assert "payments.link.pay" in [each["name"] for each in simulator.triggers()]
        assert len(simulator.machines.list()) > 10
        assert simulator.machines.get("payments.link")["name"] == "payments.link"
        assert len(simulator.readings()) > 3
        assert simulator.observed() == {"data": [], "ignored": []}
        assert len(simulator.coverage()["operations"]) > 100
        assert "stateDiagram" in simulator.coverage(format="mermaid")
        assert "# HELP" in simulator.metrics()
        assert simulator.openapi("pos")["openapi"] == "3.1.0"
        assert simulator.openapi()["openapi"] == "3.1.0"

    def test_lists_calls_without_a_workspace(
        self, suite_simulator: SimulatorClient, workspace: NewWorkspace
    ) -> None:
        workspace.with_key("unknown").get("crm", "/contacts")
        newest = suite_simulator.unmatched(limit=1, wait=5, count=1)[0]
        assert (newest["path"], newest["status"]) == ("/crm/v1/contacts", 401)

    def test_calls_any_operation(
        self, suite_simulator: SimulatorClient, workspace: NewWorkspace
    ) -> None:
        call = suite_simulator.call
        assert call("getWorkspace", path={"id": workspace.id})["id"] == workspace.id
        assert call("receiveWebhook")["received"] is True
        archive = call("listRequests", path={"id": workspace.id}, query={"as": "har"})
        assert "log" in archive
        with pytest.raises(ValueError, match="no operation 'getClok'; did you mean 'getClock'"):
            call("getClok", path={"id": workspace.id})  # type: ignore[call-overload]


class TestErrors:
    def test_have_code_status_and_details(self, suite_simulator: SimulatorClient) -> None:
        with pytest.raises(SimulatorError) as caught:
            suite_simulator.workspaces.create(currency="dollars")
        error = caught.value
        assert (error.code, error.status) == ("validation_error", 400)
        assert error.message == str(error)
        assert error.details[0]["field"] == "currency"

    @pytest.mark.parametrize("value", ["", ".", "..", "\ud800", None, 1.5])
    def test_of_path_values_come_before_the_call(
        self, suite_simulator: SimulatorClient, value: str
    ) -> None:
        with pytest.raises(SimulatorError) as caught:
            suite_simulator.workspaces.delete(value)
        assert (caught.value.code, caught.value.status) == ("validation_error", None)
        assert caught.value.details[0]["field"] == "id"


class TestWorkspaces:
    def test_are_removed_after_their_block(self, suite_simulator: SimulatorClient) -> None:
        with suite_simulator.workspaces.create(name="Bakery", currency="PAB") as workspace:
            assert (workspace.name, workspace.currency) == ("Bakery", "PAB")
            assert workspace.user["id"]
        with pytest.raises(SimulatorError, match=workspace.id):
            workspace.settings()
        with suite_simulator.workspaces.create() as workspace:
            suite_simulator.workspaces.delete(workspace.id)

    def test_are_kept_if_they_existed(
        self, suite_simulator: SimulatorClient, workspace: NewWorkspace
    ) -> None:
        same = suite_simulator.workspaces.get(workspace.id)
        assert same.key == workspace.key
        workspace.keys.delete(workspace.key)
        other = suite_simulator.workspaces.get(workspace.id)
        assert other.key != workspace.key
        assert other.get("payments", "/payment-links").status_code == 200

    def test_change_reset_and_clone(self, workspace: NewWorkspace) -> None:
        assert workspace.update(progression="manual", test_cards=False)["testCards"] is False
        new_link(workspace)
        with workspace.clone(name="Copy") as copy:
            assert copy.name == "Copy"
            assert len(copy.get("payments", "/payment-links").json()["data"]) == 1
        workspace.reset()
        assert workspace.get("payments", "/payment-links").json()["data"] == []


class TestInterfaces:
    def test_get_the_key_in_their_header(self, workspace: NewWorkspace) -> None:
        for name in INTERFACES:
            assert workspace.url_of(name).endswith(INTERFACES[name].base_path)  # type: ignore[arg-type]
            response = workspace.get(name, "/")  # type: ignore[arg-type]
            assert response.status_code == 404, (name, response.text)
        keys = {value for name in INTERFACES for value in workspace.headers_of(name).values()}  # type: ignore[arg-type]
        assert keys == {workspace.key, f"Bearer {workspace.key}"}

    def test_get_every_method(self, workspace: NewWorkspace) -> None:
        body = {"name": "Desk", "type": "physical", "basePrice": "449.00"}
        created = workspace.fetch("catalog", "/products", json=body)
        assert created.status_code == 201
        path = f"/products/{created.json()['data']['id']}"
        assert workspace.fetch("catalog", path).json()["data"]["name"] == "Desk"
        assert workspace.patch("catalog", path, json={"name": "Shelf"}).status_code == 405
        assert workspace.put("catalog", path, json={"name": "Shelf"}).status_code == 200
        assert workspace.delete("catalog", path).is_success
        methods = [each["method"] for each in workspace.requests()]
        assert methods == ["DELETE", "PUT", "PATCH", "GET", "POST"]

    def test_are_checked(self, workspace: NewWorkspace) -> None:
        with pytest.raises(ValueError, match="no interface 'paymants'; did you mean 'payments'"):
            workspace.get("paymants", "/payment-links")  # type: ignore[arg-type]
        for path in ("products", "/../x", "/a/..", "/%2e%2E/x", "/a\\..\\x", "/.\t./x"):
            with pytest.raises(ValueError, match="path must"):
                workspace.get("catalog", path)
        with pytest.raises(TypeError, match="jsno"):
            workspace.post("catalog", "/products", jsno={})
        assert workspace.requests() == []

    def test_report_a_server_that_does_not_respond(self, workspace: NewWorkspace) -> None:
        other = SimulatorClient("http://127.0.0.1:9")
        gone = type(workspace).with_key(workspace, "any")
        gone._control = other._control
        with pytest.raises(SimulatorError, match="No simulator responds at http://127.0.0.1:9: "):
            gone.get("pos", "/orders")
        other.close()


class TestClock:
    def test_takes_texts_dates_and_durations(self, workspace: NewWorkspace) -> None:
        clock = workspace.clock
        assert clock.freeze(FROZEN) == {"now": FROZEN, "frozen": True}
        assert clock.now() == datetime(2026, 3, 1, 9, tzinfo=timezone.utc)
        assert clock.advance("P1D")["now"] == "2026-03-02T09:00:00.000Z"
        advanced = clock.advance(timedelta(days=1, minutes=1, milliseconds=500), wait_ms=0)
        assert advanced["now"] == "2026-03-03T09:01:00.500Z"
        assert clock.set(datetime(2026, 4, 1, tzinfo=timezone.utc))["now"].startswith("2026-04-01T00")
        assert clock.set(frozen=False)["frozen"] is False

    @pytest.mark.workspace(timezone="America/Panama")
    def test_takes_times_without_a_zone_as_local_ones(self, workspace: NewWorkspace) -> None:
        now = workspace.clock.freeze(datetime(2026, 3, 1, 9))["now"]
        assert now == "2026-03-01T14:00:00.000Z"
        assert workspace.clock.set(date(2026, 3, 2))["now"] == "2026-03-02T05:00:00.000Z"

    def test_lists_due_jobs(self, workspace: NewWorkspace) -> None:
        workspace.clock.freeze(FROZEN)
        link = new_link(workspace, expires_at="2026-03-02T09:00:00Z")
        assert workspace.clock.due()[0]["job"] == "payments.link.expire"
        workspace.clock.advance(timedelta(days=1))
        assert workspace.records.get("payments.links", link)["state"] == "expired"

    def test_converts_values(self) -> None:
        assert duration(timedelta()) == "PT0S"
        assert duration(timedelta(days=3, microseconds=250_000)) == "PT259200.25S"
        with pytest.raises(ValueError, match="zero or more"):
            duration(timedelta(seconds=-1))
        with pytest.raises(TypeError, match="timedelta"):
            duration(60)  # type: ignore[arg-type]
        assert instant(date(2026, 3, 1)) == "2026-03-01"


class TestRecords:
    def test_are_listed_read_and_waited_for(self, workspace: NewWorkspace) -> None:
        first, second = new_link(workspace), new_link(workspace)
        counts = {each["section"]: each["count"] for each in workspace.records.sections()}
        assert counts["payments.links"] == 2
        page = workspace.records.list("payments.links", limit=1)
        rest = workspace.records.list("payments.links", cursor=page["nextCursor"])
        assert {each["id"] for each in page["data"] + rest["data"]} == {first, second}

        paying = threading.Timer(0.1, workspace._trigger, ["payments.link.pay"], {"link_id": first})
        paying.start()
        paid = workspace.records.wait("payments.links", first, until="status:paid")
        paying.join()
        assert [each["move"] for each in paid["history"]][-1:] == ["pay"]

        with pytest.raises(SimulatorError) as caught:
            workspace.records.wait("payments.links", second, until="status:paid", timeout=0.1)
        assert caught.value.code == "timeout"
        expected = f"Waited 0.1 s for status of payments.links {second} to be paid; it is active."
        assert str(caught.value) == expected
        with pytest.raises(ValueError, match='"status:paid"'):
            workspace.records.wait("payments.links", second, until="status")

    def test_can_be_saved_and_restored(self, workspace: NewWorkspace) -> None:
        workspace.snapshots.save("empty")
        empty = workspace.snapshots.get()
        new_link(workspace)
        assert [each["name"] for each in workspace.snapshots.list()] == ["empty"]
        workspace.snapshots.restore("empty")
        assert workspace.get("payments", "/payment-links").json()["data"] == []
        new_link(workspace)
        workspace.snapshots.put(empty)
        assert workspace.get("payments", "/payment-links").json()["data"] == []
        workspace.snapshots.delete("empty")
        assert workspace.snapshots.list() == []


    def test_can_be_recorded(self, workspace: NewWorkspace) -> None:
        recording = workspace.record(name="A link")
        new_link(workspace)
        assert recording.get()["status"] == "recording"
        file = recording.stop()
        assert [step["kind"] for step in file["steps"]] == ["call"]
        assert [each["name"] for each in workspace.recordings.list()] == ["A link"]
        assert workspace.recordings.stop(recording.id) == file
        recording.delete()
        assert workspace.recordings.list() == []


class TestMessages:
    def test_requests_are_filtered_waited_for_and_exported(self, workspace: NewWorkspace) -> None:
        workspace.get("payments", "/payment-links")
        workspace.get("payments", "/payment-links/none")
        assert len(workspace.requests()) == 2
        (refused,) = workspace.requests(status="4xx", interface="payments")
        assert workspace.requests(body="no such text") == []
        assert workspace.requests(body="NOT_FOUND") == [refused]
        assert refused == workspace.requests.list(status=404)[0]
        assert workspace.requests.wait(path="/payment-links")[0]["status"] == 200
        whole = workspace.requests.get(refused["id"])
        assert (whole["hints"], whole["effects"]) == ([], [])
        listed = workspace.requests(operation="listPaymentLinks", limit=1)[0]["id"]
        assert workspace.requests.get(listed, assumed=True)["hints"] != []
        assert workspace.requests.curl(refused["id"]).startswith("curl ")
        assert workspace.requests.har(refused["id"])["log"]["version"] == "1.2"
        with pytest.raises(SimulatorError) as caught:
            workspace.requests.wait(status="5xx", count=2, timeout=0.1)
        waited = 'Waited 0.1 s for 2 requests {"status": "5xx"}; received 0. '
        assert str(caught.value).startswith(f"{waited}The newest")
        with pytest.raises(SimulatorError, match="received 0. Nobody is subscribed to sale.completed"):
            workspace.deliveries.wait(event="sale.completed", timeout=0.05)
        workspace.requests.clear()
        assert workspace.requests() == []

    def test_the_inbox_is_read_and_cleared(
        self, suite_simulator: SimulatorClient, workspace: NewWorkspace
    ) -> None:
        url = f"{suite_simulator.url}/_sim/receiver"
        subscription = workspace.subscriptions.create(interface="pos", url=url)
        workspace.trigger("pos.event.emit", event="stock.low")
        (entry,) = workspace.inbox.wait(event="stock.low", subscription=subscription["id"])
        assert entry["verified"]
        assert workspace.inbox.list(limit=5) == [entry]
        (delivery,) = workspace.deliveries.wait(subscription=subscription["id"])
        assert delivery["id"] == entry["deliveryId"]
        assert workspace.deliveries.list(subscription=subscription["id"]) == [delivery]
        workspace.inbox.clear()
        assert workspace.inbox.list() == []

    def test_emails_are_read(self, workspace: NewWorkspace) -> None:
        invited = {"name": "Ana Ruiz", "email": "ana@example.com", "role": "agent"}
        path = f"/accounts/{workspace.account_id}/agents"
        assert workspace.post("conversations", path, json=invited).is_success
        (email,) = workspace.emails.wait(to="ana@example.com")
        assert email == workspace.emails.list(limit=1)[0]
        assert workspace.emails.get(email["id"])["subject"] == email["subject"]
        assert b"To: " in workspace.emails.eml(email["id"])
        with pytest.raises(SimulatorError) as caught:
            workspace.emails.attachment(email["id"], 0)
        assert caught.value.status == 404

    def test_timeline_hints_and_coverage_are_read(self, workspace: NewWorkspace) -> None:
        new_link(workspace)
        workspace.get("payments", "/payment-links", params={"limt": 3})
        assert [each["code"] for each in workspace.hints()] == ["unknown_query_parameter"]
        assert len(workspace.hints(assumed=True)) > 1
        assert workspace.timeline(kind="request", limit=1)[0]["kind"] == "request"
        summary = workspace.coverage()["summary"]
        assert summary["operations"]["met"] == 2
        assert "createPaymentLink" in workspace.coverage(format="text")
        found = workspace.search("standing desk", limit=1)["data"]
        assert {each["kind"] for each in found} == {"request", "record"}
        assert workspace.counts()["calls"] == 2

    def test_records_are_found_and_changes_are_listed(self, workspace: NewWorkspace) -> None:
        link = new_link(workspace)
        assert [each["section"] for each in workspace.records.find(id=link)] == ["payments.links"]
        assert [each["id"] for each in workspace.records.find(text="standing")] == [link]
        assert workspace.changes()["summary"] == {"added": 1, "changed": 0, "removed": 0}
        workspace.snapshots.save("before")
        workspace.trigger("payments.link.pay", link_id=link)
        changed = workspace.changes(from_="before", section="payments.links")["data"]
        assert [(each["id"], each["change"]) for each in changed] == [(link, "changed")]

    def test_the_timeline_is_streamed(self, workspace: NewWorkspace) -> None:
        with workspace.stream() as items:
            new_link(workspace)
            live = next(item for item in items if item["kind"] == "request")
        assert live["title"].startswith("POST /pay/v1/payment-links")
        workspace.get("payments", "/refunds")
        with workspace.stream(after=live["id"]) as items:
            missed = next(item for item in items if item["kind"] == "request")
        assert missed["title"].startswith("GET /pay/v1/refunds")
        with pytest.raises(TypeError, match="with workspace.stream"):
            next(iter(workspace.stream()))


class TestFaults:
    def test_are_added_listed_and_deleted(self, workspace: NewWorkspace) -> None:
        fault = workspace.faults.add(interface="payments", status=503, times=1, delay_ms=1)
        assert (fault["status"], fault["delayMs"]) == (503, 1)
        assert workspace.get("payments", "/payment-links").status_code == 503
        assert workspace.get("payments", "/payment-links").status_code == 200
        other = workspace.faults.add(preset="outage")
        assert other["id"] in [each["id"] for each in workspace.faults.list()]
        workspace.faults.delete(other["id"])
        workspace.faults.clear()
        assert workspace.faults.list() == []

    def test_have_conditions_and_templates(self, workspace: NewWorkspace) -> None:
        body = {"seen": "{{request.query.limit}}"}
        workspace.faults.add(
            when={"query": {"limit": {"contains": "7"}}}, status=418, body=body, template=True
        )
        assert workspace.get("crm", "/contacts?limit=1").status_code == 200
        assert workspace.get("crm", "/contacts?limit=17").json() == {"seen": "17"}
        with pytest.raises(SimulatorError, match="case"):
            workspace.faults.add(case="declined", status=402)

    def test_are_limits_lags_and_random_delays(self, workspace: NewWorkspace) -> None:
        workspace.clock.freeze()
        workspace.faults.add(lag=timedelta(seconds=2), interface="catalog")
        workspace.post("catalog", "/products", json={"name": "Desk", "type": "physical"})
        assert workspace.get("catalog", "/products").json()["data"] == []
        workspace.clock.advance("PT2S")
        assert len(workspace.get("catalog", "/products").json()["data"]) == 1
        workspace.faults.add(limit={"calls": 1, "per": "PT1M"}, interface="crm")
        workspace.faults.add(delay_ms={"min": 0, "max": 5}, after=True, interface="crm")
        answers = [workspace.get("crm", "/contacts").status_code for _ in range(2)]
        assert answers == [200, 429]

    def test_hold_calls_until_they_are_released(self, workspace: NewWorkspace) -> None:
        fault = workspace.faults.add(hold=True, interface="catalog")
        with ThreadPoolExecutor() as threads:
            held = [threads.submit(workspace.get, "catalog", "/products") for _ in range(2)]
            waiting = workspace.faults.wait(fault["id"], count=2)
            assert workspace.faults.get(fault["id"])["waiting"] == waiting
            with pytest.raises(SimulatorError, match="for 3 calls that fault_.* holds; it holds 2"):
                workspace.faults.wait(fault["id"], count=3, timeout=0.01)
            chosen = [waiting[1]["id"]]
            released = workspace.faults.release(fault["id"], calls=chosen)
            assert released == {"released": 1, "waiting": 1}
            assert workspace.faults.release(fault["id"], count=1)["waiting"] == 0
            assert [call.result().status_code for call in held] == [200, 200]

    def test_are_checked(self, workspace: NewWorkspace) -> None:
        with pytest.raises(SimulatorError) as caught:
            workspace.faults.add(path="/paymant-links", interface="payments", status=503)
        assert caught.value.code == "validation_error"
        with pytest.raises(TypeError, match="delayMs"):
            workspace.faults.add(delayMs=1)  # type: ignore[call-arg]


class TestAccess:
    def test_keys_and_users_are_created(self, workspace: NewWorkspace) -> None:
        user = workspace.users.create(name="Ana Ruiz", email="ana@example.com")
        key = workspace.keys.create(
            interfaces=["payments"], user_id=user["id"], expires_at=datetime(2100, 1, 1)
        )
        assert key["userId"] == user["id"]
        limited = workspace.with_key(key["key"])
        assert limited.get("payments", "/payment-links").status_code == 200
        assert limited.get("crm", "/contacts").status_code in (401, 403)
        assert len(workspace.keys.list()) == 2
        workspace.keys.delete(key["key"])
        assert limited.get("payments", "/payment-links").status_code == 401
        with pytest.raises(TypeError, match="a list is required"):
            workspace.keys.create(scopes="*")


@pytest.mark.workspace(fixtures="small")
def test_reads_what_a_screen_shows(workspace: NewWorkspace) -> None:
    screen = workspace.records.list("signage.screens")["data"][0]["id"]
    assert workspace.screen_now(screen)


def test_triggers_return_their_results(workspace: NewWorkspace) -> None:
    paid = workspace.trigger("payments.link.pay", link_id=new_link(workspace), outcome="pending")
    settled = workspace.trigger(
        "payments.transaction.settle", transaction_id=paid["transaction_id"], outcome="failed"
    )
    assert settled["status"] == "failed"
    template = workspace.trigger("crm.template.define", name="Hello", subject="Hi", body="Hi")
    assert template["name"] == "Hello"
    with pytest.raises(SimulatorError, match="payments.link.pay"):
        workspace.trigger("payments.link.pya", link_id="x")  # type: ignore[call-overload]


def test_reaches_a_state(workspace: NewWorkspace) -> None:
    reached = workspace.reach("payments.links", "paid", description="A chair")
    assert reached["state"] == "paid"
    assert reached["record"]["data"]["description"] == "A chair"
    assert [step["kind"] for step in reached["way"]] == ["call", "trigger"]
    with pytest.raises(SimulatorError, match="did you mean paid"):
        workspace.reach("payments.links", "payd")


def test_cookies_do_not_reach_other_calls(workspace: NewWorkspace) -> None:
    with answering(200, "hello", {"set-cookie": "session=1"}) as url:
        http = workspace._control.http
        assert http.get(url).headers["set-cookie"] == "session=1"
        assert "cookie" not in http.build_request("GET", url).headers
