/** The webhooks that the built-in receiver got: payload, raw body, headers and signature. */
import { useState } from 'preact/hooks'
import type { Schema } from '@suite-sim/client/calling'
import { useRequest, useAction } from '../api.ts'
import type { PageProps } from '../pageProps.ts'
import { useLive } from '../live.ts'
import {
  Badge,
  Copy,
  Danger,
  Empty,
  Facts,
  Gone,
  Headers,
  Instant,
  ErrorMessage,
  Split,
} from '../parts/common.tsx'
import { Choice, Search } from '../parts/filters.tsx'
import { Json } from '../parts/json.tsx'
import { Rows } from '../parts/rows.tsx'
import { InterfaceSelect } from '../parts/subscriptions.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { Verify } from '../parts/verify.tsx'
import { filter, openAddress, to } from '../route.ts'
import { RECEIVER, server, type InterfaceName, type Workspace } from '../server.ts'

type InboxEntry = Schema<'InboxEntry'>

/** More than an inbox can have. */
const MAX_COUNT = 1000

const SIGNATURES = ['verified', 'not verified'] as const
const signatureOf = ({ verified }: InboxEntry): (typeof SIGNATURES)[number] =>
  verified ? 'verified' : 'not verified'

export function Inbox({ workspace, query }: PageProps) {
  const { event, signature, open } = query
  const path = { id: workspace.id }
  const request = useRequest(
    async () => (await server().call('listInbox', { path, query: { limit: MAX_COUNT } })).data,
    [workspace.id],
  )
  useLive(['delivery'], request.reload)
  const { isBusy, problem, run } = useAction()
  const [view, setView] = useState<string>()
  const [language, setLanguage] = useState<string>()
  const all = request.value ?? []
  const entries = all.filter(
    (entry) =>
      `${entry.interface} ${entry.event}`.toLowerCase().includes((event ?? '').toLowerCase()) &&
      (!signature || signatureOf(entry) === signature),
  )
  const opened = all.find(({ id }) => id === open)
  return (
    <>
      <div class="filters">
        <Search label="Event" name="event" placeholder="deal.won" />
        <Choice label="Signature" name="signature" options={SIGNATURES} />
        <div class="receiver">
          <span>Receiver</span> <code>{RECEIVER}</code>{' '}
          <Copy text={RECEIVER} what="the URL of the receiver" />
        </div>
        <Danger
          isBusy={isBusy}
          disabled={all.length === 0}
          question={`Delete all received webhooks of ${workspace.name}?`}
          onConfirmed={() => {
            run(async () => {
              await server().call('clearInbox', { path })
              filter({ open: undefined })
              request.reload()
            })
          }}
        >
          Clear inbox
        </Danger>
      </div>
      <ErrorMessage text={request.problem ?? problem} />
      <Split
        close={openAddress(undefined)}
        list={
          entries.length > 0 ? (
            <Rows
              label="Received webhooks, newest first"
              items={entries}
              at={({ at }) => at}
              keyOf={({ id }) => id}
              addressOf={({ id }) => openAddress(id)}
              opened={open}
              isFailed={({ verified }) => !verified}
              row={inboxRow}
            />
          ) : (
            request.value && (
              <>
                <Empty>
                  {all.length > 0
                    ? 'No matching webhooks.'
                    : 'No webhooks received yet. Subscribe the receiver, then make a call or pull a trigger.'}
                </Empty>
                {all.length === 0 && <Subscribe workspace={workspace} />}
              </>
            )
          )
        }
        opened={
          open &&
          (opened ? (
            <InboxDetail
              key={opened.id}
              workspace={workspace}
              entry={opened}
              view={view}
              onView={setView}
              language={language}
              onLanguage={setLanguage}
            />
          ) : (
            request.value && (
              <Gone title="This webhook is no longer in the inbox">
                The inbox has the last 200 webhooks of a workspace, or fewer if they are large. Clear inbox, a
                reset, a restored snapshot and a restart of the server empty it.
              </Gone>
            )
          ))
        }
      />
    </>
  )
}

const inboxRow = (entry: InboxEntry) => (
  <>
    <Badge tone={entry.verified ? 'good' : 'bad'}>{signatureOf(entry)}</Badge>{' '}
    <span class="method">{entry.interface}</span> <span class="title">{entry.event}</span>{' '}
    <span class="aside">attempt {entry.attempt}</span>
  </>
)

/** Subscribes the receiver to all events of an interface. */
function Subscribe({ workspace }: { workspace: Workspace }) {
  const [of, setOf] = useState<InterfaceName>('pos')
  const [done, setDone] = useState<InterfaceName | null>(null)
  const { isBusy, problem, run } = useAction()
  return (
    <form
      class="inline"
      onSubmit={(event) => {
        event.preventDefault()
        run(async () => {
          const body = { interface: of, url: RECEIVER }
          await server().call('createSubscription', { path: { id: workspace.id }, body })
          setDone(of)
        })
      }}
    >
      <InterfaceSelect value={of} onChange={setOf} />
      <button type="submit" aria-busy={isBusy}>
        Subscribe receiver
      </button>
      <ErrorMessage text={problem} />
      {done !== null && (
        <p role="status">
          The receiver gets all events of {done}. Make a call, or <a href={to('triggers')}>pull a trigger</a>.
        </p>
      )}
    </form>
  )
}

interface InboxDetailProps {
  readonly workspace: Workspace
  readonly entry: InboxEntry
  readonly view: string | undefined
  readonly onView: (view: string) => void
  readonly language: string | undefined
  readonly onLanguage: (language: string) => void
}

function InboxDetail({ workspace, entry, view, onView, language, onLanguage }: InboxDetailProps) {
  const { body, headers, secret } = entry
  const signature = headers['x-service-signature'] ?? ''
  return (
    <>
      <h2>
        <Badge tone={entry.verified ? 'good' : 'bad'}>{signatureOf(entry)}</Badge> {entry.event}
      </h2>
      {entry.problem !== null && <p class="problem">{entry.problem}</p>}
      <Facts
        of={[
          ['Received', <Instant at={entry.at} timeZone={workspace.timezone} isLong />],
          ['Interface', entry.interface],
          ['Attempt', entry.attempt],
          ['Delivery', <a href={to('webhooks', { open: entry.deliveryId })}>{entry.deliveryId}</a>],
          [
            'Subscription',
            <a href={to('webhooks', { subscription: entry.subscriptionId })}>{entry.subscriptionId}</a>,
          ],
          [
            'Secret',
            <>
              <code>{secret}</code> <Copy text={secret} what="the secret" />
            </>,
          ],
        ]}
      />
      <Tabs
        label="Views of the webhook"
        selected={view}
        onSelect={onView}
        tabs={[
          { name: 'Payload', content: () => <Payload body={body} /> },
          { name: 'Raw body', content: () => <Json label="Raw body" value={body} /> },
          { name: 'Headers', content: () => <Headers of={Object.entries(headers)} /> },
          {
            name: 'Verify it yourself',
            content: () => (
              <Verify
                signed={{ secret, signature }}
                body={body}
                language={language}
                onLanguage={onLanguage}
              />
            ),
          },
        ]}
      />
    </>
  )
}

function Payload({ body }: { body: string }) {
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch (error) {
    return (
      <>
        <p class="problem">The body is not valid JSON: {(error as Error).message}</p>
        <Json label="Raw body" value={body} />
      </>
    )
  }
  return <Json label="Payload" value={value} />
}
