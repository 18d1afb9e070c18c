/** The first steps with a workspace without calls: a call, a webhook, and what to try next. */
import { useEffect, useState } from 'preact/hooks'
import type { Schema } from '@suite-sim/client/calling'
import { useIsConfined } from '../access.ts'
import { useAction, useRequest } from '../api.ts'
import { live, useLive } from '../live.ts'
import { to } from '../route.ts'
import { docsPage, RECEIVER, ROOT, server, type TimelineItem, type Workspace } from '../server.ts'
import { Badge, Copy, ErrorMessage } from './common.tsx'
import { ExampleCall } from './exampleCall.tsx'
import { Kind } from './timelineEntry.tsx'

const DISMISSED = 'suite-sim-first-steps-dismissed'

/** Browsers can refuse access to the storage. */
function isDismissed(): boolean {
  try {
    return localStorage.getItem(DISMISSED) !== null
  } catch {
    return false
  }
}

function dismiss(): void {
  try {
    localStorage.setItem(DISMISSED, 'yes')
  } catch {
    // The steps come back on the next visit.
  }
}

interface FirstStepsState {
  /** Whether the page shows the steps: the workspace had no calls when it was opened. null until that is known. */
  readonly isShown: boolean | null
  readonly hide: () => void
}

export function useFirstSteps(workspace: Workspace): FirstStepsState {
  const [isHidden, setIsHidden] = useState(isDismissed)
  const { value, problem } = useRequest(async () => {
    if (isHidden) return null
    return (await server().call('listRequests', { path: { id: workspace.id }, query: { limit: 1 } })).data
  }, [workspace.id])
  const hide = (): void => {
    dismiss()
    setIsHidden(true)
  }
  if (isHidden || problem !== null) return { isShown: false, hide }
  return { isShown: value === null ? null : value.length === 0, hide }
}

export function FirstSteps({ workspace, hide }: { workspace: Workspace; hide: () => void }) {
  return (
    <section class="steps" aria-labelledby="steps">
      <button type="button" class="small outline" onClick={hide}>
        Hide first steps
      </button>
      <h2 id="steps">First steps</h2>
      <ol>
        <li>
          <h3>Send your first call</h3>
          <ExampleCall workspace={workspace} />
          <FirstCall />
        </li>
        <li>
          <h3>Receive a webhook</h3>
          <FirstWebhook workspace={workspace} />
        </li>
        <li>
          <h3>Go on</h3>
          <NextSteps workspace={workspace} />
        </li>
      </ol>
    </section>
  )
}

function FirstCall() {
  const isConfined = useIsConfined()
  const [call, setCall] = useState<TimelineItem | null>(null)
  useEffect(
    () =>
      live.listen((item) => {
        if (item.kind === 'request') setCall((first) => first ?? item)
      }),
    [],
  )
  return (
    <p role="status">
      {call ? (
        <>
          Your call arrived: <Kind item={call} /> {call.title}.{' '}
          <a href={to('calls', { open: call.ref })}>Open call</a>
        </>
      ) : (
        // Only the tab of an admin shows calls that reached no workspace.
        `Waiting for a call.${isConfined ? '' : ' A call with a wrong key appears below.'}`
      )}
    </p>
  )
}

const EVENT = 'sale.completed'

/** Subscribes the built-in receiver, unless it is subscribed, and causes an event. */
async function sendWebhook(id: string): Promise<void> {
  const { data } = await server().call('listSubscriptions', { path: { id } })
  const isSubscribed = data.some(
    ({ interface: of, url, active, events }) =>
      of === 'pos' && url === RECEIVER && active && events.some((name) => name === '*' || name === EVENT),
  )
  if (!isSubscribed) {
    const body = { interface: 'pos' as const, url: RECEIVER, events: [EVENT] }
    await server().call('createSubscription', { path: { id }, body })
  }
  await server().call('pullTrigger', { path: { id, name: 'pos.event.emit' }, body: { event: EVENT } })
}

function FirstWebhook({ workspace: { id } }: { workspace: Workspace }) {
  const [count, setCount] = useState(0)
  const { isBusy, problem, run } = useAction()
  const delivery = useRequest(async (): Promise<Schema<'Delivery'> | null> => {
    if (count === 0) return null
    const query = { interface: 'pos', event: EVENT } as const
    const { data } = await server().call('listDeliveries', { path: { id }, query })
    return data.find(({ url }) => url === RECEIVER) ?? null
  }, [id, count])
  useLive(['delivery'], delivery.reload)
  return (
    <>
      <p>
        This subscribes the built-in receiver, <code>{RECEIVER}</code>, to <code>{EVENT}</code> of the point
        of sale, and completes a sale.
      </p>
      <button
        type="button"
        class="small"
        aria-busy={isBusy}
        onClick={() => {
          run(async () => {
            await sendWebhook(id)
            setCount(count + 1)
          })
        }}
      >
        Send me a webhook
      </button>
      <ErrorMessage text={problem ?? delivery.problem} />
      <p role="status">{delivery.value && <DeliveryResult delivery={delivery.value} />}</p>
    </>
  )
}

function DeliveryResult({ delivery: { id, status, attempts } }: { delivery: Schema<'Delivery'> }) {
  const last = attempts.at(-1)
  return (
    <>
      <Badge tone={status === 'delivered' ? 'good' : status === 'dead' ? 'bad' : 'plain'}>{status}</Badge>{' '}
      {EVENT}
      {last &&
        (last.status === null ? `: ${last.error ?? ''}` : `: the receiver answered ${String(last.status)}`)}
      . <a href={to('webhooks', { open: id })}>Open delivery</a>
    </>
  )
}

const DEFAULT_URL = 'http://127.0.0.1:4012'

function NextSteps({ workspace: { id } }: { workspace: Workspace }) {
  const options = `${ROOT === DEFAULT_URL ? '' : ` --url ${ROOT}`}${id === 'demo' ? '' : ` --workspace ${id}`}`
  const commands = [
    ['Print webhooks in your terminal', `npx suite-sim listen --print${options}`],
    ['Cause an event', `npx suite-sim trigger pos.event.emit --event ${EVENT}${options}`],
  ] as const
  return (
    <>
      <ul class="plain">
        {commands.map(([title, command]) => (
          <li key={title} class="copied">
            {title}: <code>{command}</code> <Copy text={command} what={`the command: ${title}`} />
          </li>
        ))}
      </ul>
      <p>
        Read the <a href={docsPage(id)}>API reference</a> of the interfaces and the <a href="guide/">guide</a>
        , or look at the <a href={to('records')}>records</a>.
      </p>
    </>
  )
}
