/** The webhook subscriptions as filters of the deliveries, and forms that create, test and delete one. */
import { useState } from 'preact/hooks'
import { INTERFACES } from '@suite-sim/client/generated/control'
import type { Schema } from '@suite-sim/client/calling'
import { useRequest, useAction } from '../api.ts'
import { useLive } from '../live.ts'
import { filter, to } from '../route.ts'
import { RECEIVER, server, type InterfaceName, type Workspace } from '../server.ts'
import { FormButton } from './formButton.tsx'
import { Badge, Copy, Danger, ErrorMessage, Facts, Instant, type Tone } from './common.tsx'

type Subscription = Schema<'Subscription'>

const TEST_EVENT = 'sale.completed'

interface SubscriptionsProps {
  readonly workspace: Workspace
  /** The id of the subscription whose deliveries are shown. */
  readonly selected: string | undefined
}

export function Subscriptions({ workspace, selected }: SubscriptionsProps) {
  const path = { id: workspace.id }
  const request = useRequest(
    async () => (await server().call('listSubscriptions', { path })).data,
    [workspace.id],
  )
  useLive(['event', 'delivery'], request.reload)
  const [isFormOpen, setIsFormOpen] = useState(false)
  const [testResult, setTestResult] = useState<string | null>(null)
  const { isBusy, problem, run } = useAction()
  const subscriptions = request.value ?? []
  const opened = subscriptions.find(({ id }) => id === selected)
  return (
    <section aria-label="Subscriptions" class="subscriptions">
      <ul class="chips">
        <li>
          <a class="chip" href={to('webhooks')} aria-current={selected === undefined ? 'true' : undefined}>
            All subscriptions
          </a>
        </li>
        {subscriptions.map((subscription) => (
          <li key={subscription.id}>
            <Chip subscription={subscription} isSelected={subscription === opened} />
          </li>
        ))}
        {request.value?.length === 0 && (
          <li class="empty">No subscriptions yet. Create one to receive webhooks.</li>
        )}
      </ul>
      <ErrorMessage text={request.problem ?? problem} />
      {opened && (
        <OpenedSubscription
          workspace={workspace}
          subscription={opened}
          onDeleted={() => {
            filter({ subscription: undefined })
            request.reload()
          }}
        />
      )}
      <div class="actions">
        <FormButton isOpen={isFormOpen} setIsOpen={setIsFormOpen}>
          Add subscription
        </FormButton>
        <button
          type="button"
          class="small outline"
          aria-busy={isBusy}
          title={`Sends a sample ${TEST_EVENT} event of the point of sale`}
          onClick={() => {
            run(async () => {
              await server().call('pullTrigger', {
                path: { ...path, name: 'pos.event.emit' },
                body: { event: TEST_EVENT },
              })
              setTestResult(
                subscriptions.some(receivesTest)
                  ? 'The test event was sent.'
                  : `No active subscription to ${TEST_EVENT} of pos. Create one to receive the test event.`,
              )
            })
          }}
        >
          Send test event
        </button>
        <a href={to('triggers')}>Cause other events with triggers</a>
        {testResult !== null && <span role="status">{testResult}</span>}
      </div>
      {isFormOpen && <NewSubscription workspace={workspace} onCreated={request.reload} />}
    </section>
  )
}

const receivesTest = ({ interface: of, active, events }: Subscription): boolean =>
  of === 'pos' && active && (events.includes('*') || events.includes(TEST_EVENT))

/** A link that shows only the deliveries of a subscription. */
function Chip({ subscription, isSelected }: { subscription: Subscription; isSelected: boolean }) {
  const { id, interface: of, url, active, pending, dead } = subscription
  return (
    <a
      class="chip"
      href={to('webhooks', isSelected ? {} : { subscription: id })}
      title={url}
      aria-current={isSelected ? 'true' : undefined}
    >
      <strong>{of}</strong>{' '}
      <span class="where">{url.replace(/^(listen:)\w+\//, '$1').replace(/https?:\/\//, '')}</span>
      {!active && <Badge tone="warn">inactive</Badge>}
      <ChipCount tone="warn" count={pending} what="pending" />
      <ChipCount tone="bad" count={dead} what="dead" />
    </a>
  )
}

/** Keeps its place while it is 0, so that live updates shift nothing. */
const ChipCount = ({ tone, count, what }: { tone: Tone; count: number; what: string }) => (
  <span class={count > 0 ? 'count' : 'count none'} title={`${String(count)} ${what}`}>
    <Badge tone={tone}>
      {count > 99 ? '99+' : count} <span class="visually-hidden">{what}</span>
    </Badge>
  </span>
)

interface OpenedProps {
  readonly workspace: Workspace
  readonly subscription: Subscription
  readonly onDeleted: () => void
}

function OpenedSubscription({ workspace, subscription, onDeleted }: OpenedProps) {
  const { id, interface: of, url, events, createdAt, active } = subscription
  const { isBusy, problem, run } = useAction()
  return (
    <article class="opened" aria-label="Selected subscription">
      <Facts
        of={[
          ['Interface', of],
          ['URL', <code>{url}</code>],
          ['Events', events.includes('*') ? 'all' : events.join(', ')],
          ['Created', <Instant at={createdAt} timeZone={workspace.timezone} isLong />],
          ['State', active ? 'active' : 'inactive'],
          ['Id', <code>{id}</code>],
        ]}
      />
      <Danger
        label={`Delete subscription of ${of} to ${url}`}
        isBusy={isBusy}
        question={`Delete the subscription of ${of} to ${url}? No new webhooks are sent there.`}
        onConfirmed={() => {
          run(async () => {
            await server().call('deleteSubscription', {
              path: { id: workspace.id, subscriptionId: id },
            })
            onDeleted()
          })
        }}
      >
        Delete subscription
      </Danger>
      <ErrorMessage text={problem} />
    </article>
  )
}

function NewSubscription({ workspace, onCreated }: { workspace: Workspace; onCreated: () => void }) {
  const [of, setOf] = useState<InterfaceName>('pos')
  const [url, setUrl] = useState('')
  const [events, setEvents] = useState('*')
  const [secret, setSecret] = useState<string | null>(null)
  const { isBusy, problem, run } = useAction()
  return (
    <form
      class="inline"
      onSubmit={(event) => {
        event.preventDefault()
        run(async () => {
          const subscription = await server().call('createSubscription', {
            path: { id: workspace.id },
            body: { interface: of, url: url.trim(), events: events.split(',').map((each) => each.trim()) },
          })
          setSecret(subscription.secret)
          onCreated()
        })
      }}
    >
      <InterfaceSelect value={of} onChange={setOf} />
      <label class="grow">
        URL
        <input
          type="url"
          required
          value={url}
          placeholder="http://127.0.0.1:3000/webhooks"
          onInput={({ currentTarget }) => {
            setUrl(currentTarget.value)
          }}
        />
      </label>
      <label>
        Events
        <input
          required
          value={events}
          onInput={({ currentTarget }) => {
            setEvents(currentTarget.value)
          }}
        />
      </label>
      <button
        type="button"
        class="outline"
        title="A URL of this server that accepts all webhooks. The page Inbox shows them."
        onClick={() => {
          setUrl(RECEIVER)
        }}
      >
        Use built-in receiver
      </button>
      <button type="submit" aria-busy={isBusy}>
        Create subscription
      </button>
      <ErrorMessage text={problem} />
      {secret !== null && (
        <p role="status">
          Subscription created. Copy its secret now: <code>{secret}</code>{' '}
          <Copy text={secret} what="the secret" />
        </p>
      )}
    </form>
  )
}

interface InterfaceSelectProps {
  readonly value: InterfaceName
  readonly onChange: (value: InterfaceName) => void
}

export const InterfaceSelect = ({ value, onChange }: InterfaceSelectProps) => (
  <label>
    Interface
    <select
      value={value}
      onChange={({ currentTarget }) => {
        onChange(currentTarget.value as InterfaceName)
      }}
    >
      {Object.keys(INTERFACES).map((name) => (
        <option key={name}>{name}</option>
      ))}
    </select>
  </label>
)
