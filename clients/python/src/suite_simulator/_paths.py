"""Fills in and checks paths: a URL resolves the segments "." and "..", so a call would reach another path."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from ._errors import SimulatorError, is_simulator_error

__tracebackhide__ = is_simulator_error

_DOTS = (".", "..")


def fill_path(template: str, values: Mapping[str, Any]) -> str:
    """Fills in the parameters of a template: `/workspaces/{id}/clock`."""
    return re.sub(r"\{(\w+)\}", lambda found: _segment(found[1], values.get(found[1])), template)


def _segment(name: str, value: object) -> str:
    """Returns a value as one segment; raises a SimulatorError if that is impossible."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        raise _invalid(name, "must be a string or a number")
    if value == "":
        raise _invalid(name, "must not be empty")
    if value in _DOTS:
        raise _invalid(name, f'must not be "{value}", which leads to another path')
    try:
        return quote(value, safe="")
    except UnicodeEncodeError:
        raise _invalid(name, "must be well-formed Unicode") from None


def _invalid(field: str, rule: str) -> SimulatorError:
    details = [{"field": field, "code": "invalid", "message": rule}]
    return SimulatorError("validation_error", f"{field} {rule}", details=details)  # type: ignore[arg-type]


def check_path(path: object, call: str) -> None:
    """Raises a ValueError if a path does not start with a slash, or if a URL would resolve a part of it."""
    if not isinstance(path, str):
        raise TypeError(f"{call}: path must be a string that begins with /")
    if not path.startswith("/"):
        raise ValueError(f"{call}: path must begin with /, not {path!r}")
    # Like a URL parser: backslashes are slashes, and dots may be encoded.
    before = re.split(r"[?#]", re.sub(r"[\t\r\n]", "", path))[0]
    for segment in re.split(r"[/\\]", before):
        if re.sub("%2e", ".", segment, flags=re.IGNORECASE) in _DOTS:
            raise ValueError(f'{call}: path must not contain "{segment}", which leads to another path')
