/** The records that changed since a snapshot, page by page, live, each with its fields and its causes. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Query, Schema } from '@suite-sim/client/calling'
import { SimulatorError } from '@suite-sim/client/errors'
import { isSideEffect } from '@suite-sim/client/telling'
import { useRequest } from '../api.ts'
import { useLive } from '../live.ts'
import { to } from '../route.ts'
import { server, type Workspace } from '../server.ts'
import { Badge, Empty, ErrorMessage, type Tone } from './common.tsx'
import { groupBy } from './groupBy.ts'
import { recordAddress } from './recordLinks.tsx'

type Changed = Schema<'ChangedRecord'>
type Diff = Schema<'Diff'>

/** The state that the workspace was created with. */
export const START = 'start'
/** The snapshot of the moment at which the user started to watch. */
export const WATCHED = 'watched-since'

export const sinceText = (name: string): string =>
  name === START ? 'the start' : name === WATCHED ? 'I started watching' : `snapshot ${name}`

const PAGE = 100
/** The number of records that each "Show more" adds. */
const MORE = 1000
/** The maximum number of records in the page. */
const MAX_COUNT = 5000
/** The maximum number of records in one response. */
const MAX_LIMIT = 1000
const MAX_TRIES = 3

const totalOf = ({ summary }: Diff): number => summary.added + summary.changed + summary.removed

type CountOf = (total: number) => number

/** Loads changed records. A change in between makes the cursor invalid, so that it starts again. */
async function loadChanges(id: string, query: Query<'getDiff'>, countOf: CountOf): Promise<Diff> {
  for (let tries = MAX_TRIES; ; tries--) {
    try {
      return await loadPages(id, query, countOf)
    } catch (error) {
      if (tries === 0 || !(error instanceof SimulatorError) || error.code !== 'invalid_cursor') throw error
    }
  }
}

async function loadPages(id: string, query: Query<'getDiff'>, countOf: CountOf): Promise<Diff> {
  const data: Changed[] = []
  let cursor: string | undefined
  for (let count = PAGE; ;) {
    const limit = Math.min(count - data.length, MAX_LIMIT)
    const page: Diff = await server().call('getDiff', {
      path: { id },
      query: { ...query, limit, ...(cursor !== undefined && { cursor }) },
    })
    for (const record of page.data) data.push(record)
    count = countOf(totalOf(page))
    if (page.nextCursor === null || data.length >= count) return { ...page, data }
    cursor = page.nextCursor
  }
}

interface ChangeListProps {
  readonly workspace: Workspace
  readonly from: string
  readonly section: string | undefined
  /** The list loads again when it changes. */
  readonly refreshes: number
  readonly hasVolatile: boolean
}

export function ChangeList({ workspace, from, section, refreshes, hasVolatile }: ChangeListProps) {
  const [count, setCount] = useState(PAGE)
  /** The number of changes when `count` was chosen. Later ones are listed in addition, so that none of the list leaves it. */
  const first = useRef<number | null>(null)
  const { value, problem, reload } = useRequest(
    () =>
      loadChanges(workspace.id, { from, ...(section !== undefined && { section }) }, (total) => {
        first.current ??= total
        return Math.min(count + Math.max(0, total - first.current), MAX_COUNT)
      }),
    [workspace.id],
  )
  useLive(['request', 'trigger', 'job', 'transition'], reload)
  useEffect(() => {
    if (refreshes > 0 || count > PAGE) reload()
  }, [refreshes, count])
  if (!value) return <ErrorMessage text={problem} />
  const { summary, data, nextCursor } = value
  const total = totalOf(value)
  return (
    <>
      <ErrorMessage text={problem} />
      {total === 0 ? (
        <Empty>
          No record {section !== undefined && `of ${section} `}has changed since {sinceText(from)}.
        </Empty>
      ) : (
        <p role="status" class="counts">
          {(['added', 'changed', 'removed'] as const).map((change) => (
            <Badge key={change} tone={summary[change] === 0 ? 'plain' : TONES[change]}>
              {summary[change].toLocaleString('en-US')} {change}
            </Badge>
          ))}
        </p>
      )}
      {groupBy(data, (record) => record.section).map(([name, records]) => (
        <section key={name} class="changes">
          <h2>{name}</h2>
          {records.map((record) => (
            <Change key={`${record.change} ${record.id}`} record={record} hasVolatile={hasVolatile} />
          ))}
        </section>
      ))}
      {nextCursor !== null && (
        <p>
          The first {data.length.toLocaleString('en-US')} of {total.toLocaleString('en-US')} are listed.{' '}
          {data.length < MAX_COUNT ? (
            <button
              type="button"
              class="small outline"
              aria-busy={data.length < count}
              onClick={() => {
                first.current = null
                setCount(Math.min(data.length + MORE, MAX_COUNT))
              }}
            >
              Show more
            </button>
          ) : (
            <>
              Choose a section to see others, or use <code>suite-sim diff</code>.
            </>
          )}
        </p>
      )}
    </>
  )
}

const TONES: Readonly<Record<Changed['change'], Tone>> = { added: 'good', changed: 'info', removed: 'bad' }

interface ChangeProps {
  readonly record: Changed
  readonly hasVolatile: boolean
}

/** One record. Its fields are only in the page while it is open, because a list can have thousands of records. */
function Change({ record, hasVolatile }: ChangeProps) {
  const { id, change, causes } = record
  const [isOpen, setIsOpen] = useState(false)
  const [first] = causes
  return (
    <details
      onToggle={({ currentTarget }) => {
        setIsOpen(currentTarget.open)
      }}
    >
      <summary>
        <Badge tone={TONES[change]}>{change}</Badge> <code>{id}</code>{' '}
        <span class="glance-text">{glanceOf(record, hasVolatile)}</span>{' '}
        <span class="by">
          {first && `by ${first.title}${causes.length > 1 ? ` and ${String(causes.length - 1)} more` : ''}`}
        </span>
      </summary>
      {isOpen && <ChangeDetail record={record} hasVolatile={hasVolatile} />}
    </details>
  )
}

const shownFields = ({ change, fields }: Changed, hasVolatile: boolean): Changed['fields'] =>
  hasVolatile ? fields : fields.filter((field) => !isSideEffect(change, field))

function ChangeDetail({ record, hasVolatile }: ChangeProps) {
  const { section, id, change, fields, causes } = record
  const shown = shownFields(record, hasVolatile)
  const hidden = fields.length - shown.length
  return (
    <>
      <p class="causes">
        {causes.length === 0 ? (
          <span class="empty">
            Its cause is no longer in the timeline, or it was no call, trigger or job.
          </span>
        ) : (
          <span>
            Caused by{' '}
            {causes.map((cause, index) => (
              <>
                {index > 0 && ', '}
                <a key={cause.id} href={to('now', { open: cause.id })}>
                  {cause.kind} {cause.title}
                </a>
              </>
            ))}
          </span>
        )}
        {change !== 'removed' && !id.includes('/') && <a href={recordAddress(section, id)}>Open record</a>}
      </p>
      {shown.length > 0 && (
        <table class="fields">
          <thead>
            <tr>
              <th scope="col">Field</th>
              {change !== 'added' && <th scope="col">Before</th>}
              {change !== 'removed' && <th scope="col">After</th>}
            </tr>
          </thead>
          <tbody>
            {shown.map((field) => (
              <tr key={field.path}>
                <th scope="row">
                  {field.path} {field.volatile && <Volatile />}
                </th>
                {change !== 'added' && (
                  <td>
                    <code class="long">{valueText(field.before)}</code>
                  </td>
                )}
                {change !== 'removed' && (
                  <td>
                    <code class="long">{valueText(field.after)}</code>
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {hidden > 0 && (
        <p class="empty">
          {hidden === 1 ? '1 new id or time is hidden.' : `${String(hidden)} new ids and times are hidden.`}
        </p>
      )}
    </>
  )
}

const Volatile = () => (
  <span
    class="badge"
    title="It differs between runs of the same calls: a time, the id of a new record, or a token"
  >
    volatile
  </span>
)

/** Fields that name a record. */
const TITLES = ['name', 'title', 'subject', 'description', 'content', 'email']
/** The maximum number of fields of a record without a name in its summary. */
const MAX_GLANCE = 3

/** Returns what changed, in a line. */
function glanceOf(record: Changed, hasVolatile: boolean): string {
  const { change, fields } = record
  if (change === 'changed') {
    const shown = shownFields(record, hasVolatile)
    const [only] = shown
    if (!only) return 'only new ids and times'
    return shown.length === 1
      ? `${only.path}: ${valueText(only.before)} \u2192 ${valueText(only.after)}`
      : shown.map(({ path }) => path).join(', ')
  }
  const valueOf = (field: Changed['fields'][number]): unknown =>
    change === 'removed' ? field.before : field.after
  const title = fields.find(({ path }) => TITLES.includes(path))
  if (title) return valueText(valueOf(title))
  return shownFields(record, false)
    .filter((field) => typeof valueOf(field) !== 'object')
    .slice(0, MAX_GLANCE)
    .map((field) => `${field.path}: ${valueText(valueOf(field))}`)
    .join(', ')
}

const MAX_VALUE = 2000

function valueText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length <= MAX_VALUE ? text : `${text.slice(0, MAX_VALUE)}\u2026`
}
