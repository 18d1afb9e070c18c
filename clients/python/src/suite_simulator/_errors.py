from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypedDict


class FieldProblem(TypedDict):
    """An error of one field, from the control plane."""

    field: str
    code: str
    message: str


class SimulatorError(Exception):
    """A refused call or a timeout.

    `code` is the control plane's, such as "not_found" and "validation_error", or "unreachable" (no
    response), "unexpected_answer" (the server is not a simulator), "start_failed" or "timeout".
    `status` is the response status; None without a response.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: int | None = None,
        details: Iterable[FieldProblem] = (),
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = status
        self.details = list(details)


# Reports show the public name.
SimulatorError.__module__ = "suite_simulator"


def is_simulator_error(excinfo: Any) -> bool:
    """Decides for pytest whether a traceback leaves out the frames of this package.

    Modules have it as `__tracebackhide__`: the report of a refused call ends at the line of the test.
    """
    return excinfo is not None and isinstance(excinfo.value, SimulatorError)
