/** The workspace overview and its live timeline. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { INTERFACES } from '../../library/generated/control.ts'
import { useRequest, useAction } from '../api.ts'
import type { PageProps } from '../pageProps.ts'
import { live } from '../live.ts'
import {
  Badge,
  Choice,
  Copy,
  Danger,
  Empty,
  Facts,
  Instant,
  ErrorMessage,
  Search,
  Split,
  Table,
  type Tone,
} from '../parts/common.tsx'
import { NewWorkspace } from '../parts/newWorkspace.tsx'
import { Rows } from '../parts/rows.tsx'
import { WorkspaceClock } from '../parts/workspaceClock.tsx'
import { Unmatched } from '../parts/unmatched.tsx'
import { addressOf, filter, openAddress, to } from '../route.ts'
import { ROOT, server, needsToken, type TimelineItem } from '../server.ts'

const KINDS = ['request', 'trigger', 'job', 'transition', 'event', 'delivery', 'email'] as const

/** Green, amber and red are for outcomes only. */
const TONES: Readonly<Record<NonNullable<TimelineItem['outcome']>, Tone>> = {
  succeeded: 'good',
  refused: 'warn',
  failed: 'bad',
}

const toneOf = ({ kind, outcome }: TimelineItem): Tone =>
  outcome ? TONES[outcome] : kind === 'trigger' || kind === 'event' ? 'info' : 'plain'

const Kind = ({ item }: { item: TimelineItem }) => <Badge tone={toneOf(item)}>{item.kind}</Badge>

/** The maximum number of entries in the page. */
const MAX_COUNT = 20_000
const PAGE_SIZE = 500

export function Now({ workspace, query }: PageProps) {
  const { items, loadOlder, isWhole, problem } = useTimeline(workspace.id)
  const kind = query['kind']
  const text = (query['text'] ?? '').toLowerCase()
  const visible =
    kind === undefined && text === ''
      ? items
      : items.filter(
          (item) => (kind === undefined || item.kind === kind) && item.title.toLowerCase().includes(text),
        )
  const opened = items.find(({ id }) => id === query['open'])
  return (
    <>
      <Overview workspace={workspace} />
      <Unmatched timeZone={workspace.timezone} />
      <section aria-label="Timeline">
        <div class="filters">
          <Choice
            label="Kind"
            value={kind}
            options={KINDS}
            onChange={(value) => {
              filter({ kind: value })
            }}
          />
          <Search
            label="Text"
            value={query['text']}
            onChange={(value) => {
              filter({ text: value })
            }}
          />
        </div>
        <ErrorMessage text={problem} />
        <Split
          close={openAddress(undefined)}
          list={
            visible.length > 0 ? (
              <Rows
                label="Timeline, newest first"
                items={visible}
                keyOf={({ id }) => id}
                addressOf={({ id }) => openAddress(id)}
                opened={query['open']}
                onEnd={isWhole ? undefined : loadOlder}
                isFailed={({ outcome }) => outcome === 'failed'}
                at={({ at }) => at}
                row={(item) => (
                  <>
                    <Kind item={item} /> <span class="title">{item.title}</span>
                  </>
                )}
              />
            ) : (
              <Empty>
                {items.length > 0
                  ? 'No matching entries.'
                  : 'No entries yet. Call an interface or pull a trigger.'}
              </Empty>
            )
          }
          opened={opened && <EntryDetail item={opened} items={items} timeZone={workspace.timezone} />}
        />
      </section>
    </>
  )
}

/** Loads the timeline, newest first: older entries in pages, and new ones from the stream. */
function useTimeline(workspace: string) {
  const [items, setItems] = useState<readonly TimelineItem[]>([])
  const [isWhole, setIsWhole] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const isLoading = useRef(false)
  const loadOlder = (): void => {
    if (isLoading.current) return
    isLoading.current = true
    const before = items.at(-1)?.id
    server()
      .call('getTimeline', {
        path: { id: workspace },
        query: { limit: PAGE_SIZE, ...(before !== undefined && { before }) },
      })
      .then(({ data }) => {
        setItems((known) => [...known, ...withoutKnown(data, known)])
        setIsWhole(data.length < PAGE_SIZE)
      })
      .catch((error: unknown) => {
        if (!needsToken(error)) setProblem((error as Error).message)
      })
      .finally(() => {
        isLoading.current = false
      })
  }
  useEffect(() => {
    let received: TimelineItem[] = []
    let frame = 0
    const stop = live.listen((item) => {
      received.push(item)
      // Renders once per frame, no matter how many entries arrive.
      frame ||= requestAnimationFrame(() => {
        frame = 0
        const newest = received.reverse()
        received = []
        setItems((known) => [...withoutKnown(newest, known), ...known].slice(0, MAX_COUNT))
      })
    })
    loadOlder()
    return () => {
      stop()
      cancelAnimationFrame(frame)
    }
  }, [])
  return { items, loadOlder, isWhole, problem }
}

function withoutKnown(items: readonly TimelineItem[], known: readonly TimelineItem[]): TimelineItem[] {
  const ids = new Set(
    known
      .slice(0, PAGE_SIZE)
      .concat(known.slice(-PAGE_SIZE))
      .map(({ id }) => id),
  )
  return items.filter(({ id }) => !ids.has(id))
}

/** Returns the link to the page with the details of an entry. */
function pageOf({ kind, ref }: TimelineItem): readonly [title: string, address: string] | null {
  if (kind === 'request') return ['Open call', to('calls', { open: ref })]
  if (kind === 'delivery') return ['Open delivery', to('webhooks', { open: ref })]
  if (kind === 'email') return ['Open e-mail', to('emails', { open: ref })]
  if (kind === 'trigger' && ref.startsWith('/')) return ['Open page', ROOT + ref]
  if (kind === 'trigger') return ['Open trigger', to('triggers', { open: ref })]
  if (kind === 'transition') {
    const [section, ...id] = ref.split('/')
    return ['Open record', to('records', { section, open: id.join('/') })]
  }
  return null
}

/** Shows the causes and the effects of an entry. */
function EntryDetail({
  item,
  items,
  timeZone,
}: {
  item: TimelineItem
  items: readonly TimelineItem[]
  timeZone: string
}) {
  const byId = new Map(items.map((each) => [each.id, each]))
  const causes: TimelineItem[] = []
  for (
    let cause = byId.get(item.causedBy ?? '');
    cause && !causes.includes(cause);
    cause = byId.get(cause.causedBy ?? '')
  ) {
    causes.unshift(cause)
  }
  const page = pageOf(item)
  return (
    <>
      <h2>{item.title}</h2>
      <Facts
        of={[
          ['Kind', <Kind item={item} />],
          ['When', <Instant at={item.at} timeZone={timeZone} isLong />],
        ]}
      />
      {page && (
        <p>
          <a role="button" class="small" href={page[1]}>
            {page[0]}
          </a>
        </p>
      )}
      <h3>Causes</h3>
      {causes.length === 0 ? (
        <Empty>No causes. A client or the clock started it.</Empty>
      ) : (
        <ol class="timeline">{causes.map(renderCause)}</ol>
      )}
      <h3>Effects</h3>
      <Effects of={item.id} items={items} depth={0} />
    </>
  )
}

const renderCause = (item: TimelineItem) => (
  <li key={item.id}>
    <a href={openAddress(item.id)}>
      <Kind item={item} /> {item.title}
    </a>
  </li>
)

/** Shows the effects as a tree, oldest first. */
function Effects({ of, items, depth }: { of: string; items: readonly TimelineItem[]; depth: number }) {
  const effects = items.filter(({ causedBy }) => causedBy === of).reverse()
  if (effects.length === 0) return depth === 0 ? <Empty>No effects.</Empty> : null
  return (
    <ol class="timeline">
      {effects.slice(0, 100).map((item) => (
        <li key={item.id}>
          <a href={openAddress(item.id)}>
            <Kind item={item} /> {item.title}
          </a>
          {depth < 5 && <Effects of={item.id} items={items} depth={depth + 1} />}
        </li>
      ))}
      {effects.length > 100 && <li>and {effects.length - 100} more</li>}
    </ol>
  )
}

/** Shows the clock, the key and the base URLs of the interfaces. */
function Overview({ workspace }: Pick<PageProps, 'workspace'>) {
  const { id, currency, timezone, accountId } = workspace
  const keys = useRequest(
    async () => (await server().call('listKeys', { query: { workspaceId: id } })).data,
    [id],
  )
  const { isBusy, problem, run } = useAction()
  const [isFormOpen, setIsFormOpen] = useState(false)
  return (
    <section class="glance" aria-label="Workspace">
      <Facts
        of={[
          ['Clock', <WorkspaceClock workspace={workspace} />],
          [
            'Key',
            keys.value?.[0] ? (
              <span class="copied">
                <code>{keys.value[0].key}</code> <Copy text={keys.value[0].key} what="the key" />
              </span>
            ) : (
              (keys.problem ?? 'None')
            ),
          ],
          ['Workspace', <code>{id}</code>],
          ['Account', accountId],
          ['Settings', `${currency}, ${timezone}`],
        ]}
      />
      <details>
        <summary>Base URLs of the interfaces</summary>
        <Table
          label="Interfaces"
          heads={['Interface', 'Base URL', 'Header for the key', { hidden: 'Copy' }]}
          rows={Object.entries(INTERFACES).map(([name, mounted]) => ({
            key: name,
            cells: [
              name,
              <code>{ROOT + mounted.basePath}</code>,
              <code>{'header' in mounted ? mounted.header : 'Authorization: Bearer'}</code>,
              <Copy text={ROOT + mounted.basePath} what={`the URL of ${name}`} />,
            ],
          }))}
        />
      </details>
      <div class="actions">
        <button
          type="button"
          class="small outline"
          aria-expanded={isFormOpen}
          onClick={() => {
            setIsFormOpen(!isFormOpen)
          }}
        >
          Add workspace
        </button>
        <Danger
          isBusy={isBusy}
          question={`Reset ${workspace.name}? All changes since its creation are lost.`}
          onConfirmed={() => {
            run(async () => {
              await server().call('resetWorkspace', { path: { id } })
              location.reload()
            })
          }}
        >
          Reset workspace
        </Danger>
      </div>
      <ErrorMessage text={problem} />
      {isFormOpen && (
        <NewWorkspace
          onCreated={(created) => {
            location.hash = addressOf('now', { workspace: created })
          }}
        />
      )}
    </section>
  )
}
