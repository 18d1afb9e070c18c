/** The request journal: calls with their responses, hints and effects, and actions on them. */
import { useMemo, useRef, useState } from 'preact/hooks'
import { INTERFACES } from '@suite-sim/client/generated/control'
import type { Query, Schema } from '@suite-sim/client/calling'
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
  Instant,
  ErrorMessage,
  Split,
  toneOfStatus,
} from '../parts/common.tsx'
import { Choice, Search } from '../parts/filters.tsx'
import { dayOf } from '../parts/dates.ts'
import { ExampleCall } from '../parts/exampleCall.tsx'
import { Faults, NewFault } from '../parts/faults.tsx'
import { Count, GroupFilter, HintMark, linesOf, rowAddress } from '../parts/groups.tsx'
import { adviceOn } from '../parts/hintCodes.ts'
import { Json } from '../parts/json.tsx'
import { keyOfRow, rowsOf, type Repeat } from '../parts/repeats.ts'
import { Rows } from '../parts/rows.tsx'
import { filter, openAddress, to } from '../route.ts'
import { fetchText, repeat } from '../repeating.ts'
import { docsAddress, operationOf, saveBlob, server, type Workspace } from '../server.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const STATUSES = ['2xx', '4xx', '5xx'] as const
const MAX_COUNT = 1000

export function Calls({ workspace, query }: PageProps) {
  const { interface: of, method, path, status, body, caller, open, group } = query
  /** In the order in which they were made, each in a row of its own. */
  const isOldestFirst = query['order'] === 'oldest'
  const isGrouped = query['grouped'] !== 'no' && !isOldestFirst
  const request = useRequest(
    async () =>
      (
        await server().call('listRequests', {
          path: { id: workspace.id },
          query: {
            limit: MAX_COUNT,
            ...(of && { interface: of }),
            ...(method && { method }),
            ...(path && { path }),
            ...(status && { status }),
            ...(body && { body }),
            ...(caller && { caller }),
          } as Query<'listRequests'>,
        })
      ).data,
    [of, method, path, status, body, caller],
  )
  useLive(['request'], request.reload)
  const { isBusy, problem, run } = useAction()
  const calls = request.value ?? NO_CALLS
  const rows = useMemo(() => {
    const repeatOf = repeatIn(workspace.timezone)
    const ordered = isOldestFirst ? calls.toReversed() : calls
    return rowsOf(ordered, { idOf: ({ id }) => id, repeatOf, open: group, isGrouped })
  }, [calls, group, isGrouped, isOldestFirst, workspace.timezone])
  const callers = useCallers(calls)
  const isFiltered = [of, method, path, status, body, caller].some(Boolean)
  return (
    <>
      <div class="filters">
        <Choice label="Interface" name="interface" options={Object.keys(INTERFACES)} />
        <Choice label="Method" name="method" options={METHODS} />
        <Choice label="Status" name="status" options={STATUSES} />
        <Search label="Path" name="path" placeholder="/deals/*" />
        <Search label="Text in bodies" name="body" placeholder="order 4711" />
        <Search label="Caller" name="caller" placeholder="agent-7" options={callers} />
        <label class="filter">
          <span>Order</span>
          <select
            value={isOldestFirst ? 'oldest' : ''}
            onChange={({ currentTarget }) => {
              filter({ order: currentTarget.value, group: undefined })
            }}
          >
            <option value="">Newest first</option>
            <option value="oldest">Oldest first</option>
          </select>
        </label>
        {!isOldestFirst && <GroupFilter isGrouped={isGrouped} />}
        <Danger
          isBusy={isBusy}
          disabled={calls.length === 0}
          question={`Delete all recorded calls of ${workspace.name}?`}
          onConfirmed={() => {
            run(async () => {
              await server().call('deleteRequests', { path: { id: workspace.id } })
              request.reload()
            })
          }}
        >
          Clear journal
        </Danger>
      </div>
      <ErrorMessage text={request.problem ?? problem} />
      <Split
        close={openAddress(undefined)}
        list={
          rows.length > 0 ? (
            <Rows
              label={`Calls, ${isOldestFirst ? 'oldest' : 'newest'} first`}
              items={rows}
              keyOf={({ key }) => key}
              addressOf={(row) => rowAddress(row, group)}
              opened={open && keyOfRow(rows, ({ id }) => id === open)}
              isFailed={({ item }) => item.status >= 500}
              at={({ item }) => item.at}
              linesOf={({ item, items }) => linesOf(items, open === undefined ? reasonOf(item) : undefined)}
              row={(row) => {
                const { item: call, items, isMember } = row
                return (
                  <>
                    {isMember && <span class="member" />}
                    <Badge tone={toneOfStatus(call.status)}>{call.status}</Badge>{' '}
                    <span class="method">{call.method}</span>{' '}
                    <span class="title">{call.path + queryOfAll(items)}</span>{' '}
                    {/* An open call shows its reason beside the list, which is narrow then. */}
                    {open === undefined && <span class="reason">{reasonOf(call)}</span>}{' '}
                    {call.caller?.name !== undefined && caller === undefined && (
                      <span class="caller">{call.caller.name}</span>
                    )}{' '}
                    <HintMark count={Math.max(...items.map(({ hintCount }) => hintCount))} />{' '}
                    {items.length > 1 ? (
                      <Count row={row} at={({ at }) => at} open={group} />
                    ) : (
                      <span class="aside">{Math.round(call.durationMs * 10) / 10} ms</span>
                    )}
                  </>
                )
              }}
            />
          ) : (
            request.value &&
            (isFiltered ? (
              <Empty>No matching calls.</Empty>
            ) : (
              <>
                <Empty>
                  No calls yet. Calls of this workspace to the interfaces appear here; calls to the control
                  plane do not.
                </Empty>
                <ExampleCall workspace={workspace} />
              </>
            ))
          )
        }
        opened={open && <Call key={open} workspace={workspace} id={open} />}
      />
      <Faults workspace={workspace} />
    </>
  )
}

/** Returns the names of the callers that the page has seen, also while it filters by one of them. */
function useCallers(calls: readonly Schema<'JournalEntry'>[]): readonly string[] {
  const seen = useRef(new Set<string>())
  for (const { caller } of calls) if (caller?.name !== undefined) seen.current.add(caller.name)
  return [...seen.current].sort()
}

const NO_CALLS: readonly Schema<'JournalEntry'>[] = []

/** Returns the function that finds repeats: polls with any query, and repeated calls with the same result. */
const repeatIn =
  (timeZone: string) =>
  (call: Schema<'JournalEntry'>): Repeat => ({
    key: [
      ...[dayOf(call.at, timeZone), call.method, call.path, call.status],
      ...[call.caller?.name, reasonOf(call)],
    ].join(' '),
    reach: call.status >= 400 ? 'any' : call.method === 'GET' || call.method === 'HEAD' ? 'near' : 'next',
  })

/** Returns the query of calls as in a URL; "?…" if they differ. */
function queryOfAll(calls: readonly Schema<'JournalEntry'>[]): string {
  const queries = new Set(calls.map(({ request }) => queryOf(request.query)))
  return queries.size > 1 ? '?\u2026' : ([...queries][0] ?? '')
}

const reasonOf = ({ refusal, fault }: Schema<'JournalEntry'>): string | undefined =>
  refusal?.message ?? (fault && 'Injected fault')

/** Returns the query of a call as in its URL: "?limit=2". */
function queryOf(query: Schema<'JournalEntry'>['request']['query']): string {
  const text = Object.entries(query)
    .flatMap(([name, value]) => [value].flat().map((each) => `${name}=${String(each)}`))
    .join('&')
  return text && `?${text}`
}

interface CallProps {
  readonly workspace: Workspace
}

function Call({ workspace, id }: CallProps & { id: string }) {
  const {
    value: call,
    problem,
    isMissing,
  } = useRequest(async (): Promise<Schema<'WholeJournalEntry'>> => {
    const found = await server().call('getRequest', { path: { id: workspace.id, requestId: id } })
    return found
  }, [id])
  if (isMissing) {
    return (
      <Gone title="This call is no longer in the journal">
        The journal keeps the newest 1,000 calls of a workspace, or fewer if they are large. Older ones are
        dropped. A cleared journal, a reset and a restored snapshot delete them, too. The{' '}
        <a href={to('changes')}>changes</a> of records remain.
      </Gone>
    )
  }
  if (!call) return <ErrorMessage text={problem} />
  return <CallDetail workspace={workspace} call={call} />
}

function CallDetail({ workspace, call }: CallProps & { call: Schema<'WholeJournalEntry'> }) {
  const { operation, refusal, hints, effects } = call
  const known = useRequest(
    async () => (operation === null ? null : operationOf(call.interface, operation)),
    [call.id],
  )
  return (
    <>
      <h2>
        <Badge tone={toneOfStatus(call.status)}>{call.status}</Badge> {call.method}{' '}
        <span class="path">{call.path}</span>
      </h2>
      {refusal && (
        <p class="refusal">
          <strong>{refusal.reason}</strong> {refusal.message}
        </p>
      )}
      {hints.map(({ code, message }) => (
        <p key={code + message} class="hint">
          <strong>{code}</strong> {message} {adviceOn(code)}{' '}
          <a href={to('hints', { code })}>All such hints</a>
        </p>
      ))}
      <CallActions workspace={workspace} call={call} />
      <h3>Response</h3>
      {call.response.body !== null && <Json label="Response body" value={call.response.body} />}
      <HeadersOf label="Response headers" headers={call.response.headers} />
      <h3>Request</h3>
      {Object.keys(call.request.query).length > 0 && <Json label="Query" value={call.request.query} />}
      {call.request.body !== null && <Json label="Request body" value={call.request.body} />}
      <HeadersOf label="Request headers" headers={call.request.headers} />
      <Facts
        of={[
          ['When', <Instant at={call.at} timeZone={workspace.timezone} isLong />],
          ['Duration', `${String(call.durationMs)} ms`],
          ['Caller', <Caller of={call.caller} />],
          ['Operation', <OperationLink workspace={workspace} call={call} known={known.value} />],
          ...(known.value
            ? ([['Specification', <SpecificationNote known={known.value} call={call} />]] as const)
            : []),
          ...(call.fault === undefined
            ? []
            : ([['Fault', <>The fault {call.fault} was applied. See the list of faults below.</>]] as const)),
        ]}
      />
      {effects.length > 0 && (
        <>
          <h3>Effects</h3>
          <ol class="timeline">
            {effects.map((effect) => (
              <li key={effect.kind + effect.id}>
                <Badge>{effect.kind}</Badge> {effect.title}
              </li>
            ))}
          </ol>
          <p>
            <a href={to('now', { open: call.id })}>Show in timeline</a>
          </p>
        </>
      )}
    </>
  )
}

/** The headers, collapsed, so that bodies are in view. */
const HeadersOf = ({ label, headers }: { label: string; headers: Readonly<Record<string, unknown>> }) => (
  <details>
    <summary>
      {label} ({Object.keys(headers).length})
    </summary>
    <Json label={label} value={headers} />
  </details>
)

/** The name that the caller sent, with a link to its calls, and the user whose key was used. */
function Caller({ of }: { of: Schema<'WholeJournalEntry'>['caller'] }) {
  const { name, userId } = of ?? { userId: null }
  if (name === undefined) return <>{userId ?? 'Unknown'}</>
  return (
    <>
      <a href={to('calls', { caller: name })}>{name}</a>
      {userId !== null && `, with a key of ${userId}`}
    </>
  )
}

type KnownOperation = Awaited<ReturnType<typeof operationOf>>

function OperationLink({
  call,
  known,
  workspace,
}: CallProps & { call: Schema<'WholeJournalEntry'>; known: KnownOperation }) {
  if (call.operation === null) return <>No operation matches this path</>
  if (!known) return <>{call.operation}</>
  const { operation, info } = known
  const tag = operation.tags?.[0] ?? ''
  return (
    <a href={docsAddress(call.interface, tag, call.operation, workspace.id)}>
      {info.title}, {tag}: {operation.summary}
    </a>
  )
}

/** Shows the section of the specification, and what is assumed. */
function SpecificationNote({
  known,
  call,
}: {
  known: NonNullable<KnownOperation>
  call: Schema<'WholeJournalEntry'>
}) {
  const { operation, info } = known
  const section = info['x-specification'] ?? ''
  const [part = ''] = section.split(',')
  const why = operation['x-fidelity-why']
  return (
    <>
      {section}
      {call.refusal && `; refusals in ${part}, "Errors"`}.{' '}
      {operation['x-fidelity'] === 'assumed' && <Badge tone="warn">assumed</Badge>} {why}
    </>
  )
}

/** Buttons that copy, save or repeat a call, or create a fault for it. */
function CallActions({ workspace, call }: CallProps & { call: Schema<'WholeJournalEntry'> }) {
  const [answer, setAnswer] = useState<{ status: number; text: string } | null>(null)
  const [isFaultFormOpen, setIsFaultFormOpen] = useState(false)
  const { isBusy, problem, run } = useAction()
  const path = { id: workspace.id, requestId: call.id }
  const textAs = async (as: 'curl' | 'har'): Promise<string> =>
    (await server().send('getRequest', { path, query: { as } })).text()
  const canRepeat = call.request.cutFrom === undefined
  return (
    <>
      <div class="actions">
        <Copy label="Copy as curl" text={() => textAs('curl')} />
        <Copy label="Copy as fetch" text={fetchText(call)} />
        <button
          type="button"
          class="small outline"
          onClick={() => {
            run(async () => {
              saveBlob(new Blob([await textAs('har')], { type: 'application/json' }), `${call.id}.har`)
            })
          }}
        >
          Save as HAR
        </button>
        <button
          type="button"
          class="small"
          aria-busy={isBusy}
          disabled={!canRepeat}
          title={canRepeat ? undefined : 'The stored body is incomplete.'}
          onClick={() => {
            run(async () => {
              setAnswer(await repeat(workspace.id, call))
            })
          }}
        >
          Repeat call
        </button>
        <button
          type="button"
          class="small outline"
          aria-expanded={isFaultFormOpen}
          onClick={() => {
            setIsFaultFormOpen(!isFaultFormOpen)
          }}
        >
          Create fault for this call
        </button>
      </div>
      <ErrorMessage text={problem} />
      {answer && (
        <p role="status">
          Repeated call: <Badge tone={toneOfStatus(answer.status)}>{answer.status}</Badge>{' '}
          <code>{answer.text.slice(0, 300)}</code>
        </p>
      )}
      {isFaultFormOpen && (
        <NewFault
          workspace={workspace}
          initialValues={{
            interface: call.interface,
            method: call.method,
            path: call.path,
            status: 503,
            times: 1,
          }}
        />
      )}
    </>
  )
}
