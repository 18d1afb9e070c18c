"""The section of a failed test: the calls, hints and deliveries of its workspaces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import urlencode

from ._calling import ControlPlane
from ._client import SimulatorClient
from ._errors import SimulatorError
from ._server import Simulator

TITLE = "Suite Simulator"

_MAX_WORKSPACES = 5
_MAX_CALLS = 20
_MAX_HINTS = 10
_MAX_DELIVERIES = 10
_MAX_UNMATCHED = 5
_LONGEST_LINE = 300
_LONGEST_PATH = 120

# A server that hangs must not hold up the report.
_TIMEOUT = 5.0


def report(simulator: SimulatorClient, started: str) -> str:
    """Returns the text of the section. `started` is the time at which the test began, ISO 8601 in UTC.

    It never raises an error: the failure of the test is more important.
    """
    lines: list[str] = []
    try:
        # One by one: after an error, the section has the lines before it.
        for line in _cut(_lines(simulator, started)):
            lines.append(line)
    except SimulatorError as error:
        lines.append(f"The simulator could not be asked: {error.message}"[:_LONGEST_LINE])
        if isinstance(simulator, Simulator) and error.code == "unreachable":
            lines.append("Its last output:")
            lines.extend(_cut(f"  {line}" for line in simulator.output().splitlines()))
    except Exception as error:
        lines.append(f"This section is incomplete: {error!r}"[:_LONGEST_LINE])
    return "\n".join(lines)


def _cut(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        yield _shortened(" ".join(line.splitlines()), _LONGEST_LINE)


def _shortened(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def _lines(simulator: SimulatorClient, started: str) -> Iterator[str]:
    control = simulator._control
    workspaces = [*simulator._live.values()]
    for workspace in workspaces[-_MAX_WORKSPACES:]:
        yield f"{simulator.admin_url}/#/calls?{urlencode({'workspace': workspace.id})}"
        path = {"id": workspace.id}
        try:
            yield from _calls(_read(control, "listRequests", path, limit=_MAX_CALLS + 1))
            yield from _hints(_read(control, "listHints", path))
            yield from _deliveries(_read(control, "listDeliveries", path, limit=_MAX_DELIVERIES + 1))
        except SimulatorError as error:
            if error.code != "not_found":
                raise
            yield "  The workspace does not exist any more."
    if len(workspaces) > _MAX_WORKSPACES:
        yield f"({len(workspaces) - _MAX_WORKSPACES} earlier workspaces are not shown)"
    yield from _unmatched(control, started)


def _read(control: ControlPlane, operation: str, path: dict[str, str], **query: Any) -> list[Any]:
    rows: list[Any] = control._call(operation, path=path, query=query, timeout=_TIMEOUT)["data"]
    return rows


def _calls(newest_first: list[Any]) -> Iterator[str]:
    shown = newest_first[:_MAX_CALLS]
    yield f"  Calls: {'none' if not shown else ''}".rstrip()
    if len(newest_first) > len(shown):
        yield "    (earlier ones are not shown)"
    for call in reversed(shown):
        yield f"    {_call(call)}"


def _call(call: Any) -> str:
    query = call["request"]["query"]
    path = f"{call['path']}?{urlencode(query, doseq=True)}" if query else call["path"]
    reasons = []
    if call.get("refusal"):
        reasons.append(f"{call['refusal']['reason']}: {call['refusal']['message']}")
    if call.get("fault"):
        reasons.append(f"fault {call['fault']}")
    whole = f"{call['method']} {_shortened(path, _LONGEST_PATH)} {call['status']}"
    return "  ".join([whole, *reasons])


def _hints(hints: list[Any]) -> Iterator[str]:
    if hints:
        yield "  Hints:"
    for hint in hints[:_MAX_HINTS]:
        times = f" ({hint['count']} times)" if hint["count"] > 1 else ""
        yield f"    {hint['code']}: {hint['message']}{times}"
    if len(hints) > _MAX_HINTS:
        yield f"    ({len(hints) - _MAX_HINTS} more)"


def _deliveries(newest_first: list[Any]) -> Iterator[str]:
    shown = newest_first[:_MAX_DELIVERIES]
    if shown:
        yield "  Deliveries:"
    if len(newest_first) > len(shown):
        yield "    (earlier ones are not shown)"
    for delivery in reversed(shown):
        yield f"    {_delivery(delivery)}"


def _delivery(delivery: Any) -> str:
    attempts = delivery["attempts"]
    texts = [f"{delivery['event']} {delivery['status']} to {delivery['url']}"]
    if attempts and delivery["status"] != "delivered":
        last = attempts[-1]
        times = "1 attempt" if len(attempts) == 1 else f"{len(attempts)} attempts"
        reason = last["error"] or f"the receiver answered {last['status']}"
        texts.append(f"{times}, the last one: {reason}")
    if delivery["nextAttemptAt"] is not None:
        texts.append(f"next attempt at {delivery['nextAttemptAt']}")
    return "; ".join(texts)


def _unmatched(control: ControlPlane, started: str) -> Iterator[str]:
    """Lists calls with a wrong or missing key, or to an unknown path, since the test began."""
    rows = _read(control, "listUnmatchedRequests", {}, unmatched=True, limit=_MAX_UNMATCHED)
    recent = [row for row in rows if row["at"] >= started]
    if recent:
        yield "Calls to this server that belong to no workspace:"
    for row in reversed(recent):
        yield f"  {_call(row)}"
