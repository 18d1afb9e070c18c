"""Starts a simulator as a process of its own, for one test session."""

from __future__ import annotations

import atexit
import json
import os
import shlex
import shutil
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Sequence
from types import FrameType
from typing import IO

from ._client import SimulatorClient
from ._errors import SimulatorError
from ._values import variable

_LINES = 30
_ADVICE = (
    "Set SUITE_SIM_URL to a running simulator, or SUITE_SIM_COMMAND to the command that starts one, "
    "or install the npm package suite-simulator in this folder."
)
_STOP_TIMEOUT = 15.0


class Simulator(SimulatorClient):
    """A simulator that `start_simulator` started; `close()` stops it."""

    def __init__(self, server: _Server, *, admin_token: str | None) -> None:
        super().__init__(server.url, admin_token=admin_token)
        self._server = server

    def __enter__(self) -> Simulator:
        return self

    def close(self) -> None:
        """Closes the connections and stops the server."""
        super().close()
        self._server.stop()

    def output(self) -> str:
        """Returns the last lines that the server wrote, and its exit code if it has ended."""
        return self._server.output()


def start_simulator(
    *args: str,
    admin_token: str | None = None,
    command: str | Sequence[str] | None = None,
    timeout: float = 60,
) -> Simulator:
    """Starts a simulator in memory on a free port: `with start_simulator() as simulator:`.

    `args` are more flags of `suite-sim serve`, such as "--seed", "ci". `command` is the program:
    SUITE_SIM_COMMAND by default, or `suite-sim` on the PATH, or that of node_modules (npx).
    """
    words = _command(command)
    token = variable("SIM_ADMIN_TOKEN") if admin_token is None else admin_token or None
    server = _Server([*words, "serve", "--port", "0", "--db", ":memory:", *args], token, timeout)
    return Simulator(server, admin_token=token)


def _command(command: str | Sequence[str] | None) -> list[str]:
    chosen = command or variable("SUITE_SIM_COMMAND")
    if chosen is not None:
        return shlex.split(chosen) if isinstance(chosen, str) else [*chosen]
    program = shutil.which("suite-sim")
    if program is not None:
        return [program]
    npx = shutil.which("npx")
    if npx is not None:
        # Otherwise npx would look for a package of this name in the registry, and install it.
        return [npx, "--offline", "--no-install", "suite-sim"]
    raise SimulatorError(
        "start_failed",
        f"No simulator to start: neither suite-sim nor npx is on the PATH. {_ADVICE}",
    )


class _Server:
    """The process, and the last lines of its output."""

    def __init__(self, words: list[str], admin_token: str | None, timeout: float) -> None:
        self._words = words
        self._lines: deque[str] = deque(maxlen=_LINES)
        self._url: str | None = None
        self._is_known = threading.Event()
        environment = {
            **os.environ,
            # On the network, or with a public URL, the server would require a token of its own.
            "HOST": "127.0.0.1",
            "SIM_PUBLIC_URL": "",
            # The line with the URL has this level.
            "LOG_LEVEL": "info",
            "SIM_ADMIN_TOKEN": admin_token or "",
        }
        try:
            self._process = subprocess.Popen(
                words,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                encoding="utf8",
                errors="replace",
                # npx starts the server as a process of its own: the group ends as one. A Ctrl+C goes to
                # the tests alone, which then end the server.
                start_new_session=True,
            )
        except OSError as error:
            message = f"{self._command()} did not start: {error}\n{_ADVICE}"
            raise SimulatorError("start_failed", message) from None
        assert self._process.stdout is not None
        self._reader = threading.Thread(target=self._read, args=(self._process.stdout,), daemon=True)
        self._reader.start()
        atexit.register(self.stop)
        _running.add(self)
        _end_with_signals()
        self.url = self._wait(timeout)

    def output(self) -> str:
        code = self._process.poll()
        lines = [*self._lines] if code is None else [*self._lines, f"(ended with exit code {code})"]
        return "\n".join(lines)

    def stop(self) -> None:
        atexit.unregister(self.stop)
        _running.discard(self)
        self._signal(signal.SIGTERM)
        try:
            self._process.wait(_STOP_TIMEOUT)
        except subprocess.TimeoutExpired:
            self._signal(getattr(signal, "SIGKILL", signal.SIGTERM))
            self._process.wait()
        self._reader.join(_STOP_TIMEOUT)

    def _signal(self, number: int) -> None:
        if self._process.poll() is not None:
            return
        if os.name == "nt":
            self._process.terminate()
            return
        try:
            os.killpg(self._process.pid, number)
        except ProcessLookupError:
            pass

    def _read(self, output: IO[str]) -> None:
        with output:
            for line in output:
                self._lines.append(line.rstrip("\n")[:500])
                if self._url is None:
                    self._url = _url_in(line)
                    if self._url is not None:
                        self._is_known.set()
        self._is_known.set()

    def _wait(self, timeout: float) -> str:
        """Waits for the line with the URL, or for the end of the process."""
        end = time.monotonic() + timeout
        is_known = self._is_known.wait(max(0.0, end - time.monotonic()))
        if self._url is not None:
            return self._url
        self.stop()
        reason = "ended" if is_known else f"was not ready after {timeout:g} s"
        message = f"{self._command()} {reason}:\n{self.output()}\n{_ADVICE}"
        raise SimulatorError("start_failed", message)

    def _command(self) -> str:
        return shlex.join(self._words)


_running: set[_Server] = set()


def _end_with_signals() -> None:
    """Lets signals that end this program end its servers, too. Handlers of the program stay."""
    if os.name == "nt" or threading.current_thread() is not threading.main_thread():
        return
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _end)


def _end(number: int, _frame: FrameType | None) -> None:
    for server in [*_running]:
        server._signal(signal.SIGTERM)
    # Without a handler of its own, the program ends as if this one did not exist.
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def _url_in(line: str) -> str | None:
    """Returns the URL in the first line of a server that writes JSON."""
    try:
        value = json.loads(line)
    except ValueError:
        return None
    url = value.get("url") if isinstance(value, dict) else None
    return url if isinstance(url, str) else None
