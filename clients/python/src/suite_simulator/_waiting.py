"""Waits until enough items exist; the server responds as soon as they do."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from ._errors import SimulatorError, is_simulator_error

__tracebackhide__ = is_simulator_error

DEFAULT_TIMEOUT = 10.0

# The server waits for 300 seconds at most.
_LONGEST_WAIT = 240.0

Found = TypeVar("Found")


def wait_until(
    timeout: float,
    poll: Callable[[float], Found],
    is_enough: Callable[[Found], bool],
    timeout_message: Callable[[Found], str],
) -> Found:
    """Repeats long polls until the result is enough or the timeout has passed."""
    left = timeout
    while True:
        wait = min(left, _LONGEST_WAIT)
        found = poll(wait)
        if is_enough(found):
            return found
        left -= wait
        if left <= 0:
            raise SimulatorError("timeout", timeout_message(found))


def wait_for_rows(
    what: str,
    query: Mapping[str, Any],
    count: int,
    timeout: float,
    poll: Callable[[dict[str, Any]], Any],
) -> list[Any]:
    """Returns the rows as soon as `count` match, newest first. The server explains a wait without enough rows."""
    found = wait_until(
        timeout,
        lambda wait: poll({**query, "wait": wait, "count": count}),
        lambda page: len(page["data"]) >= count,
        lambda page: " ".join(
            [
                f"Waited {timeout:g} s for {count} {what} {json.dumps(query)}; received {len(page['data'])}.",
                *([page["explanation"]] if "explanation" in page else []),
            ]
        ),
    )
    rows: list[Any] = found["data"]
    return rows
