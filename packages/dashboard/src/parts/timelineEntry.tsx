/** An entry of the timeline: its kind, its causes and its effects. */
import { openAddress, to } from '../route.ts'
import { ROOT, type TimelineItem } from '../server.ts'
import { Badge, Empty, Facts, Instant, type Tone } from './common.tsx'

/** Green, amber and red are for outcomes only. */
const TONES: Readonly<Record<NonNullable<TimelineItem['outcome']>, Tone>> = {
  succeeded: 'good',
  refused: 'warn',
  failed: 'bad',
}

const toneOf = ({ kind, outcome }: TimelineItem): Tone =>
  outcome ? TONES[outcome] : kind === 'trigger' || kind === 'event' ? 'info' : 'plain'

export const Kind = ({ item }: { item: TimelineItem }) => <Badge tone={toneOf(item)}>{item.kind}</Badge>

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
export function EntryDetail({
  item,
  items,
  isCauseLost,
  timeZone,
}: {
  item: TimelineItem
  items: readonly TimelineItem[]
  /** Whether the timeline no longer has the first cause. */
  isCauseLost: boolean
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
          ...(item.caller === undefined
            ? []
            : ([['Caller', <a href={to('calls', { caller: item.caller })}>{item.caller}</a>]] as const)),
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
      {isCauseLost && <Empty>The first cause is not in the timeline.</Empty>}
      {causes.length > 0 ? (
        <ol class="timeline">{causes.map(renderCause)}</ol>
      ) : (
        item.causedBy === null && <Empty>No causes. A client or the clock started it.</Empty>
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
