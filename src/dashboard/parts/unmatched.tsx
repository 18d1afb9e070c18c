/** Calls that reached no workspace, such as calls with a wrong key. The Now page lists them. */
import { useEffect } from 'preact/hooks'
import type { Schema } from '../../library/calling.ts'
import { useRequest } from '../api.ts'
import { server } from '../server.ts'
import { Badge, Instant, ErrorMessage, toneOfStatus } from './common.tsx'
import { Json } from './json.tsx'

/** Milliseconds between polls. Such calls are rare, and long polling would use one of the browser's six connections. */
const INTERVAL = 5000
const MAX_SHOWN = 10

export function Unmatched({ timeZone }: { timeZone: string }) {
  const { value, problem, reload } = useRequest(
    async () =>
      (await server().call('listUnmatchedRequests', { query: { unmatched: true, limit: MAX_SHOWN } })).data,
    [],
  )
  useEffect(() => {
    const timer = setInterval(reload, INTERVAL)
    return () => {
      clearInterval(timer)
    }
  }, [])
  if (problem !== null) return <ErrorMessage text={problem} />
  if (value === null || value.length === 0) return null
  return (
    <section class="unmatched" aria-label="Calls that reached no workspace">
      <h2>Calls that reached no workspace</h2>
      <p class="empty">Newest first, at most {MAX_SHOWN}. The times are server times, not workspace times.</p>
      <ol class="plain" tabIndex={0} aria-label="Unmatched calls, newest first">
        {value.map((call) => (
          <li key={call.id}>
            <UnmatchedCall call={call} timeZone={timeZone} />
          </li>
        ))}
      </ol>
    </section>
  )
}

function UnmatchedCall({ call, timeZone }: { call: Schema<'UnmatchedJournalEntry'>; timeZone: string }) {
  const { at, method, path, status, hints, request, response } = call
  return (
    <>
      <p class="call">
        <span class="when">
          <Instant at={at} timeZone={timeZone} />
        </span>{' '}
        <Badge tone={toneOfStatus(status)}>{status}</Badge>{' '}
        <code>
          {method} {path}
        </code>
      </p>
      {hints.map(({ code, message }) => (
        <p key={code}>{message}</p>
      ))}
      <details>
        <summary>Request and response</summary>
        {Object.keys(request.query).length > 0 && <Json label="Query" value={request.query} />}
        <Json label="Request headers" value={request.headers} />
        {request.body !== null && <Json label="Request body" value={request.body} />}
        {response.body !== null && <Json label="Response body" value={response.body} />}
      </details>
    </>
  )
}
