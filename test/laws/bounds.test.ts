/**
 * Sends values at and beyond each bound of each field of every request. A value beyond a bound is refused with an
 * error that names the field, and nothing changes. A value at a bound is accepted and shown in the response.
 *
 * The snapshot lists the bounds of all fields, and after `|` the values at bounds that are refused by another rule
 * (`not`) or shown in another form (`as`). After a change on purpose:
 * `npx vitest run --mode full --project simulator test/laws/bounds.test.ts -u`.
 *
 * In the quick run, one field of each operation stands for the others of its type that the same keyword of the schema
 * refuses or accepts. For those that are not sent, the snapshot is compared with itself, except for their bounds.
 */
import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Dialect } from '../../src/http/definition/dialect.ts'
import type { Answer, CallOptions, FreshApp } from '../support/app.ts'
import { contractOf } from '../support/contract.ts'
import { everyOperation, exampleForm, preparedCall, takesForm, type Subject } from '../support/examples.ts'
import { IS_FULL } from '../support/extent.ts'
import { CONTROL, PUBLISHED } from '../support/published.ts'
import { demoWorkspace } from './allActions.ts'
import { READ_AT } from './filled.ts'
import { mustHint } from './documentedHints.ts'
import {
  bodyOf,
  boundsText,
  fieldsOf,
  ITEM,
  UNKNOWN_VALUE,
  validatorOf,
  valueAt,
  valuesBeyond,
  valuesWithin,
  withUnknownNames,
  withValue,
  type Field,
} from './requestFields.ts'

type Body = Readonly<Record<string, unknown>>

interface PreparedFields {
  /** Sends the call with this value of the field; null if the request cannot contain such a value. */
  readonly send: (field: Field, value: unknown) => Promise<Answer> | null
  /** Sends the call with these unknown names; null if it has no JSON body. */
  readonly sendUnknownNames: (names: readonly string[]) => Promise<Answer> | null
}

/** Prepares the operation in the workspace as it was at first. */
async function prepare(fresh: FreshApp, subject: Subject): Promise<PreparedFields> {
  await fresh.call('POST', `/_sim/workspaces/${fresh.workspace.id}/reset`)
  fresh.setClock(READ_AT)
  const { call, method, path, query, body, sent } = await preparedCall(fresh, subject)
  const { route, document } = subject
  const schema = bodyOf(document, route.method, route.path) ?? {}
  const isForm = takesForm(subject)
  const sendBody = (options: CallOptions) => call(method, path + query, options)

  return {
    send({ place, path: names, schema: { type } }, value) {
      if (place === 'body' && !isForm) return sendBody({ body: withValue(schema, body, names, value) })
      const [name = '', item] = names
      const types = [type].flat()
      // Parameters and forms contain text only. The tests of uploads send lists, and leave out files.
      if (item !== undefined || types.includes('array') || typeof value === 'object') return null
      if (typeof value !== 'string' && value !== undefined && types.includes('string')) return null
      if (place === 'body')
        return typeof value === 'string'
          ? sendBody(exampleForm(document, method, route.path, { [name]: value }))
          : null
      // The server looks for the workspace before it validates the query.
      if (name === 'workspace') return null
      const parameters = new URLSearchParams(query)
      parameters.delete(name)
      if (value !== undefined) parameters.set(name, typeof value === 'string' ? value : JSON.stringify(value))
      return call(method, `${path}?${String(parameters)}`, sent)
    },
    sendUnknownNames: (names) =>
      body === undefined || isForm ? null : sendBody({ body: withUnknownNames(schema, body, names) }),
  }
}

/** The records and events of the workspace. */
const contentsOf = (fresh: FreshApp): unknown => [
  fresh.rows(),
  fresh.workspace.database.sqlite
    .prepare('SELECT count(*) FROM events WHERE workspace = ?')
    .get(fresh.workspace.rowScope),
]

const nameOf = ({ path }: Field): string => path.findLast((part) => part !== ITEM) ?? ''

/** Matches an error that names a length or a size of this field: "reason must have at most 255 characters". */
const lengthWords = (field: Field): RegExp =>
  new RegExp(`\\b${nameOf(field)} must have at (least|most) [\\d.,]+ (characters|items?|fields?)\\b`)

/** The objects in a response that may show the record. */
function shownIn(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  return [value, ...Object.values(value).flatMap(shownIn)]
}

/** True if the response shows the field with another value. */
function isShownOtherwise({ path }: Field, value: unknown, { body }: Answer): boolean {
  const shown = shownIn(body).find((each) => (path[0] ?? '') in (each as Body))
  const found = valueAt(shown, path)
  return value !== undefined && found !== undefined && !isDeepStrictEqual(found, value)
}

/** What the hint says of every field of a refused call, without what it says of the status. */
async function assumptionsOf(fresh: FreshApp, { headers }: Answer): Promise<string> {
  const path = `/_sim/workspaces/${fresh.workspace.id}/requests/${String(headers['x-request-id'])}`
  const { hints } = (await fresh.call('GET', path)).body as { hints: { code: string; message: string }[] }
  const { message = '' } = hints.find(({ code }) => code === 'assumed_refusal') ?? {}
  return message.replace(/^The .*?\. (?:It does not list the status \d+ here\. ?)?/, '')
}

/** The refused fields that a response names. */
const refusedIn = ({ body }: Answer): readonly string[] =>
  shownIn(body)
    .flatMap((each) => ((each as Body)['details'] ?? []) as { field: string }[])
    .map(({ field }) => field)

/** The interfaces whose refusals have a code for each field. */
const WITH_CODES_OF_FIELDS = ['tax-invoicing']

const codeOf = ({ route }: Subject, { path }: Field): readonly string[] | null =>
  WITH_CODES_OF_FIELDS.includes(route.interface) ? path : null

/** The keywords that refuse the value, in the field or within it; each format refuses other texts. */
function refusalsOf({ schema }: Field, what: string, value: unknown): unknown {
  if (value === undefined) return 'required'
  const validator = validatorOf(schema)
  validator(value)
  const refusals = (validator.errors ?? []).map(({ keyword, instancePath }) =>
    [keyword, instancePath === '', keyword === 'format' && `${String(schema.format)} ${what}`].join(' '),
  )
  return [...new Set(refusals)]
}

/** The cases of an operation: all of them, or the first one of each kind. */
class Kinds {
  readonly #withAll: boolean
  readonly #seen = new Set<string>()

  constructor(withAll: boolean) {
    this.#withAll = withAll
  }

  /** True if a case of this kind must be sent. */
  mustSend({ place, schema: { type } }: Field, ...kind: readonly unknown[]): boolean {
    const text = JSON.stringify([place, type, ...kind])
    if (!this.#withAll && this.#seen.has(text)) return false
    this.#seen.add(text)
    return true
  }
}

const SNAPSHOT = readFileSync(new URL('__snapshots__/bounds.test.ts.snap', import.meta.url), 'utf8')

/** The lines of the snapshot by the name of the test. */
const STORED: ReadonlyMap<string, readonly string[]> = new Map(
  [...SNAPSHOT.matchAll(/^exports\[`(.+) 1`\] = `\n"([^]*?)"\n`;$/gm)].map(([, name = '', text = '']) => [
    name,
    text.replaceAll(/\\([\\`$])/g, '$1').split('\n'),
  ]),
)

const storedLines = ({ title, route }: Subject): readonly string[] =>
  STORED.get(`${route.interface} > ${title}`) ?? []

/** The marks of the cases of a field in the snapshot, such as "not"; null for a new field. */
function storedMarks(subject: Subject, field: Field): ReadonlyMap<string, string> | null {
  const text = boundsText(field)
  const line = storedLines(subject).find((each) => each === text || each.startsWith(`${text} | `))
  if (line === undefined) return null
  const marked = line.slice(text.length).split(' | ').slice(1)
  return new Map(
    marked.flatMap((each) => {
      const [mark = '', ...cases] = each.split(' ')
      return cases.map((what): [string, string] => [what, mark])
    }),
  )
}

/**
 * Checks that values beyond the bounds are refused, with one error for each field, and with a hint if the specification does not show the
 * bound. Returns the responses of each field.
 */
async function refuseBeyond(
  fresh: FreshApp,
  subject: Subject,
  fields: readonly Field[],
  { send }: PreparedFields,
  { invalid, invalid_query }: Dialect['refusals'],
  withAll: boolean,
): Promise<ReadonlyMap<Field, readonly string[]>> {
  const refused = new Map<Field, string[]>()
  const kinds = new Kinds(withAll)
  for (const field of fields) {
    const texts: string[] = []
    for (const [what, value] of valuesBeyond(field)) {
      const isAssumed = mustHint(field, value, subject)
      if (!kinds.mustSend(field, refusalsOf(field, what, value), isAssumed, codeOf(subject, field))) continue
      const answer = await send(field, value)
      if (!answer) continue
      expect([answer.status, answer.text], `${boundsText(field)}: ${what}`).toEqual([
        field.place === 'body' ? invalid.status : invalid_query.status,
        expect.stringContaining(nameOf(field)),
      ])
      texts.push(answer.text)
      const names = refusedIn(answer)
      expect(names, `${boundsText(field)}: ${what}: ${answer.text}`).toEqual([...new Set(names)])
      if (isAssumed === undefined) continue
      const words = `${subject.title} ${boundsText(field)}: ${what}: ${answer.text}`
      if (isAssumed) expect(await assumptionsOf(fresh, answer), words).not.toBe('')
      else expect(await assumptionsOf(fresh, answer), words).toBe('')
    }
    refused.set(field, texts)
  }
  return refused
}

/** Checks the operation, and returns a line for each field. */
async function linesOf(
  fresh: FreshApp,
  subject: Subject,
  { refusals }: Dialect,
  withAll: boolean,
): Promise<string[]> {
  const fields = fieldsOf(subject.document, subject.route.method, subject.route.path)
  let prepared = await prepare(fresh, subject)
  const before = contentsOf(fresh)
  const refused = await refuseBeyond(fresh, subject, fields, prepared, refusals, withAll)
  expect(contentsOf(fresh)).toEqual(before)

  const unknownNames = await prepared.sendUnknownNames(['unknown_name'])
  if (unknownNames) {
    expect(unknownNames.status, unknownNames.text).toBeLessThan(300)
    // What only the server sets is ignored, such as ids and times.
    prepared = await prepare(fresh, subject)
    const ignored = await prepared.sendUnknownNames(
      shownIn(unknownNames.body).flatMap((each) => Object.keys(each as Body)),
    )
    expect(ignored?.status, ignored?.text).toBeLessThan(300)
    // The parameters of a template are kept as they are sent.
    expect(ignored?.text.replaceAll(/"template_params":\{[^}]*\}/g, '')).not.toContain(UNKNOWN_VALUE)
  }

  // The previous call may exclude the next one, which therefore gets a new workspace.
  const { invalid, conflict, wrong_state } = refusals
  const mayBeExcluded = ({ status }: Answer): boolean =>
    status >= 400 && (status !== invalid.status || [conflict.status, wrong_state.status].includes(status))

  const lines: string[] = []
  const kinds = new Kinds(withAll)
  for (const field of fields) {
    const not: string[] = []
    const as: string[] = []
    const stored = storedMarks(subject, field)
    const { enum: values } = field.schema
    for (const [what, value] of valuesWithin(field)) {
      const mark = stored?.get(what)
      const kind = values && value !== null && value !== undefined ? 'enum' : what
      const code = mark === 'not' ? codeOf(subject, field) : null
      if (stored && !kinds.mustSend(field, kind, mark, code && [...code, what])) {
        if (mark === 'not') not.push(what)
        if (mark === 'as') as.push(what)
        continue
      }
      let answer = await prepared.send(field, value)
      if (!answer) continue
      if (mayBeExcluded(answer)) {
        prepared = await prepare(fresh, subject)
        answer = (await prepared.send(field, value)) ?? answer
      }
      if (answer.status >= 400) {
        expect(refused.get(field), `${boundsText(field)}: ${what}`).not.toContain(answer.text)
        // The document must show the bound that is enforced, not a looser one.
        expect(answer.text, `${boundsText(field)}: ${what}`).not.toMatch(lengthWords(field))
        not.push(what)
      } else if (field.place === 'body' && isShownOtherwise(field, value, answer)) as.push(what)
    }
    const marks = Object.entries({ not, as }).filter(([, cases]) => cases.length > 0)
    lines.push([boundsText(field), ...marks.map(([mark, cases]) => `${mark} ${cases.join(' ')}`)].join(' | '))
  }
  return lines
}

describe.each(PUBLISHED.map(({ definition }) => [definition.name, definition.dialect] as const))(
  '%s',
  (name, dialect) => {
    let fresh: FreshApp

    beforeAll(async () => {
      fresh = await demoWorkspace()
    })

    const subjects = everyOperation().filter(
      ({ route, document }) =>
        route.interface === name && fieldsOf(document, route.method, route.path).length > 0,
    )

    test.each(subjects.map((subject) => [subject.title, subject] as const))('%s', async (_title, subject) => {
      let lines = await linesOf(fresh, subject, dialect, IS_FULL)
      // What is accepted may depend on the values that were sent before.
      if (!IS_FULL && !isDeepStrictEqual(lines, storedLines(subject)))
        lines = await linesOf(fresh, subject, dialect, true)
      expect(lines.join('\n')).toMatchSnapshot()
    })
  },
)

test('the control plane', () => {
  const { document } = contractOf(CONTROL)
  const lines = CONTROL.routes.flatMap(({ method, path, operation: { id } }) =>
    fieldsOf(document, method, path).map((field) => `${id} ${boundsText(field)}`),
  )
  expect(lines.join('\n')).toMatchSnapshot()
})
