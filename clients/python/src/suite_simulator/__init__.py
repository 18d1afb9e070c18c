"""The client of Suite Simulator, and a webhook receiver. `suite_simulator.plugin` has the fixtures of pytest."""

from ._client import Machines, SimulatorClient, Workspaces, connect
from ._errors import FieldProblem, SimulatorError
from ._generated import EventName, InterfaceName, OperationId, Section, TriggerName
from ._messages import Deliveries, Emails, Inbox, Requests
from ._parts import (
    Clock,
    Faults,
    Keys,
    Recordings,
    Records,
    Snapshots,
    StartedRecording,
    Subscriptions,
    Users,
)
from ._receiver import Answer, Webhook, WebhookReceiver, verify_signature
from ._server import Simulator, start_simulator
from ._stream import TimelineStream
from ._workspace import NewWorkspace, Workspace

__version__ = "0.2.0"

__all__ = [
    "Answer",
    "Clock",
    "Deliveries",
    "Emails",
    "EventName",
    "Faults",
    "FieldProblem",
    "Inbox",
    "InterfaceName",
    "Keys",
    "Machines",
    "NewWorkspace",
    "OperationId",
    "Recordings",
    "Records",
    "Requests",
    "Section",
    "Simulator",
    "SimulatorClient",
    "SimulatorError",
    "Snapshots",
    "StartedRecording",
    "Subscriptions",
    "TimelineStream",
    "TriggerName",
    "Users",
    "Webhook",
    "WebhookReceiver",
    "Workspace",
    "Workspaces",
    "connect",
    "start_simulator",
    "verify_signature",
]
