/** Lists calls that belong to no workspace. OPERATING.md, "Control plane". */
import type { Static } from '@sinclair/typebox'
import { unmatchedCalls } from '../../http/server/logging/unmatchedCalls.ts'
import { unmatchedId, type CallRecord } from '../../state/timeline/timelineShapes.ts'
import { controlRoutesOf, ListOf, type ControlResource } from '../shared/dialect.ts'
import type { Hint } from '../../state/timeline/causes.ts'
import { ignoredCaller } from './hints.ts'
import { UnmatchedEntry, UnmatchedQuery } from './journalSchemas.ts'
import { callView } from './timelineViews.ts'

export const unmatchedRequests: ControlResource = async (app, { workspaces }, { waiting }) => {
  const at = controlRoutesOf(app, 'Journal')

  at('/requests').get({
    id: 'listUnmatchedRequests',
    summary: 'List requests without a workspace',
    description:
      'Returns calls with a missing or unknown key, calls to unknown paths and rejected WebSocket subscriptions, newest first. The server stores the last 500 since its start. With wait, the response is sent as soon as count calls match.',
    query: UnmatchedQuery,
    answers: { 200: ListOf(UnmatchedEntry) },
    async run({ query }, reply) {
      const calls = unmatchedCalls(workspaces.database)
      const look = (limit: number) => calls.newest(limit)
      const found = await waiting.until(reply, calls.place, 'requests', query, look)
      return { data: found.map((call) => unmatchedView(call.toRecord())) }
    },
  })
}

function unmatchedView(call: CallRecord): Static<typeof UnmatchedEntry> {
  const hints = hintsOf(call)
  return {
    ...callView(call, hints.length),
    id: unmatchedId(call.number),
    interface: call.interface === '' ? null : (call.interface as Static<typeof UnmatchedEntry>['interface']),
    hints,
  }
}

/** Advice to add to the error message, by refusal reason. */
const ADVICE: Readonly<Record<string, string>> = {
  credential_unknown: 'GET /_sim/keys?workspaceId=ID lists the keys of a workspace.',
  credential_missing: 'GET /_sim/keys?workspaceId=ID lists the keys of a workspace.',
}

function hintsOf(call: CallRecord): Hint[] {
  const { refusal, interface: of, hints = [] } = call
  if (!refusal) return []
  const { reason, message } = refusal
  const advice = of === 'control' ? undefined : ADVICE[reason]
  return [
    { code: reason, message: advice === undefined ? message : `${message} ${advice}` },
    ...hints,
    ...ignoredCaller(call),
  ]
}
