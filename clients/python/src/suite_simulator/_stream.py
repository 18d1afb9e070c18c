"""Reads the Server-Sent Events of a workspace's timeline."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any, cast

import httpx

from ._calling import ControlPlane
from ._errors import SimulatorError
from ._generated import TimelineItem


class TimelineStream:
    """A stream of a workspace's timeline: `with workspace.stream() as items: for item in items: ...`.

    From the start of the block, no entry is missed.
    """

    def __init__(self, control: ControlPlane, path: dict[str, Any], after: str | None) -> None:
        self._control = control
        self._path = path
        self._headers = {} if after is None else {"last-event-id": after}
        self._stack = ExitStack()
        self._lines: Iterator[str] | None = None

    def __enter__(self) -> TimelineStream:
        opened = self._control.stream(
            "streamTimeline", path=self._path, query={}, headers=self._headers
        )
        self._lines = self._stack.enter_context(opened).iter_lines()
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def __iter__(self) -> Iterator[TimelineItem]:
        if self._lines is None:
            raise TypeError("Open the stream first: with workspace.stream() as items: ...")
        try:
            for line in self._lines:
                # The server sends one data line per event, and comments in between.
                if line.startswith("data: "):
                    yield cast(TimelineItem, json.loads(line[len("data: ") :]))
        except httpx.TransportError as error:
            raise SimulatorError("unreachable", f"The stream was interrupted: {error}") from error
