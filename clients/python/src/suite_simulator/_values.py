"""Converts arguments to the texts of the control plane."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from datetime import date, datetime, timedelta
from difflib import get_close_matches
from typing import Any, Union

Instant = Union[str, date, datetime]
Duration = Union[str, timedelta]


def variable(name: str) -> str | None:
    """Returns an environment variable; None for an empty one, which compose files set for unused ones."""
    return os.environ.get(name) or None


def instant(value: Instant) -> str:
    """Returns a date or date-time as text. Without a time zone it is a local time of the workspace."""
    return value if isinstance(value, str) else value.isoformat()


def duration(value: Duration) -> str:
    """Returns an ISO 8601 duration. A timedelta is exact; "P1D" is a day of the workspace's calendar."""
    if isinstance(value, str):
        return value
    if not isinstance(value, timedelta):
        raise TypeError(f'a duration must be a timedelta or a text such as "PT1H", not {value!r}')
    if value < timedelta():
        raise ValueError(f"a duration must be zero or more, not {value}")
    seconds = value.days * 86_400 + value.seconds
    fraction = f".{value.microseconds:06}".rstrip("0") if value.microseconds else ""
    return f"PT{seconds}{fraction}S"


def parse_instant(text: str) -> datetime:
    # Python 3.9 and 3.10 can't parse the suffix Z.
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def given(**values: Any) -> dict[str, Any]:
    """Returns the values that are not None. A trailing underscore is not part of a name."""
    return {name.rstrip("_"): value for name, value in values.items() if value is not None}


def query_text(query: Mapping[str, Any]) -> dict[str, str | list[str]]:
    """Returns the values as texts. A list is sent as several parameters with its name."""
    return {
        name: [json_text(each) for each in value] if isinstance(value, list) else json_text(value)
        for name, value in query.items()
        if value is not None
    }


def json_text(value: Any) -> str:
    """Returns a scalar as JSON has it: "true", "null", "1"."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def unknown_name(what: str, name: object, known: Iterable[str]) -> str:
    """Returns the message for an unknown name, with the nearest known one or all of them."""
    names = list(known)
    near = get_close_matches(str(name), names, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(names)}"
    return f"there is no {what} {name!r}; {hint}"
