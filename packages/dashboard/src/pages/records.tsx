/** Tables of all record sections, and a record with its state, history and possible moves. */
import { Fragment } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Schema } from '@suite-sim/client/calling'
import { useLoading, useRequest } from '../api.ts'
import type { PageProps } from '../pageProps.ts'
import { useLive } from '../live.ts'
import { Badge, Empty, Facts, Gone, Instant, ErrorMessage, Split } from '../parts/common.tsx'
import { Check, Search } from '../parts/filters.tsx'
import { groupBy } from '../parts/groupBy.ts'
import { Json } from '../parts/json.tsx'
import { Moves } from '../parts/moves.tsx'
import { Cell, columnsOf, textOf, type Column, type Row } from '../parts/recordCells.tsx'
import { Reach } from '../parts/reach.tsx'
import { recordAddress } from '../parts/recordLinks.tsx'
import { Rows } from '../parts/rows.tsx'
import { filter, openAddress, to } from '../route.ts'
import { server, needsToken, errorMessageOf, type Workspace } from '../server.ts'
import { fold } from '@suite-sim/kit/text/collation'

type RecordSection = Schema<'RecordSection'>

export function Records({ workspace, query }: PageProps) {
  const { section, find } = query
  const request = useRequest(
    async () => (await server().call('listRecordSections', { path: { id: workspace.id } })).data,
    [workspace.id],
  )
  const isShown = ({ section: name, internal }: RecordSection): boolean =>
    !internal || query['internal'] === 'yes' || name === section
  const groups = groupBy((request.value ?? []).filter(isShown), interfaceOf)
  return (
    <>
      <div class="filters">
        <label class="filter">
          <span>Section</span>
          <select
            value={section ?? ''}
            onChange={({ currentTarget }) => {
              location.hash = to('records', { section: currentTarget.value, internal: query['internal'] })
            }}
          >
            <option value="">All sections</option>
            {groups.map(([name, sections]) => (
              <optgroup key={name} label={name}>
                {sections.map((each) => (
                  <option key={each.section} value={each.section}>
                    {listOf(each)} ({each.count})
                  </option>
                ))}
              </optgroup>
            ))}
          </select>
        </label>
        {section && <Search label="Text" name="text" />}
        {section && (
          <label class="filter">
            <span>Order</span>
            <select
              value={query['order'] ?? ''}
              onChange={({ currentTarget }) => {
                filter({ order: currentTarget.value })
              }}
            >
              <option value="">Oldest first</option>
              <option value="newest">Newest first</option>
            </select>
          </label>
        )}
        {!section && <Search label="Find a record" name="find" placeholder="id, key or name" />}
        <Check label="Internal sections" name="internal" />
      </div>
      <ErrorMessage text={request.problem} />
      {section ? (
        <Section
          key={`${section} ${query['order'] ?? ''}`}
          workspace={workspace}
          section={section}
          query={query}
        />
      ) : find ? (
        <Found key={find} workspace={workspace} text={find} sections={request.value ?? []} />
      ) : (
        request.value && <Groups groups={groups} />
      )}
    </>
  )
}

type Group = readonly [name: string, sections: readonly RecordSection[]]

/** Returns the name of the interface of a section, which its title starts with. */
const interfaceOf = ({ title }: RecordSection): string => title.split(': ', 1).join('')

/** Returns the title of a section without its interface. */
const listOf = ({ title }: RecordSection): string => title.slice(title.indexOf(': ') + 2)

function Groups({ groups }: { groups: readonly Group[] }) {
  const filled = groups
    .map(([name, sections]) => [name, sections.filter(({ count }) => count > 0)] as const)
    .filter(([, sections]) => sections.length > 0)
  if (filled.length === 0) return <Empty>No records yet. Calls and triggers create them.</Empty>
  return (
    <div class="sections">
      {filled.map(([name, sections]) => (
        <section key={name}>
          <h2>{name}</h2>
          <ul>
            {sections.map((each) => (
              <li key={each.section}>
                <a href={to('records', { section: each.section })}>{listOf(each)}</a>{' '}
                <Badge>{each.count}</Badge>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

interface FoundProps {
  readonly workspace: Workspace
  readonly text: string
  readonly sections: readonly RecordSection[]
}

/** The records with an id, key or title. A single one with exactly this id is opened. */
function Found({ workspace, text, sections }: FoundProps) {
  const { value: found, problem } = useRequest(async () => {
    const path = { id: workspace.id }
    const isId = /^[^\s,]+$/.test(text)
    const exact = isId ? (await server().call('findRecords', { path, query: { id: text } })).data : []
    const [only] = exact
    if (only && exact.length === 1) {
      location.replace(recordAddress(only.section, only.id))
      return null
    }
    return exact.length > 0
      ? exact
      : (await server().call('findRecords', { path, query: { text, limit: 200 } })).data
  }, [workspace.id, text])
  const titleOf = (name: string): string => sections.find(({ section }) => section === name)?.title ?? name
  if (!found) return <ErrorMessage text={problem} />
  if (found.length === 0) return <Empty>No record has this id, key or name.</Empty>
  return (
    <Rows
      label="Found records"
      items={found}
      keyOf={({ section, id }) => `${section} ${id}`}
      addressOf={({ section, id }) => recordAddress(section, id)}
      row={({ section, id, title, state }) => (
        <>
          <span class="cell id">{id}</span> <span class="title">{title ?? ''}</span>{' '}
          {state !== null && <Badge>{state}</Badge>} <span class="aside">{titleOf(section)}</span>
        </>
      )}
    />
  )
}

const PAGE = 200
/** The maximum number of records that a text search loads. */
const MAX_COUNT = 20_000

interface SectionProps {
  readonly workspace: Workspace
  readonly section: string
  readonly query: PageProps['query']
}

function Section({ workspace, section, query }: SectionProps) {
  const {
    rows,
    columns: known,
    loadMore,
    isWhole,
    problem,
  } = useRecords(workspace.id, section, query['order'] === 'newest' ? 'newest' : 'oldest')
  const text = fold(query['text'] ?? '')
  useEffect(() => {
    // The search needs all records, so it loads them page by page.
    if (text !== '' && !isWhole && rows.length > 0 && rows.length < MAX_COUNT) loadMore()
  }, [text, rows.length, isWhole])
  const visible = text === '' ? rows : rows.filter((row) => fold(JSON.stringify(row)).includes(text))
  const columns = columnsOf(known)
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
              head={columns.map(({ name, kind }) => (
                <span key={name} class={`cell ${kind}`}>
                  {name}
                </span>
              ))}
              row={(row) =>
                columns.map((column) => (
                  <Fragment key={column.name}>
                    <Cell column={column} row={row} workspace={workspace} />{' '}
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

interface Loaded {
  readonly rows: readonly Row[]
  readonly columns: readonly Column[]
  readonly next: string | null | undefined
}

function useRecords(workspace: string, section: string, order: 'oldest' | 'newest') {
  const [state, setState] = useState<Loaded>({ rows: [], columns: [], next: undefined })
  const [problem, setProblem] = useState<string | null>(null)
  const [isLoading, setIsLoading] = useState(false)
  useLoading(isLoading)
  const loadMore = (): void => {
    if (isLoading || state.next === null) return
    setIsLoading(true)
    const query = {
      limit: PAGE,
      order,
      ...(state.next !== undefined && { cursor: state.next }),
    }
    server()
      .call('listRecords', { path: { id: workspace, section: section }, query })
      .then(({ data, columns, nextCursor }) => {
        setState(({ rows }) => ({ rows: [...rows, ...(data as Row[])], columns, next: nextCursor }))
      })
      .catch((error: unknown) => {
        if (!needsToken(error)) setProblem(errorMessageOf(error))
        setState((before) => ({ ...before, next: null }))
      })
      .finally(() => {
        setIsLoading(false)
      })
  }
  useEffect(loadMore, [])
  return { rows: state.rows, columns: state.columns, loadMore, isWhole: state.next === null, problem }
}

function RecordDetail({ workspace, section, id }: { workspace: Workspace; section: string; id: string }) {
  const path = { id: workspace.id, section: section as never, recordId: id }
  const request = useRequest(() => server().call('getRecord', { path }), [section, id])
  useLive(({ kind, ref }) => kind === 'transition' && ref === `${section}/${id}`, request.reload)
  const record = request.value
  const machine = useRequest(
    async () => (record?.machine ? server().call('getMachine', { path: { name: record.machine } }) : null),
    [record?.machine],
  )
  if (request.isMissing) {
    return (
      <Gone title={`There is no record ${id}`}>
        A call, a trigger or a job may have deleted it, or a reset or a restored snapshot. The page{' '}
        <a href={to('changes', { section })}>Changes</a> lists removed records with their causes.
      </Gone>
    )
  }
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
      {machine.value && (
        <Reach workspace={workspace.id} section={section} machine={machine.value} state={record.state} />
      )}
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
