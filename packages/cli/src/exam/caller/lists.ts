/** The properties of the exam about the answers that a client reads: pages that move, and fields that it does not know. */
import type { NewWorkspace } from '@suite-sim/client/workspace'
import { counted } from '@suite-sim/kit/text/counted'
import { EXAM_CALLER, groupBy, hasSucceeded, isWrite, type Call } from './calls.ts'
import { idOf, recordsIn } from './answers.ts'
import type { Documents } from './documents.ts'
import type { Passing, Rule } from './gateway.ts'
import { endOf, fail, gradeRecords, notMet, pass, type CallerProperty, type Verdict } from './property.ts'
import type { Run } from './run.ts'

type Json = Readonly<Record<string, unknown>>

/** Calls an interface as somebody else who works in the workspace. */
async function callAs(
  workspace: NewWorkspace,
  call: Call,
  method: 'POST' | 'DELETE',
  path: string,
  body?: Json,
) {
  const base = new URL(workspace.urlOf(call.interface)).pathname
  return workspace.fetch(call.interface, path.replace(base, ''), {
    method,
    headers: { 'x-sim-caller': EXAM_CALLER, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
}

/** Adds a record to a list; returns its id, or null if the list refuses it. */
async function addTo(
  list: Call,
  example: Json,
  workspace: NewWorkspace,
  mark: string,
): Promise<string | null> {
  for (const body of [varied(example, mark), example]) {
    const response = await callAs(workspace, list, 'POST', list.path, body)
    if (response.ok) return idIn(await response.json())
  }
  return null
}

/** Changes the values of an example that must be unique: e-mail addresses and names. */
const varied = (example: Json, mark: string): Json =>
  Object.fromEntries(
    Object.entries(example).map(([name, value]) => {
      if (typeof value !== 'string') return [name, value]
      if (value.includes('@')) return [name, `${mark}@example.com`]
      return [name, /name$|^sku$|^code$|^slug$/i.test(name) ? `${value} ${mark}` : value]
    }),
  )

function idIn(answer: unknown): string | null {
  const inner = (answer as { readonly data?: unknown } | null)?.data
  return idOf(inner) ?? idOf(answer)
}

/** Returns the first call of each list that the client reads. */
const listsIn = ({ calls, pages }: Run): Call[] =>
  [...groupBy(pages, ({ path }) => path).keys()].flatMap(
    (path) => calls.find((call) => call.path === path && call.method === 'GET' && hasSucceeded(call)) ?? [],
  )

/** What the exam did to the lists of a run. */
interface Moves {
  readonly vanished: Set<string>
  readonly appeared: Set<string>
}

export const movingPages: CallerProperty = {
  name: 'moving_pages',
  title: 'If records appear and vanish while it pages, none of the others is missed or handled twice',
  plan(base, documents) {
    const lists = pagedLists(base, documents)
    if (lists.length === 0)
      return 'The client reads no list in several pages to which a call adds records and from which one deletes them.'
    const moves: Moves = { vanished: new Set(), appeared: new Set() }
    return {
      weather: [{ start: (workspace) => moveLists(workspace, lists, documents, moves) }],
      judge: ([run]) => (run ? gradePages(run, base, lists, moves) : notMet('No run.')),
    }
  },
}

/** Returns the first call of each list that the client reads in several pages, and that others can change. */
const pagedLists = (base: Run, documents: Documents): Call[] =>
  listsIn(base).filter((list) => {
    const pages = new Set(base.pages.filter(({ path }) => path === list.path).map(({ ids }) => ids.join(' ')))
    const { example, canDelete } = documents.listFacts(list)
    return pages.size > 1 && example !== null && canDelete
  })

/** Adds a record to each list before the client starts, removes one after the first page, and adds another after the second. */
async function moveLists(
  workspace: NewWorkspace,
  lists: readonly Call[],
  documents: Documents,
  { vanished, appeared }: Moves,
): Promise<Rule> {
  for (const list of lists) await appear(list, 'first')
  const pages = new Map<string, number>()
  return async ({ method, path, json }: Passing) => {
    const list = lists.find((each) => method === 'GET' && each.path === path)
    const records = list ? recordsIn(json) : null
    if (!list || !records) return undefined
    const ids = records.map((each) => idOf(each) ?? '')
    const page = (pages.get(path) ?? 0) + 1
    pages.set(path, page)
    if (page === 1) await vanish(list, ids.find((id) => appeared.has(id)) ?? ids[0] ?? '')
    if (page === 2) await appear(list, 'second')
    return undefined
  }

  async function appear(list: Call, mark: string): Promise<void> {
    const { example } = documents.listFacts(list)
    const id = example && (await addTo(list, example, workspace, `exam-${mark}`))
    if (id !== null) appeared.add(id)
  }

  async function vanish(list: Call, id: string): Promise<void> {
    const response = await callAs(workspace, list, 'DELETE', `${list.path}/${encodeURIComponent(id)}`)
    if (response.ok) vanished.add(id)
  }
}

function gradePages(run: Run, base: Run, lists: readonly Call[], { vanished, appeared }: Moves): Verdict {
  if (vanished.size === 0)
    return notMet('No record of the lists could be deleted while the client read them.')
  const paths = new Set(lists.map(({ path }) => path))
  const seenIn = (of: Run): Set<string> =>
    new Set(of.pages.filter(({ path }) => paths.has(path)).flatMap(({ ids }) => ids))
  const reads = run.calls.filter(({ method, path }) => method === 'GET' && paths.has(path))
  // What the client itself adds has another id in each run.
  const added = new Set(base.changes.filter(({ change }) => change === 'added').map(({ id }) => id))
  const others = [...seenIn(base)].filter((id) => !vanished.has(id) && !appeared.has(id) && !added.has(id))
  const seen = seenIn(run)
  const words = `${counted(vanished.size, 'record')} vanished and ${counted(appeared.size, 'record')} appeared while the client paged`
  const missed = others.filter((id) => !seen.has(id))
  if (missed.length > 0) {
    const reason = `${words}, and none of its pages had ${missed.slice(0, 3).join(', ')}. ${endOf(run)}`
    return fail(reason, run, reads)
  }
  for (const id of others) {
    const [before, after] = [base, run].map((of) =>
      of.calls.filter((call) => isWrite(call) && concerns(call, id)),
    )
    if (!before || !after || before.length === after.length || (before.length === 0 && after.length <= 1))
      continue
    if (after.length > before.length)
      return fail(
        `${words}, and ${id} was handled ${counted(after.length, 'time')} instead of ${String(before.length)}. ${endOf(run)}`,
        run,
        [...reads, ...after],
      )
    return fail(`${words}, and ${id} was not handled. ${endOf(run)}`, run, [...reads, ...after])
  }
  if (run.stopped !== null) return fail(`${words}. ${endOf(run)}`, run, reads)
  return pass(`${words}; the client saw ${counted(others.length, 'other')}.`)
}

/** Whether a call names a record in its path or its body. */
const concerns = ({ path, body }: Call, id: string): boolean =>
  path.split('/').includes(id) || JSON.stringify(body ?? null).includes(JSON.stringify(id))

const EXTRA = { exam_extra_field: { added: 'by a later version' } }
const UNKNOWN = 'exam_unknown_value'

export const unknownFields: CallerProperty = {
  name: 'unknown_fields',
  title: 'If answers have a field more, and an enum has a value more, the client still works',
  plan(base, documents) {
    const lists = listsIn(base).flatMap((list) => {
      const { example, enums } = documents.listFacts(list)
      return example && enums.length > 0 ? [{ list, example, enums }] : []
    })
    const changed = { fields: 0, values: new Set<string>() }
    const start = async (workspace: NewWorkspace): Promise<Rule> => {
      const added = new Map<string, readonly string[]>()
      for (const { list, example, enums } of lists) {
        const id = await addTo(list, example, workspace, 'exam')
        if (id !== null) added.set(id, enums)
      }
      return ({ json }) => {
        if (json === undefined) return undefined
        changed.fields++
        return extended(json, (record) => {
          const names = added.get(idOf(record) ?? '') ?? []
          const name = names.find((each) => typeof record[each] === 'string')
          if (name === undefined) return {}
          changed.values.add(name)
          return { [name]: UNKNOWN }
        })
      }
    }
    return {
      weather: [{ start }],
      judge([run]) {
        if (!run || changed.fields === 0) return notMet('No answer was JSON.')
        const values =
          changed.values.size === 0
            ? 'none had a value more'
            : `${[...changed.values].join(', ')} had a value more`
        const words = `${counted(changed.fields, 'answer')} had a field more, and ${values}`
        if (run.exitCode !== 0) return fail(`${words}. ${endOf(run)}`, run, run.calls)
        return gradeRecords(run, base, { words, ignoresTwice: true })
      },
    }
  },
}

/** Adds a field to each object, and what `more` returns. */
function extended(value: unknown, more: (record: Json) => Json): unknown {
  if (Array.isArray(value)) return value.map((each) => extended(each, more))
  if (typeof value !== 'object' || value === null) return value
  const record = value as Json
  return {
    ...Object.fromEntries(Object.entries(record).map(([name, each]) => [name, extended(each, more)])),
    ...more(record),
    ...EXTRA,
  }
}
