"""Calls operations of the control plane by id."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.cookiejar import CookieJar, DefaultCookiePolicy
from ipaddress import ip_address
from typing import Any, cast
from urllib.parse import urlsplit

import httpx

from ._errors import SimulatorError, is_simulator_error
from ._generated import CALLS, Calls
from ._paths import fill_path
from ._values import query_text, unknown_name

__tracebackhide__ = is_simulator_error

# The server answers a waiting call after 300 seconds at most.
_TIMEOUT = httpx.Timeout(330, connect=10)


class ControlPlane:
    """Calls one control plane. Threads can share it."""

    def __init__(self, url: str, admin_token: str | None) -> None:
        self.url = url.rstrip("/")
        self.admin_url = f"{self.url}/_sim"
        self.http = httpx.Client(
            timeout=_TIMEOUT,
            # Cookies of one workspace must not reach another.
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
            # A proxy can't reach the loopback interface of this machine.
            trust_env=not _is_loopback(self.url),
        )
        self._headers = {} if admin_token is None else {"authorization": f"Bearer {admin_token}"}

    @property
    def call(self) -> Calls:
        """Calls an operation; returns its JSON or text, or None without a body."""
        return cast(Calls, self._call)

    def _call(
        self,
        operation: str,
        /,
        *,
        path: Mapping[str, Any] | None = None,
        query: Mapping[str, Any] | None = None,
        body: object = None,
        timeout: float | None = None,
    ) -> Any:
        response = self.send(operation, path=path, query=query, body=body, timeout=timeout)
        if re.match(r"application/(\w+\+)?json\b", response.headers.get("content-type", "")):
            return response.json()
        return response.text or None

    def send(
        self,
        operation: str,
        /,
        *,
        path: Mapping[str, Any] | None = None,
        query: Mapping[str, Any] | None = None,
        body: object = None,
        timeout: float | None = None,
    ) -> httpx.Response:
        """Calls an operation; returns its response. Raises a SimulatorError if the call is refused."""
        options = self._options(operation, path=path, query=query, body=body)
        with self._reaching():
            response = self.http.request(
                **options, timeout=_TIMEOUT if timeout is None else timeout
            )
        self._check(response, operation)
        return response

    @contextmanager
    def stream(
        self,
        operation: str,
        /,
        *,
        path: Mapping[str, Any],
        query: Mapping[str, Any],
        headers: Mapping[str, str],
    ) -> Iterator[httpx.Response]:
        """Opens a response that has no end. It may be silent for 15 seconds between two comments."""
        options = self._options(operation, path=path, query=query, body=None)
        options["headers"] = {**options["headers"], **headers}
        with self._reaching(), self.http.stream(**options, timeout=_TIMEOUT) as response:
            if not response.is_success:
                response.read()
            self._check(response, operation)
            yield response

    def _options(
        self,
        operation: str,
        *,
        path: Mapping[str, Any] | None,
        query: Mapping[str, Any] | None,
        body: object,
    ) -> dict[str, Any]:
        if operation not in CALLS:
            raise ValueError(unknown_name("operation", operation, CALLS))
        method, template = CALLS[operation]
        options: dict[str, Any] = {
            "method": method,
            "url": self.admin_url + fill_path(template, path or {}),
            "headers": self._headers,
        }
        if query:
            options["params"] = query_text(query)
        if body is not None:
            options["json"] = body
        return options

    @contextmanager
    def _reaching(self) -> Iterator[None]:
        try:
            yield
        except httpx.TransportError as error:
            reason = str(error) or type(error).__name__
            message = f"No simulator responds at {self.admin_url}: {reason}"
            raise SimulatorError("unreachable", message) from None

    def _check(self, response: httpx.Response, operation: str) -> None:
        if response.is_success:
            return
        status = response.status_code
        refusal = _refusal_in(response.text)
        if refusal is not None:
            code, message, details = refusal
            raise SimulatorError(code, message, status=status, details=details)
        method, path = CALLS[operation]
        raise SimulatorError(
            "unexpected_answer",
            f"{method} {path} got {status} from a server that is not a simulator: "
            f"{response.text[:200]}",
            status=status,
        )


def _refusal_in(text: str) -> tuple[str, str, list[Any]] | None:
    try:
        error = json.loads(text)["error"]
        code, message = error["code"], error["message"]
    except (ValueError, KeyError, TypeError):
        return None
    return (str(code), str(message), error.get("details") or [])


def _is_loopback(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
