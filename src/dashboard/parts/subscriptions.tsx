/** The webhook subscriptions of all interfaces, a new one, and something to receive. */
import { useState } from 'preact/hooks'
import { INTERFACES } from '../../library/control.ts'
import { useAsked, useDoing } from '../api.ts'
import { to } from '../route.ts'
import { ROOT, server, type InterfaceName, type Workspace } from '../server.ts'
import { Badge, Copy, Problem } from './common.tsx'

export function Subscriptions({ workspace }: { workspace: Workspace }) {
  const path = { id: workspace.id }
  const asked = useAsked(
    async () => (await server().call('listSubscriptions', { path })).data,
    [workspace.id],
  )
  const [isMaking, setIsMaking] = useState(false)
  const [sent, setSent] = useState<string | null>(null)
  const { isBusy, problem, run } = useDoing()
  const subscriptions = asked.value ?? []
  return (
    <section aria-labelledby="subscriptions">
      <h2 id="subscriptions">Subscriptions</h2>
      {asked.value && subscriptions.length === 0 && <p class="empty">None: nothing is sent to anybody.</p>}
      {subscriptions.length > 0 && (
        <div class="wide" tabIndex={0} role="group" aria-label="Subscriptions">
          <table>
            <thead>
              <tr>
                <th>Interface</th>
                <th>URL</th>
                <th>Events</th>
                <th>
                  <span class="unseen">Remove</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {subscriptions.map(({ id, interface: of, url, events, active }) => (
                <tr key={id}>
                  <td>{of}</td>
                  <td>
                    <code>{url}</code> {!active && <Badge tone="warn">inactive</Badge>}
                  </td>
                  <td>{events.join(', ')}</td>
                  <td>
                    <button
                      type="button"
                      class="small outline"
                      aria-label={`Remove the subscription of ${of} at ${url}`}
                      onClick={() => {
                        run(async () => {
                          await server().call('deleteSubscription', { path: { ...path, subscriptionId: id } })
                          asked.reload()
                        })
                      }}
                    >
                      Remove
                    </button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Problem words={asked.problem ?? problem} />
      <div class="actions">
        <button
          type="button"
          class="small outline"
          aria-expanded={isMaking}
          onClick={() => {
            setIsMaking(!isMaking)
          }}
        >
          New subscription
        </button>
        <button
          type="button"
          class="small outline"
          aria-busy={isBusy}
          title="Has the point of sale send a sample of its event sale.completed"
          onClick={() => {
            run(async () => {
              await server().call('pullTrigger', {
                path: { ...path, name: 'pos.event.emit' },
                body: { event: 'sale.completed' },
              })
              setSent(
                subscriptions.some((each) => each.interface === 'pos' && each.active)
                  ? 'The point of sale has sent a sample.'
                  : 'The point of sale has nobody to send a sample to: subscribe to pos.',
              )
            })
          }}
        >
          Send a sample
        </button>
        <a href={to('triggers')}>Other events follow from calls and triggers</a>
      </div>
      {sent !== null && <p role="status">{sent}</p>}
      {isMaking && <NewSubscription workspace={workspace} made={asked.reload} />}
    </section>
  )
}

/** What takes webhooks and does nothing, at this server. */
const RECEIVER = `${ROOT}/_sim/receiver`

function NewSubscription({ workspace, made }: { workspace: Workspace; made: () => void }) {
  const [of, setOf] = useState<InterfaceName>('pos')
  const [url, setUrl] = useState('')
  const [events, setEvents] = useState('*')
  const [secret, setSecret] = useState<string | null>(null)
  const { isBusy, problem, run } = useDoing()
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
          made()
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
        title="An address of this server that takes every webhook and does nothing with it"
        onClick={() => {
          setUrl(RECEIVER)
        }}
      >
        Use the built-in receiver
      </button>
      <button type="submit" aria-busy={isBusy}>
        Subscribe
      </button>
      <Problem words={problem} />
      {secret !== null && (
        <p role="status">
          Subscribed. Its secret, which is shown here only: <code>{secret}</code>{' '}
          <Copy text={secret} what="the secret" />
        </p>
      )}
    </form>
  )
}
