/** Operations on the request journal of a workspace. OPERATING.md, "Control plane". */
import { NO_CONTENT } from '../../http/definition/operation.ts'
import { pathOf, pathPattern } from '../../http/definition/pathPatterns.ts'
import { asCurl, asHar } from '@suite-sim/kit/calls/callFormats'
import { refuse } from '../../state/model/refusal.ts'
import { Slices, mapInSlices } from '../../state/model/slices.ts'
import { timelineOf } from '../../state/timeline/timelines.ts'
import type { Call } from '../../state/timeline/timeline.ts'
import { requestId } from '../../state/timeline/timelineShapes.ts'
import { fold } from '@suite-sim/kit/text/collation'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type { ControlContext } from '../shared/context.ts'
import { controlRoutesOf, ListOf, WaitedListOf, type ControlResource } from '../shared/dialect.ts'
import {
  assumptionHint,
  assumptionsOf,
  effectsOf,
  hintsIn,
  mergeAssumptions,
  type Assumptions,
} from './hints.ts'
import {
  EntryQuery,
  GroupedHint,
  HintQuery,
  JournalEntry,
  RequestParameters,
  RequestQuery,
  WholeEntry,
} from './journalSchemas.ts'
import { mustBeSearchable } from './search.ts'
import { mustBeOperation } from '../shared/publishedNames.ts'
import { WorkspaceId } from '../shared/schemas.ts'
import { callView, numberOfRequest } from './timelineViews.ts'
import { waitedList } from '../shared/waiting.ts'

/** The maximum number of request ids in a group of hints. */
const MAX_NAMED = 25

export const requests: ControlResource = async (app, context, { waiting }) => {
  const at = controlRoutesOf(app, 'Journal')
  const list = at('/workspaces/:id/requests', { params: WorkspaceId })

  list.get({
    id: 'listRequests',
    summary: 'List the requests of a workspace',
    description:
      'Newest first. The journal has the last 1,000 calls. With wait, the response is sent as soon as count calls match.',
    query: RequestQuery,
    answers: { 200: WaitedListOf(JournalEntry) },
    files: ['application/har+json'],
    async run(request, reply) {
      const { query } = request
      const { operation: name, interface: of } = query
      await mustBeOperation(context, { field: 'operation', name, interface: of, reason: 'invalid_query' })
      const workspace = request.target
      const isListed = filterOf(context, query)
      const hasText = await searchIn(timelineOf(workspace).calls().filter(isListed), query.body)
      const matches = (call: Call): boolean => isListed(call) && hasText(call)
      const found = await waiting.until(reply, workspace, 'requests', query, (limit) =>
        newest(timelineOf(workspace).calls(), matches, limit),
      )
      if (query.as === 'har') {
        reply.type('application/har+json')
        const calls = found.map((call) => call.toRecord())
        return asHar(calls, workspace.publicUrl, context.build.version)
      }
      return waitedList(await viewsOf(context, workspace, found), query, () => explainCalls(workspace))
    },
  })

  list.delete({
    id: 'deleteRequests',
    summary: 'Clear the request journal of a workspace',
    answers: NO_CONTENT,
    run({ target }) {
      timelineOf(target).forgetCalls()
    },
  })

  at('/workspaces/:id/requests/:requestId', { params: RequestParameters }).get({
    id: 'getRequest',
    summary: 'Get a request with its hints and effects',
    query: EntryQuery,
    answers: { 200: WholeEntry },
    files: ['text/plain', 'application/har+json'],
    async run({ target: workspace, params, query }, reply) {
      const call = callOf(workspace, params.requestId).toRecord()
      if (query.as === 'curl') {
        reply.type('text/plain; charset=utf-8')
        return asCurl(call, workspace.publicUrl)
      }
      if (query.as === 'har') {
        reply.type('application/har+json')
        return asHar([call], workspace.publicUrl, context.build.version)
      }
      const assumptions = query.assumed === true ? await assumptionsOf(context, call) : undefined
      const hints = [
        ...(await hintsIn(context, workspace)(call)),
        ...(assumptions ? [assumptionHint(assumptions)] : []),
      ]
      const effects = effectsOf(timelineOf(workspace), call.number)
      return { ...callView(call, hints.length), hints, effects: effects.map(effectView) }
    },
  })

  at('/workspaces/:id/hints', { params: WorkspaceId }).get({
    id: 'listHints',
    summary: 'List the hints of a workspace',
    description:
      'Returns the hints of all calls in the journal, such as ignored fields. Equal hints are grouped, most frequent first.',
    query: HintQuery,
    answers: { 200: ListOf(GroupedHint) },
    run: async ({ target, query: { assumed = false } }) => ({
      data: await groupedHints(context, target, assumed),
    }),
  })
}

const effectView = ({ kind, ref, title }: ReturnType<typeof effectsOf>[number]) => ({ kind, id: ref, title })

interface Filter {
  readonly interface?: string
  readonly operation?: string
  readonly method?: string
  readonly path?: string
  readonly status?: string
  readonly caller?: string
}

function filterOf({ interfaces }: ControlContext, wanted: Filter): (call: Call) => boolean {
  const { path } = wanted
  const patterns = new Map(
    path === undefined ? [] : interfaces.map(({ name, basePath }) => [name, pathPattern(path, basePath)]),
  )
  const status = wanted.status === undefined ? null : new RegExp(`^${wanted.status.replace('xx', '\\d\\d')}$`)
  return (call) =>
    (wanted.interface ?? call.interface) === call.interface &&
    (wanted.operation ?? call.operation) === call.operation &&
    (wanted.method ?? call.method) === call.method &&
    (wanted.caller ?? call.caller) === call.caller &&
    (status?.test(String(call.status)) ?? true) &&
    (path === undefined || patterns.get(call.interface)?.(pathOf(call.url)) === true)
}

/** Returns the newest calls of any kind. */
function explainCalls(workspace: Workspace): string {
  const calls = newest(timelineOf(workspace).calls(), () => true, 3)
  if (calls.length === 0) return 'The journal of the workspace has no calls.'
  const lines = calls.map(({ method, url, status }) => `${method} ${pathOf(url)} ${String(status)}`)
  return `The newest calls are ${lines.join(', ')}.`
}

function newest(calls: readonly Call[], matches: (call: Call) => boolean, limit: number): Call[] {
  const found: Call[] = []
  for (let index = calls.length - 1; index >= 0 && found.length < limit; index--) {
    const call = calls[index]
    if (call && matches(call)) found.push(call)
  }
  return found
}

/**
 * Returns a function that checks whether a body of a call has the text. It searches each call once: these calls in
 * slices, later ones when they are checked.
 */
async function searchIn(calls: readonly Call[], text: string | undefined): Promise<(call: Call) => boolean> {
  if (text === undefined) return () => true
  mustBeSearchable('body', text)
  const wanted = fold(text)
  // In JSON text, quotes and line breaks are escaped.
  const escaped = JSON.stringify(wanted).slice(1, -1)
  const searched = new WeakMap<Call, boolean>()
  const hasText = (call: Call): boolean => {
    const known = searched.get(call)
    if (known !== undefined) return known
    const { request, response } = call.toRecord()
    const found = [request, response].some(({ body }) => {
      if (body === null) return false
      const content = fold(typeof body === 'string' ? body : JSON.stringify(body))
      return content.includes(wanted) || content.includes(escaped)
    })
    searched.set(call, found)
    return found
  }
  await mapInSlices(calls, hasText)
  return hasText
}

async function viewsOf(context: ControlContext, workspace: Workspace, calls: readonly Call[]) {
  const hintsOf = hintsIn(context, workspace)
  const slices = new Slices()
  const views: ReturnType<typeof callView>[] = []
  for (const call of calls) {
    if (slices.isOver) await slices.turn()
    const record = call.toRecord()
    views.push(callView(record, (await hintsOf(record)).length))
  }
  return views
}

function callOf(workspace: Workspace, id: string): Call {
  const number = numberOfRequest(id)
  const found = timelineOf(workspace)
    .calls()
    .find((call) => call.number === number)
  return found ?? refuse('not_found', `The journal has no request ${id}, or no longer has it.`)
}

interface Group {
  readonly code: string
  message: string
  count: number
  readonly requests: string[]
}

async function groupedHints(context: ControlContext, workspace: Workspace, withAssumptions: boolean) {
  const hintsOf = hintsIn(context, workspace)
  const slices = new Slices()
  const groups = new Map<string, Group>()
  const assumed = new Map<string, Assumptions>()
  const add = (key: string, { code, message }: { code: string; message: string }, call: number): void => {
    const group = groups.get(key) ?? { code, message, count: 0, requests: [] }
    group.message = message
    group.count++
    if (group.requests.length < MAX_NAMED) group.requests.push(requestId(call))
    groups.set(key, group)
  }
  for (const call of timelineOf(workspace).calls().reverse()) {
    if (slices.isOver) await slices.turn()
    const entry = call.toRecord()
    for (const hint of await hintsOf(entry)) {
      add(`${hint.code} ${hint.message}`, hint, entry.number)
    }
    const found = withAssumptions ? await assumptionsOf(context, entry) : undefined
    if (!found) continue
    const key = `${entry.interface} ${found.operation}`
    const before = assumed.get(key)
    const merged = before ? mergeAssumptions(before, found) : found
    assumed.set(key, merged)
    add(key, assumptionHint(merged), entry.number)
  }
  return [...groups.values()].sort((one, other) => other.count - one.count)
}
