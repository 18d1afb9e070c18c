/** The webhook subscriptions of all interfaces, and forms that create one or send a test event. */
import { useState } from 'preact/hooks'
import { INTERFACES } from '../../library/generated/control.ts'
import { useRequest, useAction } from '../api.ts'
import { to } from '../route.ts'
import { ROOT, server, type InterfaceName, type Workspace } from '../server.ts'
import { Badge, Copy, Danger, ErrorMessage, Table } from './common.tsx'

export function Subscriptions({ workspace }: { workspace: Workspace }) {
  const path = { id: workspace.id }
  const request = useRequest(
    async () => (await server().call('listSubscriptions', { path })).data,
    [workspace.id],
  )
  const [isFormOpen, setIsFormOpen] = useState(false)
  const [testResult, setTestResult] = useState<string | null>(null)
  const { isBusy, problem, run } = useAction()
  const subscriptions = request.value ?? []
  return (
    <section aria-labelledby="subscriptions">
      <h2 id="subscriptions">Subscriptions</h2>
      {request.value && subscriptions.length === 0 && (
        <p class="empty">No subscriptions yet. Create one to receive webhooks.</p>
      )}
      {subscriptions.length > 0 && (
        <Table
          label="Subscriptions"
          heads={['Interface', 'URL', 'Events', { hidden: 'Actions' }]}
          rows={subscriptions.map(({ id, interface: of, url, events, active }) => ({
            key: id,
            cells: [
              of,
              <>
                <code>{url}</code> {!active && <Badge tone="warn">inactive</Badge>}
              </>,
              events.join(', '),
              <Danger
                label={`Delete subscription of ${of} to ${url}`}
                question={`Delete the subscription of ${of} to ${url}? No new webhooks are sent there.`}
                onConfirmed={() => {
                  run(async () => {
                    await server().call('deleteSubscription', { path: { ...path, subscriptionId: id } })
                    request.reload()
                  })
                }}
              >
                Delete
              </Danger>,
            ],
          }))}
        />
      )}
      <ErrorMessage text={request.problem ?? problem} />
      <div class="actions">
        <button
          type="button"
          class="small outline"
          aria-expanded={isFormOpen}
          onClick={() => {
            setIsFormOpen(!isFormOpen)
          }}
        >
          Add subscription
        </button>
        <button
          type="button"
          class="small outline"
          aria-busy={isBusy}
          title="Sends a sample sale.completed event of the point of sale"
          onClick={() => {
            run(async () => {
              await server().call('pullTrigger', {
                path: { ...path, name: 'pos.event.emit' },
                body: { event: 'sale.completed' },
              })
              setTestResult(
                subscriptions.some((each) => each.interface === 'pos' && each.active)
                  ? 'The test event was testResult.'
                  : 'No active subscription to pos. Create one to receive the test event.',
              )
            })
          }}
        >
          Send test event
        </button>
        <a href={to('triggers')}>Cause other events with triggers</a>
      </div>
      {testResult !== null && <p role="status">{testResult}</p>}
      {isFormOpen && <NewSubscription workspace={workspace} onCreated={request.reload} />}
    </section>
  )
}

/** The built-in receiver of this server, which accepts and discards webhooks. */
const RECEIVER = `${ROOT}/_sim/receiver`

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
      <label>
        Interface
        <select
          value={of}
          onChange={({ currentTarget }) => {
            setOf(currentTarget.value as InterfaceName)
          }}
        >
          {Object.keys(INTERFACES).map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
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
        title="A URL of this server that accepts and discards all webhooks"
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
          Subscription created. Its secret, shown only here: <code>{secret}</code>{' '}
          <Copy text={secret} what="the secret" />
        </p>
      )}
    </form>
  )
}
