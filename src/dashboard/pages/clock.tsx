/** The clock of the workspace: what it shows, how it goes, and what fell due when it was moved. */
import { useState } from 'preact/hooks'
import type { Schema } from '../../library/calling.ts'
import { useAsked, useDoing } from '../api.ts'
import type { PageProps } from '../pageProps.ts'
import { useLive } from '../live.ts'
import { Badge, Empty, Instant, Problem } from '../parts/common.tsx'
import { clockText, useClock, useTicking } from '../parts/standingClock.tsx'
import { to } from '../route.ts'
import { server } from '../server.ts'

const STEPS = [
  ['1 minute', 'PT1M'],
  ['1 hour', 'PT1H'],
  ['1 day', 'P1D'],
  ['1 week', 'P7D'],
  ['30 days', 'P30D'],
  ['1 year', 'P1Y'],
] as const

export function ClockPage({ workspace }: PageProps) {
  const path = { id: workspace.id }
  const clock = useClock(workspace.id)
  const now = useTicking(clock.value)
  const due = useAsked(async () => (await server().call('listDue', { path })).data, [workspace.id])
  useLive(['request', 'trigger', 'job', 'delivery', 'event'], due.reload)
  const [came, setCame] = useState<Schema<'Advanced'> | null>(null)
  const [written, setWritten] = useState('PT12H')
  const { isBusy, problem, run } = useDoing()
  const isFrozen = clock.value?.frozen === true
  const reload = (): void => {
    clock.reload()
    due.reload()
  }
  const advance = (duration: string): void => {
    run(async () => {
      setCame(await server().call('advanceClock', { path, body: { duration } }))
      reload()
    })
  }
  const set = (body: { now?: string; frozen?: boolean }): void => {
    run(async () => {
      setCame(null)
      await server().call('setClock', { path, body })
      reload()
    })
  }
  return (
    <>
      <p class="clock" aria-live="off">
        {now === null ? '' : clockText(now, workspace.timezone)}
        <small>
          {workspace.timezone} {isFrozen && <Badge tone="info">frozen</Badge>}
        </small>
      </p>
      <div class="actions">
        <button
          type="button"
          class="small"
          aria-busy={isBusy}
          onClick={() => {
            set({ frozen: !isFrozen })
          }}
        >
          {isFrozen ? 'Let it go on' : 'Freeze'}
        </button>
        {STEPS.map(([words, duration]) => (
          <button
            key={duration}
            type="button"
            class="small outline"
            disabled={isBusy}
            onClick={() => {
              advance(duration)
            }}
          >
            + {words}
          </button>
        ))}
        <button
          type="button"
          class="small outline"
          disabled={isBusy}
          onClick={() => {
            set({ now: new Date().toISOString(), frozen: false })
          }}
        >
          Back to the real time
        </button>
      </div>
      <form
        class="inline"
        onSubmit={(event) => {
          event.preventDefault()
          advance(written)
        }}
      >
        <label>
          Duration (ISO 8601)
          <input
            required
            value={written}
            onInput={({ currentTarget }) => {
              setWritten(currentTarget.value)
            }}
          />
        </label>
        <button type="submit" aria-busy={isBusy}>
          Advance
        </button>
      </form>
      <Problem words={problem ?? clock.problem} />
      {came && <Came came={came} />}
      <h2>Due next</h2>
      <Problem words={due.problem} />
      {due.value?.length === 0 && <Empty>Nothing is going to happen by itself.</Empty>}
      {due.value && due.value.length > 0 && (
        <table>
          <thead>
            <tr>
              <th>When</th>
              <th>What</th>
              <th>
                <span class="unseen">Jump</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {due.value.map(({ at, job, delivery, heldBackBy }) => (
              <tr key={`${job} ${heldBackBy ?? ''}`}>
                <td>
                  <Instant at={at} timeZone={workspace.timezone} isLong />
                </td>
                <td>
                  {wordsOf(job)}
                  {delivery !== null && (
                    <>
                      , <a href={to('webhooks', { open: delivery })}>delivery {delivery}</a>
                    </>
                  )}
                  {heldBackBy !== null && <p class="hint">Held back by {heldBackBy}</p>}
                </td>
                <td>
                  {/* The clock has passed the time of an attempt that is held back. */}
                  {heldBackBy === null && (
                    <button
                      type="button"
                      class="small outline"
                      disabled={isBusy}
                      aria-label={`Jump there: ${wordsOf(job)}`}
                      onClick={() => {
                        // A running clock may have passed this time already. Then there is nothing to wait for.
                        advance(durationUntil(at, now ?? 0))
                      }}
                    >
                      Jump there
                    </button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  )
}

const durationUntil = (at: string, now: number): string =>
  `PT${String(Math.max(0, Math.ceil((new Date(at).getTime() - now) / 1000)))}S`

const wordsOf = (job: string): string =>
  job === 'webhooks.attempt' ? 'the next attempt to deliver a webhook' : job

function Came({ came: { ran, deliveries, complete } }: { came: Schema<'Advanced'> }) {
  return (
    <div role="status">
      <h2>What fell due</h2>
      {ran.length === 0 && deliveries.sent === 0 && <Empty>Nothing.</Empty>}
      <ul>
        {ran.map(({ job, count }) => (
          <li key={job}>
            {job}{' '}
            {count > 1 && (
              <Badge>
                {'\u00D7'}
                {count}
              </Badge>
            )}
          </li>
        ))}
        {deliveries.sent > 0 && <li>{deliveries.sent} attempts to deliver webhooks</li>}
      </ul>
      {!complete && <p class="hint">{deliveries.pending} attempts had not ended when the answer came.</p>}
      <p>
        <a href={to('now')}>See what followed</a>
      </p>
    </div>
  )
}
