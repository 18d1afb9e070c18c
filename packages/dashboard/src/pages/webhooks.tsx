/** The webhook deliveries with their attempts, filtered by subscription, interface, status and event. */
import { useMemo, useState } from 'preact/hooks'
import { INTERFACES } from '@suite-sim/client/generated/control'
import type { Query, Schema } from '@suite-sim/client/calling'
import { useRequest, useAction } from '../api.ts'
import type { PageProps } from '../pageProps.ts'
import { useLive } from '../live.ts'
import { Cause } from '../parts/cause.tsx'
import {
  Badge,
  Empty,
  Facts,
  Gone,
  Instant,
  ErrorMessage,
  NewestOnly,
  Split,
  Table,
  type Tone,
} from '../parts/common.tsx'
import { Choice, Search } from '../parts/filters.tsx'
import { dayOf } from '../parts/dates.ts'
import { Count, GroupFilter, rowAddress } from '../parts/groups.tsx'
import { Json } from '../parts/json.tsx'
import { keyOfRow, rowsOf, type Repeat, type Row } from '../parts/repeats.ts'
import { Rows } from '../parts/rows.tsx'
import { Signature } from '../parts/signature.tsx'
import { Subscriptions } from '../parts/subscriptions.tsx'
import { useTimes } from '../parts/times.tsx'
import { Until } from '../parts/until.tsx'
import { openAddress, to } from '../route.ts'
import { RECEIVER, server, type Workspace } from '../server.ts'

type Delivery = Schema<'Delivery'>
type Attempt = Delivery['attempts'][number]

const STATUSES = ['pending', 'delivered', 'dead'] as const
const MAX_COUNT = 1000

/** A delivery is pending before its first attempt, and while failed attempts are repeated. */
const toneOf = ({ status, attempts }: Delivery): Tone =>
  status === 'delivered' ? 'good' : status === 'dead' ? 'bad' : attempts.length > 0 ? 'warn' : 'plain'

/** Deliveries that failed in the same way repeat each other. Others differ in their records. */
const repeatIn =
  (timeZone: string) =>
  (delivery: Delivery): Repeat => {
    const { id, interface: of, event, url, status, createdAt, attempts } = delivery
    const last = attempts.at(-1)
    return {
      // Without the number of attempts, which differs for each moment at which deliveries began to fail.
      key:
        last && status !== 'delivered'
          ? [dayOf(createdAt, timeZone), of, event, url, status, resultText(last)].join(' ')
          : id,
      reach: 'any',
    }
  }

const isDead = ({ status }: Delivery): boolean => status === 'dead'

export function Webhooks({ workspace, query }: PageProps) {
  const { interface: of, status, event, subscription, open, group } = query
  const isGrouped = query['grouped'] !== 'no'
  const request = useRequest(
    async () =>
      (
        await server().call('listDeliveries', {
          path: { id: workspace.id },
          query: {
            limit: MAX_COUNT,
            ...(of && { interface: of }),
            ...(status && { status }),
            ...(event && { event }),
            ...(subscription && { subscription }),
          } as Query<'listDeliveries'>,
        })
      ).data,
    [of, status, event, subscription],
  )
  useLive(['event', 'delivery'], request.reload)
  const deliveries = request.value ?? []
  const rows = useMemo(() => {
    const repeatOf = repeatIn(workspace.timezone)
    return rowsOf(request.value ?? [], { idOf: ({ id }) => id, repeatOf, open: group, isGrouped })
  }, [request.value, group, isGrouped, workspace.timezone])
  const opened = deliveries.find(({ id }) => id === open)
  const isFiltered = [of, status, event, subscription].some(Boolean)
  /** Older deliveries, which may be dead, are not in the list. */
  const isCut = deliveries.length >= MAX_COUNT
  return (
    <>
      <Subscriptions workspace={workspace} selected={subscription} />
      <section aria-label="Deliveries">
        <div class="filters">
          <Choice label="Interface" name="interface" options={Object.keys(INTERFACES)} />
          <Choice label="Status" name="status" options={STATUSES} />
          <Search label="Event" name="event" placeholder="deal.won" />
          <GroupFilter isGrouped={isGrouped} />
        </div>
        <ErrorMessage text={request.problem} />
        <NewestOnly count={deliveries.length} max={MAX_COUNT} />
        <RedeliverDead
          // Another filter starts without the result of the last one.
          key={JSON.stringify([of, status, event, subscription])}
          workspace={workspace}
          isPossible={subscription === undefined && (isCut || deliveries.some(isDead))}
          filter={{ ...(of && { interface: of }), ...(event && { event }) }}
          onChanged={request.reload}
        />
        <Split
          close={openAddress(undefined)}
          list={
            deliveries.length > 0 ? (
              <Rows
                label="Deliveries, newest first"
                items={rows}
                at={({ item }) => item.createdAt}
                linesOf={() => 3}
                isFailed={({ item }) => isDead(item)}
                keyOf={({ key }) => key}
                addressOf={(row) => rowAddress(row, group)}
                opened={open && keyOfRow(rows, ({ id }) => id === open)}
                row={(row) => <DeliveryRow row={row} group={group} />}
              />
            ) : (
              request.value && (
                <Empty>
                  {isFiltered
                    ? 'No matching deliveries.'
                    : 'No deliveries yet. Create a subscription, then make a call or pull a trigger.'}
                </Empty>
              )
            )
          }
          opened={
            open &&
            (opened ? (
              <DeliveryDetail
                key={opened.id}
                workspace={workspace}
                delivery={opened}
                onChanged={request.reload}
              />
            ) : (
              request.value && (
                <Gone title="This delivery is not in the list">
                  The list has the newest {MAX_COUNT.toLocaleString('en-US')} deliveries that match the
                  filters. A reset and a restored snapshot delete all deliveries of the workspace.
                </Gone>
              )
            ))
          }
        />
      </section>
    </>
  )
}

interface RedeliverDeadProps {
  readonly workspace: Workspace
  readonly isPossible: boolean
  /** The filters of the page. */
  readonly filter: { readonly interface?: string; readonly event?: string }
  readonly onChanged: () => void
}

function RedeliverDead({ workspace, isPossible, filter, onChanged }: RedeliverDeadProps) {
  const { isBusy, problem, run } = useAction()
  const [count, setCount] = useState<number | null>(null)
  if (!isPossible && count === null) return null
  return (
    <div class="actions">
      <button
        type="button"
        class="small outline"
        aria-busy={isBusy}
        disabled={!isPossible}
        onClick={() => {
          run(async () => {
            const body = { status: 'dead', ...filter } as Schema<'Redelivery'>
            const redelivered = await server().call('redeliverAll', { path: { id: workspace.id }, body })
            setCount(redelivered.count)
            onChanged()
          })
        }}
      >
        Redeliver all dead
      </button>
      {count !== null && <span role="status">{redeliveredText(count)}</span>}
      <ErrorMessage text={problem} />
    </div>
  )
}

const redeliveredText = (count: number): string =>
  count === 0
    ? 'No dead delivery has an active subscription.'
    : `${String(count)} ${count === 1 ? 'delivery is' : 'deliveries are'} being sent again.`

const DeliveryRow = ({ row, group }: { row: Row<Delivery>; group: string | undefined }) => {
  const { item: delivery, items, isMember } = row
  return (
    <>
      {isMember && <span class="member" />}
      <Badge tone={toneOf(delivery)}>{delivery.status}</Badge>{' '}
      <span class="method">{delivery.interface}</span>{' '}
      <span class="title">
        {delivery.event} <small>{delivery.url}</small>
      </span>{' '}
      <span class="reason">
        {outcomeText(delivery)}
        {delivery.nextAttemptAt !== null && (
          <>
            , next <Until at={delivery.nextAttemptAt} />
          </>
        )}
      </span>{' '}
      {items.length > 1 ? (
        <Count row={row} at={({ createdAt }) => createdAt} open={group} />
      ) : (
        <span class="aside attempts">{countText(delivery.attempts.length)}</span>
      )}
    </>
  )
}

const countText = (attempts: number): string =>
  attempts === 1 ? '1 attempt' : `${String(attempts)} attempts`

const resultText = ({ status, error }: Attempt): string => (status === null ? (error ?? '') : String(status))

/** Returns the result of the last attempt, and how often it was repeated: "500, 3 times". */
function outcomeText({ attempts, status }: Delivery): string {
  const last = runsOf(attempts).at(-1)
  if (!last) return status === 'dead' ? 'canceled' : 'no attempt yet'
  const times = last.attempts.length
  return times === 1
    ? resultText(last.attempts[0])
    : `${resultText(last.attempts[0])}, ${String(times)} times`
}

/** Attempts one after the other with the same result. */
interface Run {
  readonly attempts: [Attempt, ...Attempt[]]
}

function runsOf(attempts: readonly Attempt[]): Run[] {
  const runs: Run[] = []
  for (const attempt of attempts) {
    const last = runs.at(-1)?.attempts
    if (last && last[0].status === attempt.status && last[0].error === attempt.error) last.push(attempt)
    else runs.push({ attempts: [attempt] })
  }
  return runs
}

interface DeliveryProps {
  readonly workspace: Workspace
  readonly delivery: Delivery
  readonly onChanged: () => void
}

function DeliveryDetail({ workspace, delivery, onChanged }: DeliveryProps) {
  const { isBusy, problem, run } = useAction()
  const [isRedelivered, setIsRedelivered] = useState(false)
  const { id, attempts, nextAttemptAt, url } = delivery
  return (
    <>
      <h2>
        <Badge tone={toneOf(delivery)}>{delivery.status}</Badge> {delivery.event}
      </h2>
      <Facts
        of={[
          ['URL', <code>{url}</code>],
          ['Interface', delivery.interface],
          [
            'Subscription',
            <a href={to('webhooks', { subscription: delivery.subscriptionId, open: id })}>
              {delivery.subscriptionId}
            </a>,
          ],
          ['Created', <Instant at={delivery.createdAt} timeZone={workspace.timezone} isLong />],
          ['Cause', <Cause workspace={workspace} kind="delivery" id={id} />],
        ]}
      />
      <div class="actions">
        <button
          type="button"
          class="small"
          aria-busy={isBusy}
          onClick={() => {
            run(async () => {
              await server().call('redeliver', { path: { id: workspace.id, deliveryId: id } })
              setIsRedelivered(true)
              onChanged()
            })
          }}
        >
          Redeliver
        </button>
        {url === RECEIVER && <a href={to('inbox')}>Show in inbox</a>}
        {isRedelivered && <span role="status">The delivery is being sent again.</span>}
      </div>
      {nextAttemptAt !== null && (
        <NextAttempt workspace={workspace} at={nextAttemptAt} onAdvanced={onChanged} />
      )}
      <ErrorMessage text={problem} />
      <h3>Attempts</h3>
      {attempts.length === 0 ? (
        <Empty>
          {delivery.status === 'dead'
            ? 'The delivery was canceled before its first attempt.'
            : 'No attempts yet. The delivery is due, or waits for an earlier delivery of the same record.'}
        </Empty>
      ) : (
        <Table
          label="Attempts"
          heads={['When', 'Result', 'Duration']}
          rows={runsOf(attempts).map((each) => ({
            key: each.attempts[0].at,
            cells: attemptCells(each, workspace.timezone),
          }))}
        />
      )}
      <h3>Signature</h3>
      <Signature body={JSON.stringify(delivery.payload)} />
      <Json label="Payload" value={delivery.payload} />
    </>
  )
}

function attemptCells({ attempts }: Run, timeZone: string) {
  const [first] = attempts
  const last = attempts.at(-1) ?? first
  const durations = attempts.map(({ durationMs }) => durationMs)
  const [shortest, longest] = [Math.min(...durations), Math.max(...durations)]
  return [
    <span>
      <Instant at={first.at} timeZone={timeZone} />
      {last !== first && (
        <>
          {' '}
          to <Instant at={last.at} timeZone={timeZone} />
        </>
      )}
    </span>,
    <span>
      {first.status !== null && <Badge tone={first.status < 300 ? 'good' : 'bad'}>{first.status}</Badge>}{' '}
      {first.error} {attempts.length > 1 && <strong>{attempts.length} times</strong>}
    </span>,
    shortest === longest ? `${String(longest)} ms` : `${String(shortest)} to ${String(longest)} ms`,
  ]
}

interface NextAttemptProps {
  readonly workspace: Workspace
  readonly at: string
  readonly onAdvanced: () => void
}

/** When the next attempt follows, and a button that moves the clock there. */
function NextAttempt({ workspace, at, onAdvanced }: NextAttemptProps) {
  const { isBusy, problem, run } = useAction()
  const { clock } = useTimes()
  return (
    <div class="actions">
      <span>
        Next attempt <Until at={at} /> (<Instant at={at} timeZone={workspace.timezone} />)
        {clock.value?.frozen === true && ', and the clock is frozen'}
      </span>
      <button
        type="button"
        class="small outline"
        aria-busy={isBusy}
        onClick={() => {
          run(async () => {
            const path = { id: workspace.id }
            const { now } = await server().call('getClock', { path })
            const seconds = Math.max(0, Math.ceil((Date.parse(at) - Date.parse(now)) / 1000))
            await server().call('advanceClock', { path, body: { duration: `PT${String(seconds)}S` } })
            clock.reload()
            onAdvanced()
          })
        }}
      >
        Advance clock to next attempt
      </button>
      <ErrorMessage text={problem} />
    </div>
  )
}
