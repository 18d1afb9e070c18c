"""A workspace of its own for each test, on one simulator for all of them. Nothing but pytest is needed."""

import json
import os
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from dataclasses import dataclass

import pytest


def call(method, url, body=None, token=None):
    """Sends JSON; answers with the status and the JSON that came back."""
    headers = {"Content-Type": "application/json"} if body is not None else {}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data=data, headers=headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            text = response.read()
            return response.status, json.loads(text) if text else None
    except urllib.error.HTTPError as refusal:
        with refusal:
            return refusal.code, json.loads(refusal.read())


@dataclass
class Workspace:
    """A workspace of the simulator: its interfaces by `api`, and what steers it."""

    url: str
    id: str
    key: str
    token: str | None

    def api(self, method, path, body=None):
        """Calls an interface with the key of the workspace: `api("GET", "/pay/v1/payment-links")`."""
        return call(method, self.url + path, body, self.key)

    def control(self, method, path, body=None):
        """Calls the control plane: `control("GET", "/deliveries?wait=10")`."""
        status, answer = call(method, f"{self.url}/_sim/workspaces/{self.id}{path}", body, self.token)
        assert status < 300, answer["error"]["message"]
        return answer

    def trigger(self, name, **body):
        return self.control("POST", f"/triggers/{name}", body)

    def advance(self, duration):
        return self.control("POST", "/clock/advance", {"duration": duration})


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


@pytest.fixture(scope="session")
def simulator():
    """The URL of the one at SUITE_SIM_URL, or of one that is started for the tests."""
    if url := os.environ.get("SUITE_SIM_URL"):
        yield url
        return
    url = f"http://127.0.0.1:{(port := free_port())}"
    command = ["npx", "suite-sim", "serve", "--db", ":memory:", "--port", str(port)]
    # npx starts the server as a process of its own; a group of them is ended as one.
    process = subprocess.Popen(command, start_new_session=True)
    try:
        for _ in range(300):
            try:
                call("GET", f"{url}/_sim/health")
                break
            except OSError:
                time.sleep(0.1)
        yield url
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait()


@pytest.fixture
def workspace(simulator):
    token = os.environ.get("SIM_ADMIN_TOKEN")
    status, made = call("POST", f"{simulator}/_sim/workspaces", {"fixtures": "small"}, token)
    assert status == 201, made["error"]["message"]
    workspace = Workspace(simulator, made["workspace"]["id"], made["key"], token)
    yield workspace
    workspace.control("DELETE", "")
