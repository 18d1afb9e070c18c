/** What changed in the records since a snapshot, with the calls, triggers and jobs that caused it. */
import { useEffect, useState } from 'preact/hooks'
import type { Schema } from '../../library/calling.ts'
import { useAction, useRequest } from '../api.ts'
import { useLive } from '../live.ts'
import type { PageProps } from '../pageProps.ts'
import { Badge, Copy, Empty, ErrorMessage, type Tone } from '../parts/common.tsx'
import { Check } from '../parts/filters.tsx'
import { groupBy } from '../parts/groupBy.ts'
import { recordAddress } from '../parts/recordLinks.tsx'
import { filter, to } from '../route.ts'
import { server } from '../server.ts'

type Changed = Schema<'ChangedRecord'>

const START = 'start'
/** The snapshot of the moment at which the user started to watch. */
const WATCHED = 'watched-since'

const PAGE = 100
const MAX = 1000

export function Changes({ workspace, query }: PageProps) {
  const from = query['from'] ?? START
  const { section } = query
  const path = { id: workspace.id }
  const [limit, setLimit] = useState(PAGE)
  const snapshots = useRequest(
    async () => (await server().call('listSnapshots', { path })).data,
    [workspace.id],
  )
  const filters = { from, ...(section !== undefined && { section }) }
  const { value, problem, reload } = useRequest(
    () => server().call('getDiff', { path, query: { ...filters, limit } }),
    [workspace.id, from, section, limit],
  )
  const watching = useAction()
  useLive(['request', 'trigger', 'job', 'transition'], reload)
  useEffect(() => {
    setLimit(PAGE)
  }, [from, section])
  const watch = (): void => {
    watching.run(async () => {
      const known = (await server().call('listSnapshots', { path })).data
      if (known.some(({ name }) => name === WATCHED)) {
        await server().call('deleteSnapshot', { path: { ...path, name: WATCHED } })
      }
      await server().call('saveSnapshot', { path, body: { name: WATCHED } })
      snapshots.reload()
      filter({ from: WATCHED })
      reload()
    })
  }
  const copyText = async (): Promise<string> => {
    const response = await server().send('getDiff', {
      path,
      query: { ...filters, limit: MAX, format: 'text' },
    })
    return response.text()
  }
  const names = [...new Set([START, ...(snapshots.value ?? []).map(({ name }) => name), from])]
  const sections = [
    ...new Set([...(value?.data ?? []).map((record) => record.section), ...(section ? [section] : [])]),
  ]
  return (
    <>
      <div class="filters">
        <label class="filter">
          <span>Since</span>
          <select
            value={from}
            onChange={({ currentTarget }) => {
              filter({ from: currentTarget.value })
            }}
          >
            {names.map((name) => (
              <option key={name} value={name}>
                {titleOf(name)}
              </option>
            ))}
          </select>
        </label>
        <label class="filter">
          <span>Section</span>
          <select
            value={section ?? ''}
            onChange={({ currentTarget }) => {
              filter({ section: currentTarget.value })
            }}
          >
            <option value="">All</option>
            {sections.toSorted().map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <Check label="New ids and times" name="volatile" />
        <div class="actions">
          <button
            type="button"
            class="small"
            aria-busy={watching.isBusy}
            title={`Saves the snapshot ${WATCHED}`}
            onClick={watch}
          >
            Watch from now
          </button>
          <button type="button" class="small outline" onClick={reload}>
            Refresh
          </button>
          <Copy text={copyText} label="Copy as text" />
        </div>
      </div>
      <ErrorMessage text={watching.problem ?? problem ?? snapshots.problem} />
      {value && <Summary summary={value.summary} from={from} />}
      {groupBy(value?.data ?? [], (record) => record.section).map(([name, records]) => (
        <section key={name} class="changes">
          <h2>{name}</h2>
          {records.map((record) => (
            <Change
              key={`${record.change} ${record.id}`}
              record={record}
              hasVolatile={query['volatile'] === 'yes'}
            />
          ))}
        </section>
      ))}
      {value && value.nextCursor !== null && (
        <p>
          The first {value.data.length} are listed.{' '}
          {limit < MAX ? (
            <button
              type="button"
              class="small outline"
              onClick={() => {
                setLimit(MAX)
              }}
            >
              Show more
            </button>
          ) : (
            'Choose a section to see others.'
          )}
        </p>
      )}
    </>
  )
}

const titleOf = (name: string): string =>
  name === START ? 'the start' : name === WATCHED ? 'I started watching' : `snapshot ${name}`

function Summary({ summary, from }: { summary: Schema<'Diff'>['summary']; from: string }) {
  if (summary.added + summary.changed + summary.removed === 0) {
    return <Empty>No record has changed since {titleOf(from)}.</Empty>
  }
  return (
    <p role="status" class="counts">
      {(['added', 'changed', 'removed'] as const).map((change) => (
        <Badge key={change} tone={TONES[change]}>
          {summary[change]} {change}
        </Badge>
      ))}
    </p>
  )
}

const TONES: Readonly<Record<Changed['change'], Tone>> = { added: 'good', changed: 'info', removed: 'bad' }

function Change({ record, hasVolatile }: { record: Changed; hasVolatile: boolean }) {
  const { section, id, change, fields, causes } = record
  const shown = hasVolatile ? fields : fields.filter((field) => !field.volatile)
  const [only] = shown
  const glance =
    change === 'changed'
      ? shown.map(({ path }) => path).join(', ')
      : shortText(
          fields.find(({ path }) => TITLES.includes(path)),
          change,
        )
  return (
    <details>
      <summary>
        <Badge tone={TONES[change]}>{change}</Badge> <code>{id}</code>{' '}
        <span class="glance-text">
          {change === 'changed' && only && shown.length === 1
            ? `${only.path}: ${valueText(only.before)} \u2192 ${valueText(only.after)}`
            : glance}
        </span>
      </summary>
      <p class="causes">
        {change !== 'removed' && !id.includes('/') && <a href={recordAddress(section, id)}>Open record</a>}
        {causes.map((cause) => (
          <a key={cause.id} href={to('now', { open: cause.id })}>
            by {cause.title}
          </a>
        ))}
        {causes.length === 0 && <span class="empty">Its cause is not in the timeline.</span>}
      </p>
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
              <th scope="row">{field.path}</th>
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
      {shown.length < fields.length && (
        <p class="empty">{fields.length - shown.length} new ids and times are hidden.</p>
      )}
    </details>
  )
}

const TITLES = ['name', 'title', 'subject', 'description', 'content', 'email']

const shortText = (field: Changed['fields'][number] | undefined, change: Changed['change']): string =>
  field ? valueText(change === 'removed' ? field.before : field.after) : ''

const MAX_VALUE = 2000

function valueText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length <= MAX_VALUE ? text : `${text.slice(0, MAX_VALUE)}\u2026`
}
