/** The clock of the workspace: its time, buttons that move it, due jobs, and jobs that ran. */
import { useState } from 'preact/hooks'
import type { Schema } from '@suite-sim/client/calling'
import { useRequest, useAction } from '../api.ts'
import type { PageProps } from '../pageProps.ts'
import { useLive } from '../live.ts'
import { Badge, Empty, Instant, ErrorMessage, Table } from '../parts/common.tsx'
import { CLOCK_STEPS } from '../parts/workspaceActions.ts'
import { useClock, useTicking } from '../parts/times.tsx'
import { clockText } from '../parts/workspaceClock.tsx'
import { to } from '../route.ts'
import { server } from '../server.ts'

export function ClockPage({ workspace }: PageProps) {
  const path = { id: workspace.id }
  const clock = useClock()
  const now = useTicking(clock.value)
  const due = useRequest(async () => (await server().call('listDue', { path })).data, [workspace.id])
  useLive(['request', 'trigger', 'job', 'delivery', 'event'], due.reload)
  const [result, setResult] = useState<Schema<'Advanced'> | null>(null)
  const [hint, setHint] = useState<string | null>(null)
  const [customDuration, setCustomDuration] = useState('PT12H')
  const { isBusy, problem, run } = useAction()
  const isFrozen = clock.value?.frozen === true
  const reload = (): void => {
    clock.reload()
    due.reload()
  }
  const advance = (duration: string): void => {
    run(async () => {
      setHint(null)
      setResult(await server().call('advanceClock', { path, body: { duration } }))
      reload()
    })
  }
  const set = (body: { now?: string; frozen?: boolean }): void => {
    run(async () => {
      setResult(null)
      setHint((await server().call('setClock', { path, body })).hint ?? null)
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
      {hint !== null && <p role="status">{hint}</p>}
      <div class="actions">
        <button
          type="button"
          class="small"
          aria-busy={isBusy}
          onClick={() => {
            set({ frozen: !isFrozen })
          }}
        >
          {isFrozen ? 'Resume clock' : 'Freeze clock'}
        </button>
        {CLOCK_STEPS.map(([label, duration]) => (
          <button
            key={duration}
            type="button"
            class="small outline"
            disabled={isBusy}
            onClick={() => {
              advance(duration)
            }}
          >
            + {label}
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
          Reset to real time
        </button>
      </div>
      <form
        class="inline"
        onSubmit={(event) => {
          event.preventDefault()
          advance(customDuration)
        }}
      >
        <label>
          Duration (ISO 8601)
          <input
            required
            value={customDuration}
            onInput={({ currentTarget }) => {
              setCustomDuration(currentTarget.value)
            }}
          />
        </label>
        <button type="submit" aria-busy={isBusy}>
          Advance
        </button>
      </form>
      <ErrorMessage text={problem ?? clock.problem} />
      {result && <AdvanceResult result={result} />}
      <h2>Due jobs</h2>
      <ErrorMessage text={due.problem} />
      {due.value?.length === 0 && <Empty>No due jobs.</Empty>}
      {due.value && due.value.length > 0 && (
        <Table
          label="Due jobs"
          heads={['When', 'Job', { hidden: 'Actions' }]}
          rows={due.value.map(({ at, job, delivery, heldBackBy }) => ({
            key: `${job} ${heldBackBy ?? ''}`,
            cells: [
              <Instant at={at} timeZone={workspace.timezone} isLong />,
              <>
                {jobLabel(job)}
                {delivery !== null && (
                  <>
                    , <a href={to('webhooks', { open: delivery })}>delivery {delivery}</a>
                  </>
                )}
                {heldBackBy !== null && <p class="hint">Held back by {heldBackBy}</p>}
              </>,
              /* The clock has passed the time of an attempt that is held back. */
              heldBackBy === null && (
                <button
                  type="button"
                  class="small outline"
                  disabled={isBusy}
                  aria-label={`Advance to this time: ${jobLabel(job)}`}
                  onClick={() => {
                    // A running clock may already have passed this time. Then the duration is zero.
                    advance(durationUntil(at, now ?? 0))
                  }}
                >
                  Advance to this time
                </button>
              ),
            ],
          }))}
        />
      )}
    </>
  )
}

const durationUntil = (at: string, now: number): string =>
  `PT${String(Math.max(0, Math.ceil((new Date(at).getTime() - now) / 1000)))}S`

const jobLabel = (job: string): string => (job === 'webhooks.attempt' ? 'next delivery attempt' : job)

function AdvanceResult({ result: { ran, deliveries, complete } }: { result: Schema<'Advanced'> }) {
  return (
    <div role="status">
      <h2>Completed jobs</h2>
      {ran.length === 0 && deliveries.sent === 0 && <Empty>No jobs were due.</Empty>}
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
        {deliveries.sent > 0 && <li>{deliveries.sent} delivery attempts</li>}
      </ul>
      {!complete && <p class="hint">{deliveries.pending} delivery attempts are still in flight.</p>}
      <p>
        <a href={to('now')}>Show in timeline</a>
      </p>
    </div>
  )
}
