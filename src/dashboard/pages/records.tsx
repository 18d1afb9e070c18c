/** Tables of all record sections, and a record with its state, history and possible moves. */
import { Fragment } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useRequest } from '../api.ts'
import type { PageProps } from '../pageProps.ts'
import { live } from '../live.ts'
import { Badge, Empty, Facts, Instant, ErrorMessage, Search, Split } from '../parts/common.tsx'
import { Diagram } from '../parts/diagram.tsx'
import { Json } from '../parts/json.tsx'
import { Moves } from '../parts/moves.tsx'
import { Rows } from '../parts/rows.tsx'
import { filter, openAddress, to } from '../route.ts'
import { server, needsToken, errorMessageOf, type Workspace } from '../server.ts'

export function Records({ workspace, query }: PageProps) {
  const { section } = query
  const request = useRequest(
    async () => (await server().call('listRecordSections', { path: { id: workspace.id } })).data,
    [workspace.id],
  )
  const sections = request.value ?? []
  const filled = sections.filter(({ count }) => count > 0)
  return (
    <>
      <div class="filters">
        <label class="filter">
          <span>Section</span>
          <select
            value={section ?? ''}
            onChange={({ currentTarget }) => {
              location.hash = to('records', { section: currentTarget.value })
            }}
          >
            <option value="">Choose a section</option>
            {sections.map((each) => (
              <option key={each.section} value={each.section}>
                {each.title} ({each.count})
              </option>
            ))}
          </select>
        </label>
        {section && (
          <Search
            label="Text"
            value={query['text']}
            onChange={(text) => {
              filter({ text })
            }}
          />
        )}
      </div>
      <ErrorMessage text={request.problem} />
      {section ? (
        <Section key={section} workspace={workspace} section={section} query={query} />
      ) : (
        <ul class="sections">
          {filled.map((each) => (
            <li key={each.section}>
              <a href={to('records', { section: each.section })}>{each.title}</a> <Badge>{each.count}</Badge>
            </li>
          ))}
          {request.value && filled.length === 0 && (
            <Empty>No records yet. Calls and triggers create them.</Empty>
          )}
        </ul>
      )}
    </>
  )
}

type Row = Readonly<Record<string, unknown>>

const PAGE = 200
/** The maximum number of records that a text search loads. */
const MAX_COUNT = 20_000

interface SectionProps {
  readonly workspace: Workspace
  readonly section: string
  readonly query: PageProps['query']
}

function Section({ workspace, section, query }: SectionProps) {
  const { rows, loadMore, isWhole, problem } = useRecords(workspace.id, section)
  const text = (query['text'] ?? '').toLowerCase()
  useEffect(() => {
    // The search needs all records, so it loads them page by page.
    if (text !== '' && !isWhole && rows.length > 0 && rows.length < MAX_COUNT) loadMore()
  }, [text, rows.length, isWhole])
  const visible = text === '' ? rows : rows.filter((row) => JSON.stringify(row).toLowerCase().includes(text))
  const columns = columnsOf(rows)
  return (
    <>
      <ErrorMessage text={problem} />
      <Split
        close={openAddress(undefined)}
        list={
          visible.length > 0 ? (
            <Rows
              label={`Records of ${section}`}
              items={visible}
              keyOf={idOf}
              addressOf={(row) => openAddress(idOf(row))}
              opened={query['open']}
              onEnd={isWhole || text !== '' ? undefined : loadMore}
              head={columns.map((column) => (
                <span key={column} class="cell">
                  {column}
                </span>
              ))}
              row={(row) =>
                columns.map((column) => (
                  <Fragment key={column}>
                    <Cell name={column} value={row[column]} workspace={workspace} />{' '}
                  </Fragment>
                ))
              }
            />
          ) : (
            isWhole && <Empty>{text === '' ? 'No records in this section.' : 'No matching records.'}</Empty>
          )
        }
        opened={
          query['open'] && (
            <RecordDetail key={query['open']} workspace={workspace} section={section} id={query['open']} />
          )
        }
      />
    </>
  )
}

/** Returns the id of a record; its first field if it has no id. */
const idOf = (row: Row): string => textOf(row['id'] ?? Object.values(row)[0] ?? '')

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

function useRecords(workspace: string, section: string) {
  const [state, setState] = useState<{ rows: readonly Row[]; next: string | null | undefined }>({
    rows: [],
    next: undefined,
  })
  const [problem, setProblem] = useState<string | null>(null)
  const [isLoading, setIsLoading] = useState(false)
  const loadMore = (): void => {
    if (isLoading || state.next === null) return
    setIsLoading(true)
    const query = { limit: PAGE, ...(state.next !== undefined && { cursor: state.next }) }
    server()
      .call('listRecords', { path: { id: workspace, section: section }, query })
      .then(({ data, nextCursor }) => {
        setState(({ rows }) => ({ rows: [...rows, ...(data as Row[])], next: nextCursor }))
      })
      .catch((error: unknown) => {
        if (!needsToken(error)) setProblem(errorMessageOf(error))
        setState(({ rows }) => ({ rows, next: null }))
      })
      .finally(() => {
        setIsLoading(false)
      })
  }
  useEffect(loadMore, [])
  return { rows: state.rows, loadMore, isWhole: state.next === null, problem }
}

const PREFERRED_COLUMNS = [
  'id',
  'name',
  'title',
  'description',
  'email',
  'status',
  'state',
  'amount',
  'value',
  'total',
  'currency',
  'createdAt',
]

/** Returns the columns of the table, at most six, with the preferred ones first. */
function columnsOf(rows: readonly Row[]): string[] {
  const [row] = rows
  if (!row) return []
  const names = Object.keys(row)
  const known = PREFERRED_COLUMNS.filter((name) => names.includes(name))
  const others = names.filter(
    (name) =>
      !known.includes(name) && !name.endsWith('Id') && !(typeof row[name] === 'object' && row[name] !== null),
  )
  return [...known, ...others].slice(0, 6)
}

const STATES = ['status', 'state']

function Cell({ name, value, workspace }: { name: string; value: unknown; workspace: Workspace }) {
  if (value === null || value === undefined) return <span class="cell none">{'\u2013'}</span>
  if (STATES.includes(name)) {
    return (
      <span class="cell">
        <Badge>{textOf(value)}</Badge>
      </span>
    )
  }
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)) {
    return (
      <span class="cell">
        <Instant at={value} timeZone={workspace.timezone} />
      </span>
    )
  }
  return (
    <span class={name === 'id' ? 'cell id' : 'cell'} title={name}>
      {textOf(value)}
    </span>
  )
}

function RecordDetail({ workspace, section, id }: { workspace: Workspace; section: string; id: string }) {
  const path = { id: workspace.id, section: section as never, recordId: id }
  const request = useRequest(() => server().call('getRecord', { path }), [section, id])
  useEffect(
    () =>
      live.listen(({ kind, ref }) => {
        if (kind === 'transition' && ref === `${section}/${id}`) request.reload()
      }),
    [section, id],
  )
  const record = request.value
  const machine = useRequest(
    async () => (record?.machine ? server().call('getMachine', { path: { name: record.machine } }) : null),
    [record?.machine],
  )
  if (!record) return <ErrorMessage text={request.problem} />
  return (
    <>
      <h2>{id}</h2>
      {record.state !== null && <Facts of={[['State', <Badge tone="info">{record.state}</Badge>]]} />}
      {record.machine !== null && (
        <Moves
          workspace={workspace}
          section={section}
          id={id}
          record={record.record}
          moves={record.moves}
          onMoved={request.reload}
        />
      )}
      {machine.value && <Diagram machine={machine.value} state={record.state} />}
      {record.history.length > 0 && (
        <>
          <h3>History</h3>
          <ol class="timeline">
            {record.history.map((move, index) => (
              <li key={index}>
                <Instant at={move.at} timeZone={workspace.timezone} /> <strong>{move.move}</strong>{' '}
                {move.from === null ? '' : `${move.from} to `}
                {move.to}
              </li>
            ))}
          </ol>
        </>
      )}
      <Json label="Record" value={record.record} />
    </>
  )
}
