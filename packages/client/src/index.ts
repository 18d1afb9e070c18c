/** The library without `startSimulator`: a client of the control plane, and a webhook receiver. */
export type { Arguments, Body, OperationId, Query, Result, Schema, Server } from './calling.ts'
export { connect, SimulatorClient, type ConnectOptions, type Machines, type Workspaces } from './client.ts'
export type { Events, Section, Triggers } from './generated/control.ts'
export { SimulatorError, type FieldProblem } from './errors.ts'
export type { Limit, RequestFilter } from './filters.ts'
export type {
  Deliveries,
  DeliveryFilter,
  EmailFilter,
  Emails,
  EventName,
  Inbox,
  InboxFilter,
  RedeliveryFilter,
  Requests,
  SectionName,
} from './messages.ts'
export type {
  Clock,
  Condition,
  Faults,
  NewSubscription,
  Records,
  Recordings,
  Snapshots,
  StartedRecording,
  Subscriptions,
  Users,
  WorkspaceKeys,
} from './parts.ts'
export {
  receiveWebhooks,
  verifySignature,
  type Answer,
  type EventData,
  type FlatEvent,
  type ReceivedWebhook,
  type ReceiverOptions,
  type WaitOptions,
  type WebhookReceiver,
} from './receiver.ts'
export type { Expected } from './matching.ts'
export type { StreamOptions, TimelineStream } from './stream.ts'
export type { Times, Verification } from './verifying.ts'
export type { Patience } from './waiting.ts'
export {
  NewWorkspace,
  Workspace,
  type InterfaceCall,
  type InterfaceName,
  type TriggerName,
} from './workspace.ts'
