/** Converts calls and steps of a timeline to the wire format, and follows a timeline in it. */
import type { Static } from '@sinclair/typebox'
import { pathOf } from '../../http/definition/pathPatterns.ts'
import { iso } from '@suite-sim/kit/time/instants'
import { isCallEntry, type Call, type Timeline } from '../../state/timeline/timeline.ts'
import { timelineOf, timelinesOf } from '../../state/timeline/timelines.ts'
import { requestId, type CallRecord, type Step } from '../../state/timeline/timelineShapes.ts'
import type { MessageRecord } from '@suite-sim/kit/calls/callFormats'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type { JournalEntry, TimelineItem } from './journalSchemas.ts'

export const numberOfRequest = (id: string): number => Number(/^req_(\d{1,15})$/.exec(id)?.[1] ?? NaN)

const messageView = ({ headers, body, cutFrom }: MessageRecord) => ({
  headers: { ...headers },
  body,
  ...(cutFrom !== undefined && { cutFrom }),
})

export const callView = (call: CallRecord, hintCount: number): Static<typeof JournalEntry> => ({
  id: requestId(call.number),
  at: iso(call.at),
  interface: call.interface as Static<typeof JournalEntry>['interface'],
  operation: call.operation,
  method: call.method,
  path: pathOf(call.url),
  status: call.status,
  durationMs: call.durationMs,
  caller: callerView(call),
  refusal: call.refusal && { ...call.refusal },
  ...(call.requestId !== undefined &&
    call.requestId !== requestId(call.number) && { requestId: call.requestId }),
  ...(call.fault !== undefined && { fault: call.fault }),
  hintCount,
  request: { query: queryOf(call.url), ...messageView(call.request) },
  response: messageView(call.response),
})

/** Returns the caller as the journal shows it; null if nothing is known about it. */
const callerView = ({ userId, caller }: CallRecord): Static<typeof JournalEntry>['caller'] =>
  userId === null && caller === undefined ? null : { userId, ...(caller !== undefined && { name: caller }) }

/** Returns the query parameters of a URL. A repeated parameter is an array. */
export function queryOf(url: string): Record<string, string | string[]> {
  const query = new URLSearchParams(url.slice(pathOf(url).length + 1))
  return Object.fromEntries(
    [...new Set(query.keys())].map((name) => {
      const values = query.getAll(name)
      return [name, values.length === 1 ? (values[0] ?? '') : values]
    }),
  )
}

const PREFIXES: Readonly<Record<Step['kind'], string>> = {
  trigger: 'trg',
  job: 'job',
  transition: 'mov',
  event: 'evt',
  delivery: 'dlv',
  email: 'eml',
}

export const entryId = (entry: Call | Step): string =>
  isCallEntry(entry) ? requestId(entry.number) : `${PREFIXES[entry.kind]}_${String(entry.number)}`

/** Returns the number in an entry id; NaN if the id is malformed. */
export const entryNumberOf = (id: string): number => Number(/^[a-z]{3}_(\d{1,15})$/.exec(id)?.[1] ?? NaN)

/** Returns an entry in the wire format. `idOf` returns the id of the causing entry. */
export function timelineView(
  entry: Call | Step,
  idOf: (number: number) => string,
): Static<typeof TimelineItem> {
  if (isCallEntry(entry)) {
    const { number, at, method, url, status, caller, refusal, fault } = entry.toRecord()
    const reason = refusal?.message ?? (fault === undefined ? undefined : 'Injected fault')
    const title = `${method} ${pathOf(url)} ${String(status)}`
    return {
      id: requestId(number),
      at: iso(at),
      kind: 'request',
      title,
      causedBy: null,
      ref: requestId(number),
      outcome: status >= 500 ? 'failed' : status >= 400 ? 'refused' : 'succeeded',
      ...(url.includes('?') && { query: url.slice(pathOf(url).length) }),
      ...(reason !== undefined && { reason }),
      ...(caller !== undefined && { caller }),
    }
  }
  const { at, kind, title, causedBy, ref, outcome, caller } = entry
  return {
    id: entryId(entry),
    at: iso(at),
    kind,
    title,
    causedBy: causedBy === null ? null : idOf(causedBy),
    ref,
    ...(outcome && { outcome }),
    ...(caller !== undefined && { caller }),
  }
}

/** The maximum number of cached ids of a stream. Causes are looked up there first. */
const MAX_CACHED = 10_000

/** Returns a function from entry numbers to ids. An unknown number is that of a call: discarded, or still in flight. */
export function idsOf(history: Timeline): (number: number) => string {
  const steps = new Map(history.steps().map((step) => [step.number, step]))
  return (number) => {
    const step = steps.get(number)
    return step ? entryId(step) : requestId(number)
  }
}

/**
 * Calls `report` with the entries after `lastId`, and then with each new one, until the returned function is called.
 * Without a valid id, only with new ones.
 */
export function followTimeline(
  workspace: Workspace,
  lastId: string,
  report: (entry: Static<typeof TimelineItem>) => void,
): () => void {
  // A number always means the same step, so its id can be cached.
  const ids = new Map<number, string>()
  const idOf = (number: number): string => ids.get(number) ?? idsOf(timelineOf(workspace))(number)
  const send = (entry: Call | Step): void => {
    const view = timelineView(entry, idOf)
    ids.set(entry.number, view.id)
    if (ids.size > MAX_CACHED) ids.clear()
    report(view)
  }
  const last = entryNumberOf(lastId)
  if (!Number.isNaN(last)) {
    const history = timelineOf(workspace)
    const missed = [...history.calls(), ...history.steps()].filter(({ number }) => number > last)
    for (const entry of missed.sort((one, other) => one.number - other.number)) send(entry)
  }
  return timelinesOf(workspace.database).listen(workspace, send)
}
