/** The webhook subscriptions, and the deliveries with their attempts. */
import { useState } from 'preact/hooks'
import { INTERFACES } from '../../library/generated/control.ts'
import type { Query, Schema } from '../../library/calling.ts'
import { useRequest, useAction } from '../api.ts'
import type { PageProps } from '../pageProps.ts'
import { useLive } from '../live.ts'
import {
  Badge,
  Choice,
  Empty,
  Facts,
  Instant,
  ErrorMessage,
  Search,
  Split,
  Table,
  type Tone,
} from '../parts/common.tsx'
import { Json } from '../parts/json.tsx'
import { Rows } from '../parts/rows.tsx'
import { Signature } from '../parts/signature.tsx'
import { Subscriptions } from '../parts/subscriptions.tsx'
import { filter, openAddress, to } from '../route.ts'
import { server, type Workspace } from '../server.ts'

const STATUSES = ['pending', 'delivered', 'dead'] as const
const TONES: Readonly<Record<(typeof STATUSES)[number], Tone>> = {
  pending: 'warn',
  delivered: 'good',
  dead: 'bad',
}
const MAX_COUNT = 1000

export function Webhooks({ workspace, query }: PageProps) {
  const { interface: of, status, event, open } = query
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
          } as Query<'listDeliveries'>,
        })
      ).data,
    [of, status, event],
  )
  useLive(['event', 'delivery'], request.reload)
  const deliveries = request.value ?? []
  const opened = deliveries.find(({ id }) => id === open)
  return (
    <>
      <Subscriptions workspace={workspace} />
      <section aria-labelledby="deliveries">
        <h2 id="deliveries">Deliveries</h2>
        <div class="filters">
          <Choice
            label="Interface"
            value={of}
            options={Object.keys(INTERFACES)}
            onChange={(value) => {
              filter({ interface: value })
            }}
          />
          <Choice
            label="Status"
            value={status}
            options={STATUSES}
            onChange={(value) => {
              filter({ status: value })
            }}
          />
          <Search
            label="Event"
            value={event}
            placeholder="deal.won"
            onChange={(value) => {
              filter({ event: value })
            }}
          />
        </div>
        <ErrorMessage text={request.problem} />
        <Split
          close={openAddress(undefined)}
          list={
            deliveries.length > 0 ? (
              <Rows
                label="Deliveries, newest first"
                items={deliveries}
                isFailed={({ status }) => status === 'dead'}
                keyOf={({ id }) => id}
                addressOf={({ id }) => openAddress(id)}
                opened={open}
                row={(delivery) => (
                  <>
                    <Badge tone={TONES[delivery.status]}>{delivery.status}</Badge>{' '}
                    <span class="method">{delivery.interface}</span>{' '}
                    <span class="title">
                      {delivery.event} <small>{delivery.url}</small>
                    </span>{' '}
                    <span class="aside">
                      {delivery.attempts.length} {delivery.attempts.length === 1 ? 'attempt' : 'attempts'}
                    </span>
                  </>
                )}
              />
            ) : (
              request.value && (
                <Empty>
                  {of || status || event
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
                <Empty>The delivery is not among the newest {MAX_COUNT} matching deliveries.</Empty>
              )
            ))
          }
        />
      </section>
    </>
  )
}

interface DeliveryProps {
  readonly workspace: Workspace
  readonly delivery: Schema<'Delivery'>
  readonly onChanged: () => void
}

function DeliveryDetail({ workspace, delivery, onChanged }: DeliveryProps) {
  const { isBusy, problem, run } = useAction()
  const [isRedelivered, setIsRedelivered] = useState(false)
  const { attempts, nextAttemptAt } = delivery
  return (
    <>
      <h2>
        <Badge tone={TONES[delivery.status]}>{delivery.status}</Badge> {delivery.event}
      </h2>
      <Facts
        of={[
          ['URL', <code>{delivery.url}</code>],
          ['Interface', delivery.interface],
          ...(nextAttemptAt === null
            ? []
            : ([
                ['Next attempt', <Instant at={nextAttemptAt} timeZone={workspace.timezone} isLong />],
              ] as const)),
        ]}
      />
      <div class="actions">
        <button
          type="button"
          class="small"
          aria-busy={isBusy}
          onClick={() => {
            run(async () => {
              await server().call('redeliver', { path: { id: workspace.id, deliveryId: delivery.id } })
              setIsRedelivered(true)
              onChanged()
            })
          }}
        >
          Redeliver
        </button>
        {nextAttemptAt !== null && <a href={to('clock')}>Advance clock to next attempt</a>}
      </div>
      {isRedelivered && <p role="status">The delivery is being sent again.</p>}
      <ErrorMessage text={problem} />
      <h3>Attempts</h3>
      {attempts.length === 0 ? (
        <Empty>
          No attempts yet. The delivery is due, or waits for an earlier delivery of the same record.
        </Empty>
      ) : (
        <Table
          label="Attempts"
          heads={['When', 'Response', 'Duration']}
          rows={attempts.map((attempt, index) => ({
            key: String(index),
            cells: [
              <Instant at={attempt.at} timeZone={workspace.timezone} />,
              <>
                {attempt.status !== null && (
                  <Badge tone={attempt.status < 300 ? 'good' : 'bad'}>{attempt.status}</Badge>
                )}{' '}
                {attempt.error}
              </>,
              `${String(attempt.durationMs)} ms`,
            ],
          }))}
        />
      )}
      <h3>Signature</h3>
      <Signature body={JSON.stringify(delivery.payload)} />
      <Json label="Payload" value={delivery.payload} />
    </>
  )
}
