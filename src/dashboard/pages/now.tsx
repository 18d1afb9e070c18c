/** The workspace at a glance, and everything that happens in it as it happens. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { INTERFACES } from '../../library/control.ts'
import { useAsked, useDoing } from '../api.ts'
import type { PageProps } from '../pageProps.ts'
import { live } from '../live.ts'
import {
  Badge,
  Choice,
  Copy,
  Empty,
  Facts,
  Instant,
  Problem,
  Search,
  Split,
  type Tone,
} from '../parts/common.tsx'
import { NewWorkspace } from '../parts/newWorkspace.tsx'
import { Rows } from '../parts/rows.tsx'
import { StandingClock } from '../parts/standingClock.tsx'
import { Unmatched } from '../parts/unmatched.tsx'
import { addressOf, filter, opening, to } from '../route.ts'
import { ROOT, server, wantsToken, type TimelineItem } from '../server.ts'

const KINDS = ['request', 'trigger', 'job', 'transition', 'event', 'delivery', 'email'] as const

const TONES: Readonly<Record<TimelineItem['kind'], Tone>> = {
  request: 'info',
  trigger: 'warn',
  job: 'plain',
  transition: 'plain',
  event: 'good',
  delivery: 'good',
  email: 'warn',
}

/** So many are kept in the page, the newest. */
const MAX_COUNT = 20_000
const AT_ONCE = 500

export function Now({ workspace, query }: PageProps) {
  const { items, older, isWhole, problem } = useTimeline(workspace.id)
  const kind = query['kind']
  const words = (query['text'] ?? '').toLowerCase()
  const shown =
    kind === undefined && words === ''
      ? items
      : items.filter(
          (item) => (kind === undefined || item.kind === kind) && item.title.toLowerCase().includes(words),
        )
  const opened = items.find(({ id }) => id === query['open'])
  return (
    <>
      <Glance workspace={workspace} />
      <Unmatched timeZone={workspace.timezone} />
      <section aria-label="What happens">
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
            onChange={(text) => {
              filter({ text })
            }}
          />
        </div>
        <Problem words={problem} />
        <Split
          close={opening(undefined)}
          list={
            shown.length > 0 ? (
              <Rows
                label="What has happened, newest first"
                items={shown}
                keyOf={({ id }) => id}
                addressOf={({ id }) => opening(id)}
                opened={query['open']}
                onEnd={isWhole ? undefined : older}
                row={(item) => (
                  <>
                    <span class="when">
                      <Instant at={item.at} timeZone={workspace.timezone} />
                    </span>{' '}
                    <Badge tone={TONES[item.kind]}>{item.kind}</Badge> <span class="title">{item.title}</span>
                  </>
                )}
              />
            ) : (
              <Empty>
                {items.length > 0
                  ? 'Nothing matches.'
                  : 'Nothing has happened yet. Call an interface, or pull a trigger.'}
              </Empty>
            )
          }
          opened={opened && <Story item={opened} items={items} timeZone={workspace.timezone} />}
        />
      </section>
    </>
  )
}

/** What has happened, the newest first: what there is already in pages, and what comes by the stream. */
function useTimeline(workspace: string) {
  const [items, setItems] = useState<readonly TimelineItem[]>([])
  const [isWhole, setIsWhole] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const isAsking = useRef(false)
  const older = (): void => {
    if (isAsking.current) return
    isAsking.current = true
    const before = items.at(-1)?.id
    server()
      .call('getTimeline', {
        path: { id: workspace },
        query: { limit: AT_ONCE, ...(before !== undefined && { before }) },
      })
      .then(({ data }) => {
        setItems((known) => [...known, ...unknown(data, known)])
        setIsWhole(data.length < AT_ONCE)
      })
      .catch((error: unknown) => {
        if (!wantsToken(error)) setProblem((error as Error).message)
      })
      .finally(() => {
        isAsking.current = false
      })
  }
  useEffect(() => {
    let come: TimelineItem[] = []
    let frame = 0
    const stop = live.listen((item) => {
      come.push(item)
      // However many come, the page is drawn once for a frame.
      frame ||= requestAnimationFrame(() => {
        frame = 0
        const new_ = come.reverse()
        come = []
        setItems((known) => [...unknown(new_, known), ...known].slice(0, MAX_COUNT))
      })
    })
    older()
    return () => {
      stop()
      cancelAnimationFrame(frame)
    }
  }, [])
  return { items, older, isWhole, problem }
}

function unknown(items: readonly TimelineItem[], known: readonly TimelineItem[]): TimelineItem[] {
  const ids = new Set(
    known
      .slice(0, AT_ONCE)
      .concat(known.slice(-AT_ONCE))
      .map(({ id }) => id),
  )
  return items.filter(({ id }) => !ids.has(id))
}

/** Where something is looked at whole. */
function pageOf({ kind, ref }: TimelineItem): readonly [title: string, address: string] | null {
  if (kind === 'request') return ['Open the call', to('calls', { open: ref })]
  if (kind === 'delivery') return ['Open the delivery', to('webhooks', { open: ref })]
  if (kind === 'email') return ['Open the e-mail', to('emails', { open: ref })]
  if (kind === 'trigger' && ref.startsWith('/')) return ['Open the page', ROOT + ref]
  if (kind === 'trigger') return ['Open the trigger', to('triggers', { open: ref })]
  if (kind === 'transition') {
    const [section, ...id] = ref.split('/')
    return ['Open the record', to('records', { section, open: id.join('/') })]
  }
  return null
}

/** What something follows from, and what has followed from it. */
function Story({
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
          ['What', <Badge tone={TONES[item.kind]}>{item.kind}</Badge>],
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
      <h3>Caused by</h3>
      {causes.length === 0 ? (
        <Empty>Nothing else: it came from outside.</Empty>
      ) : (
        <ol class="story">{causes.map(line)}</ol>
      )}
      <h3>Caused</h3>
      <Effects of={item.id} items={items} depth={0} />
    </>
  )
}

const line = (item: TimelineItem) => (
  <li key={item.id}>
    <a href={opening(item.id)}>
      <Badge tone={TONES[item.kind]}>{item.kind}</Badge> {item.title}
    </a>
  </li>
)

/** Oldest first, as a tree. */
function Effects({ of, items, depth }: { of: string; items: readonly TimelineItem[]; depth: number }) {
  const effects = items.filter(({ causedBy }) => causedBy === of).reverse()
  if (effects.length === 0) return depth === 0 ? <Empty>Nothing.</Empty> : null
  return (
    <ol class="story">
      {effects.slice(0, 100).map((item) => (
        <li key={item.id}>
          <a href={opening(item.id)}>
            <Badge tone={TONES[item.kind]}>{item.kind}</Badge> {item.title}
          </a>
          {depth < 5 && <Effects of={item.id} items={items} depth={depth + 1} />}
        </li>
      ))}
      {effects.length > 100 && <li>and {effects.length - 100} more</li>}
    </ol>
  )
}

/** The clock, the keys and where the interfaces are. */
function Glance({ workspace }: Pick<PageProps, 'workspace'>) {
  const { id, currency, timezone, accountId } = workspace
  const keys = useAsked(
    async () => (await server().call('listKeys', { query: { workspaceId: id } })).data,
    [id],
  )
  const { isBusy, problem, run } = useDoing()
  const [isMaking, setIsMaking] = useState(false)
  return (
    <section class="glance" aria-label="Workspace">
      <Facts
        of={[
          ['Clock', <StandingClock workspace={workspace} />],
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
        <summary>Where the interfaces are</summary>
        <div class="wide" tabIndex={0} role="group" aria-label="Interfaces">
          <table>
            <thead>
              <tr>
                <th>Interface</th>
                <th>Base URL</th>
                <th>Key goes into</th>
                <th>
                  <span class="unseen">Copy</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {Object.entries(INTERFACES).map(([name, mounted]) => (
                <tr key={name}>
                  <td>{name}</td>
                  <td>
                    <code>{ROOT + mounted.basePath}</code>
                  </td>
                  <td>
                    <code>{'header' in mounted ? mounted.header : 'Authorization: Bearer'}</code>
                  </td>
                  <td>
                    <Copy text={ROOT + mounted.basePath} what={`the URL of ${name}`} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
      <div class="actions">
        <button
          type="button"
          class="small outline"
          aria-expanded={isMaking}
          onClick={() => {
            setIsMaking(!isMaking)
          }}
        >
          New workspace
        </button>
        <button
          type="button"
          class="small outline"
          aria-busy={isBusy}
          onClick={() => {
            if (!confirm(`Put ${workspace.name} back to what it was made with?`)) return
            run(async () => {
              await server().call('resetWorkspace', { path: { id } })
              location.reload()
            })
          }}
        >
          Reset
        </button>
      </div>
      <Problem words={problem} />
      {isMaking && (
        <NewWorkspace
          made={(made) => {
            location.hash = addressOf('now', { workspace: made })
          }}
        />
      )}
    </section>
  )
}
