/** Calls that reached no workspace, such as calls with a wrong key. The Now page lists them. */
import type { Schema } from '@suite-sim/client/calling'
import { usePoll, useRequest } from '../api.ts'
import { to } from '../route.ts'
import { server, shardQueryOf, type Workspace } from '../server.ts'
import { Badge, Instant, ErrorMessage, toneOfStatus } from './common.tsx'
import { Repeats } from './groups.tsx'
import { Json } from './json.tsx'
import { rowsOf, type Row } from './repeats.ts'

/** Milliseconds between polls. Such calls are rare, and long polling would use one of the browser's six connections. */
const INTERVAL = 5000
/** The server keeps no more. */
const MAX_CALLS = 500
const MAX_SHOWN = 10

type UnmatchedCall = Schema<'UnmatchedJournalEntry'>

export function Unmatched({ workspace, isGrouped }: { workspace: Workspace; isGrouped: boolean }) {
  const { id, timezone: timeZone } = workspace
  const { value, problem, reload } = useRequest(async () => {
    const query = { unmatched: true, limit: MAX_CALLS, ...shardQueryOf(id) } as const
    return (await server().call('listUnmatchedRequests', { query })).data
  }, [id])
  usePoll(reload, INTERVAL)
  if (problem !== null) return <ErrorMessage text={problem} />
  if (value === null || value.length === 0) return null
  const rows = rowsOf(value, { idOf: ({ id }) => id, repeatOf, open: undefined, isGrouped })
  return (
    <section class="unmatched" aria-label="Calls that reached no workspace">
      <h2>Calls that reached no workspace</h2>
      <p class="empty">
        Newest first{rows.length > MAX_SHOWN && `, at most ${String(MAX_SHOWN)}`}. The times are server times,
        not workspace times. <a href={to('hints')}>All hints</a>
      </p>
      <ol class="plain" tabIndex={0} aria-label="Unmatched calls, newest first">
        {rows.slice(0, MAX_SHOWN).map((row) => (
          <li key={row.key}>
            <Unmatches row={row} timeZone={timeZone} />
          </li>
        ))}
      </ol>
    </section>
  )
}

const repeatOf = ({ method, path, status, hints }: UnmatchedCall) => ({
  key: [method, path, status, ...hints.map(({ message }) => message)].join(' '),
  reach: 'any' as const,
})

function Unmatches({ row: { item, items }, timeZone }: { row: Row<UnmatchedCall>; timeZone: string }) {
  const { at, method, path, status, hints, request, response } = item
  const first = items.at(-1)
  return (
    <>
      <p class="call">
        <span class="when">
          <Instant at={at} timeZone={timeZone} />
        </span>{' '}
        <Badge tone={toneOfStatus(status)}>{status}</Badge>{' '}
        <code>
          {method} {path}
        </code>{' '}
        {items.length > 1 && first && (
          <Repeats count={items.length} first={<Instant at={first.at} timeZone={timeZone} />} />
        )}
      </p>
      {hints.map(({ code, message }) => (
        <p key={code}>{message}</p>
      ))}
      <details>
        <summary>{items.length > 1 ? 'Latest request and response' : 'Request and response'}</summary>
        {Object.keys(request.query).length > 0 && <Json label="Query" value={request.query} />}
        <Json label="Request headers" value={request.headers} />
        {request.body !== null && <Json label="Request body" value={request.body} />}
        {response.body !== null && <Json label="Response body" value={response.body} />}
      </details>
    </>
  )
}
