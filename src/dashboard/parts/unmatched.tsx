/** Calls that reached no workspace: what a newcomer gets wrong, on the first page that is looked at. */
import { useEffect } from 'preact/hooks'
import { useAsked } from '../asking.ts'
import { server } from '../server.ts'
import { Instant } from './common.tsx'

/** Ms between two looks; such calls come seldom, and a waiting connection would take one of the browser's six. */
const INTERVAL = 5000
const MOST_SHOWN = 10

export function Unmatched({ timeZone }: { timeZone: string }) {
  const { value, reload } = useAsked(
    async () =>
      (await server().call('listUnmatchedRequests', { query: { unmatched: true, limit: MOST_SHOWN } })).data,
    [],
  )
  useEffect(() => {
    const timer = setInterval(reload, INTERVAL)
    return () => {
      clearInterval(timer)
    }
  }, [])
  if (value === null || value.length === 0) return null
  return (
    <section aria-label="Calls that reached no workspace">
      <h2>Calls that reached no workspace</h2>
      <div class="wide" tabIndex={0} role="group" aria-label="Unmatched calls">
        <table>
          <thead>
            <tr>
              <th>Time</th>
              <th>Call</th>
              <th>Status</th>
              <th>Hint</th>
            </tr>
          </thead>
          <tbody>
            {value.map(({ id, at, method, path, status, hints }) => (
              <tr key={id}>
                <td>
                  <Instant at={at} timeZone={timeZone} />
                </td>
                <td>
                  <code>
                    {method} {path}
                  </code>
                </td>
                <td>{status}</td>
                <td>{hints.map(({ message }) => message).join(' ')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
