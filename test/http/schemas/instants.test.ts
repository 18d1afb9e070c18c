/**
 * Dates, and date-times without an offset, use the time zone of the workspace or of the tax issuer. Tests every
 * parameter and field of the format instant in the documents.
 */
import { getTableColumns } from 'drizzle-orm'
import { getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import { describe, expect, test } from 'vitest'
import type { Workspace } from '../../../src/state/workspace/workspace.ts'
import { another } from '../../support/another.ts'
import { freshApp, type Answer, type FreshApp } from '../../support/app.ts'
import { everyOperation, preparedCall, type Subject } from '../../support/examples.ts'
import { dumpOf, loadRecords } from '../../support/records.ts'

/** Days on both sides of a clock change, with their first and last instants. */
const DAYS = [
  ['America/Panama', '2026-03-29', '2026-03-29T05:00:00.000Z', '2026-03-30T04:59:59.999Z'],
  ['Europe/Madrid', '2026-03-28', '2026-03-27T23:00:00.000Z', '2026-03-28T22:59:59.999Z'],
  ['Europe/Madrid', '2026-03-29', '2026-03-28T23:00:00.000Z', '2026-03-29T21:59:59.999Z'],
  ['Europe/Madrid', '2026-10-24', '2026-10-23T22:00:00.000Z', '2026-10-24T21:59:59.999Z'],
  ['Europe/Madrid', '2026-10-25', '2026-10-24T22:00:00.000Z', '2026-10-25T22:59:59.999Z'],
] as const

type Day = readonly [timezone: string, day: string, first: string, last: string]

/** The days as an interface interprets them: those of tax documents are days of their issuer in central Mexico. */
const daysOf = (name: string): readonly Day[] =>
  name === 'tax-invoicing'
    ? DAYS.map(([timezone, day]) => {
        const first = Date.parse(`${day}T06:00:00.000Z`)
        return [timezone, day, new Date(first).toISOString(), new Date(first + DAY - 1).toISOString()]
      })
    : DAYS

const DAY = 86_400_000

/** The instant of a day that a date represents. */
type Reading = 'start' | 'end' | 'noon'

/** Inputs and the instants that they represent, in each zone, in winter and in summer. */
const named = (reading: Reading, days: readonly Day[] = DAYS) =>
  days.flatMap(([timezone, day, first, last]) => [
    [timezone, day, { start: first, end: last, noon: `${day}T18:00:00.000Z` }[reading]] as const,
    [timezone, `${day}T00:00`, first] as const,
    [timezone, `${day}T23:59:59.999`, last] as const,
    [timezone, first, first] as const,
  ])

const NAMED = named('start')

interface Schema {
  readonly format?: string
  readonly pattern?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
}

/** Fields with a pattern accept fewer forms in their own time zone. Their tests are with their interface. */
const instantsOf = (schema: Schema = {}): string[] =>
  Object.entries(schema.properties ?? {})
    .filter(([, { format, pattern }]) => format === 'instant' && pattern === undefined)
    .map(([name]) => name)

/** As the description says; the day of a tax document is that of its issuer in central Mexico. */
function readingOf(schema: Schema, field: string): Reading {
  const { description = '' } = schema.properties?.[field] ?? {}
  if (description.includes('A date is the end of its day')) return 'end'
  return description.includes('A date alone is noon of its day') ? 'noon' : 'start'
}

const operations = everyOperation()

const places = (part: 'body' | 'querystring') =>
  operations.flatMap((subject) =>
    instantsOf(subject.route.schema[part]).map((field) => [subject.title, field, subject] as const),
  )

async function freshIn(timezone: string, now: string): Promise<FreshApp> {
  const fresh = await freshApp()
  fresh.workspace.change({ timezone })
  fresh.setClock(now)
  return fresh
}

/** All values of a field in the response, at any depth. */
function said(answer: unknown, field: string): unknown[] {
  if (typeof answer !== 'object' || answer === null) return []
  return Object.entries(answer).flatMap(([name, value]) => [
    ...(name === field ? [value as unknown] : []),
    ...said(value, field),
  ])
}

describe('field of a body', () => {
  test.each(places('body'))(
    'of %s, %s, uses the time zone of the workspace',
    async (_title, field, subject) => {
      const fresh = await freshIn('UTC', '2026-01-01T00:00:00.000Z')
      for (const [timezone, sent, expected] of named(
        readingOf(subject.route.schema.body ?? {}, field),
        daysOf(subject.route.interface),
      )) {
        fresh.workspace.change({ timezone })
        const { call, method, path, query, body } = await preparedCall(fresh, subject)
        const answer = await call(method, path + query, { body: { ...body, [field]: sent } })
        expect(answer.status, answer.text).toBeLessThan(300)
        // The response to a creation may contain only part of the record.
        const [id] = said(answer.body, 'id')
        const whole =
          said(answer.body, field).length > 0 ? answer : await call('GET', `${path}/${String(id)}`)
        expect(said(whole.body, field), `${sent} in ${timezone}`).toEqual([expected])
      }
    },
  )
})

type Section = Readonly<Record<string, readonly object[]>>

function demoOf({ app }: FreshApp): Workspace {
  const demo = app.workspaces.find('demo')
  if (!demo) throw new Error('there is no demo workspace')
  return demo
}

const recordsOf = (fresh: FreshApp, section: string): Section =>
  (dumpOf(fresh.app.records, demoOf(fresh)) as Record<string, Section>)[section] ?? {}

/** Columns other than ids that are unique in a section: codes, slugs. */
const uniqueOf = ({ app }: FreshApp, section: string): ReadonlySet<string> =>
  new Set(
    app.records.sets
      .filter((set) => set.section === section)
      .flatMap(({ table }) => {
        const columns = Object.entries(getTableColumns(table))
        return getTableConfig(table as SQLiteTable)
          .indexes.filter(({ config }) => config.unique)
          .flatMap(({ config }) => columns.filter(([, column]) => config.columns.includes(column)))
          .map(([name]) => name)
      }),
  )

/** Copies the records for each instant, with every time in them set to that instant. */
function copied(records: Section, unique: ReadonlySet<string>, instants: readonly string[]): Section {
  const ids = new Set(said(records, 'id'))
  const copies = instants.map((instant, copy) => {
    const text = JSON.stringify(records, (name, value: unknown) => {
      if (typeof value !== 'string') return value
      if (ids.has(value) || unique.has(name)) return another(value, copy)
      return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? instant : value
    })
    return JSON.parse(text) as Section
  })
  return Object.fromEntries(
    Object.keys(records).map((name) => [name, copies.flatMap((copy) => copy[name] ?? [])]),
  )
}

const key = 'demo-key'

/** True if it is the end of a range. */
const isLast = (field: string): boolean => /(^|_)to$/.test(field)

/** The response of the operation without the echo of the request; in all pipelines if it requires one. */
async function ask({ at }: FreshApp, { route }: Subject, field: string, sent: string): Promise<string> {
  const { querystring = {} } = route.schema
  const others = instantsOf(querystring).filter((other) => other !== field)
  const pipelines =
    'pipeline_id' in ((querystring as Schema).properties ?? {})
      ? said((await at('crm')('GET', '/pipelines', { key })).body, 'id')
      : ['']
  const answers: string[] = []
  for (const pipeline of pipelines) {
    const query = new URLSearchParams({
      ...(pipeline !== '' && { pipeline_id: String(pipeline) }),
      ...Object.fromEntries(others.map((other) => [other, isLast(other) ? '2026-12-31' : '2026-01-01'])),
      [field]: sent,
    })
    const answer = await at(route.interface)('GET', `${route.path}?${query.toString()}`, { key })
    if (answer.status === 200) answers.push(answer.text.replace(new RegExp(`"${field}":"[^"]*"`), ''))
  }
  return answers.join('\n')
}

const SECTIONS = [...new Set(places('querystring').map(([, , { route }]) => route.interface))]

describe('query parameter', () => {
  test.each(SECTIONS)('of %s uses the time zone of the workspace', async (section) => {
    const fresh = await freshApp({ fixtures: 'small' })
    const records = recordsOf(fresh, section)
    const files = recordsOf(fresh, 'files')
    const unique = uniqueOf(fresh, section)
    for (const [timezone, day, first, last] of daysOf(section)) {
      const instants = [
        shifted(first, -1),
        first,
        shifted(first, 1),
        shifted(last, -1),
        last,
        shifted(last, 1),
      ]
      demoOf(fresh).change({ timezone })
      demoOf(fresh).clock.set(Date.parse('2026-12-01T00:00:00.000Z'), true)
      await loadRecords(fresh.app, demoOf(fresh), {
        files,
        [section]: copied(records, unique, instants),
      })
      for (const [title, field, subject] of places('querystring')) {
        if (subject.route.interface !== section) continue
        const of = `${title}, ${field}, on ${day} in ${timezone}`
        const answer = (sent: string): Promise<string> => ask(fresh, subject, field, sent)
        const beginning = await answer(first)
        const end = await answer(last)
        // Records on both sides of an instant distinguish it from any other.
        expect(await answer(shifted(first, 1)), of).not.toBe(beginning)
        expect(await answer(shifted(last, -1)), of).not.toBe(end)
        expect(await answer(`${day}T00:00`), of).toBe(beginning)
        expect(await answer(`${day}T23:59:59.999`), of).toBe(end)
        expect(await answer(day), of).toBe(isLast(field) ? end : beginning)
      }
    }
  })

  test.each(places('querystring'))('of %s, %s, is refused with the accepted forms', async (...place) => {
    const [, field, { route }] = place
    const { at } = await freshApp()
    const answer = await at(route.interface)('GET', `${route.path}?${field}=2026-01-31T09:30:00+02:00`)
    expect(answer.text).toContain(
      `${field} must be a date such as 2026-01-31 or a date-time such as 2026-01-31T09:30:00Z; in a query, write the plus of an offset as %2B`,
    )
    expect((await at(route.interface)('GET', `${route.path}?${field}=soon`)).text).not.toContain('%2B')
    const encoded = await at(route.interface)('GET', `${route.path}?${field}=2026-01-31T09:30:00%2B02:00`)
    expect(encoded.text).not.toContain(`${field} must`)
  })
})

/** The messages of the hints about offsets, of the latest call of an operation. */
async function offsetHintsOf({ call, workspace: { id } }: FreshApp, { route }: Subject): Promise<string[]> {
  const requests = `/_sim/workspaces/${id}/requests`
  const { body } = await call('GET', `${requests}?operation=${route.operation.id}`)
  const [last] = (body as { data: { id: string }[] }).data
  const { hints } = (await call('GET', `${requests}/${last?.id ?? ''}`)).body as {
    hints: { code: string; message: string }[]
  }
  return hints.filter(({ code }) => code === 'no_offset').map(({ message }) => message)
}

describe('a date-time without an offset gets a hint', () => {
  const parts = (['body', 'querystring'] as const).flatMap((part) =>
    places(part).map(([title, field, subject]) => [title, field, part, subject] as const),
  )

  test.each(parts)('in %s, %s of the %s', async (_title, field, part, subject) => {
    const fresh = await freshIn('Europe/Madrid', `2026-0${part === 'body' ? '1' : '5'}-01T00:00:00.000Z`)
    const { call, method, path, query, body } = await preparedCall(fresh, subject)
    const send = async (sent: string) => {
      const values = new URLSearchParams(query)
      for (const name of instantsOf(subject.route.schema.querystring)) values.set(name, '2026-04-01')
      if (part === 'querystring') values.set(field, sent)
      const answer = await call(method, `${path}?${values.toString()}`, {
        ...(body && { body: part === 'body' ? { ...body, [field]: sent } : body }),
      })
      expect(answer.status, answer.text).toBeLessThan(300)
      return offsetHintsOf(fresh, subject)
    }
    const [zone, utc] =
      subject.route.interface === 'tax-invoicing' ? ['America/Mexico_City', '16'] : ['Europe/Madrid', '08']
    const day = isLast(field) ? '2027-03-29' : '2026-03-29'
    expect(await send(`${day}T10:00`)).toEqual([
      `${field} has no offset. ${day}T10:00 was read as a local time in ${zone}, which is ${day}T${utc}:00:00.000Z. Send Z or an offset such as -05:00 with it.`,
    ])
    for (const exact of [`${day}T10:00Z`, `${day}T10:00-05:00`, day]) expect(await send(exact)).toEqual([])
  })

  test('unless the call was refused', async () => {
    const { at, call, workspace } = await freshApp()
    const { status } = await at('meetings')('POST', '/public/meetings', {
      body: { datetime: '2026-03-29T10:00' },
    })
    expect(status).toBe(400)
    expect((await call('GET', `/_sim/workspaces/${workspace.id}/hints`)).text).not.toContain('no_offset')
  })
})

const shifted = (instant: string, by: number): string => new Date(Date.parse(instant) + by).toISOString()

describe('the control plane uses the time zone of the workspace', () => {
  test.each(NAMED)('in %s, %s, as the time of a clock', async (timezone, sent, expected) => {
    const { call, workspace } = await freshIn(timezone, '2026-01-01T00:00:00.000Z')
    const clock = `/_sim/workspaces/${workspace.id}/clock`
    const answer = await call('PUT', clock, { body: { now: sent, frozen: true } })
    expect(answer.body).toEqual({ now: expected, frozen: true })
  })

  test.each(NAMED)('in %s, %s, as the expiry of a key', async (timezone, sent, expected) => {
    const { call, workspace } = await freshIn(timezone, '2026-01-01T00:00:00.000Z')
    const body = { workspaceId: workspace.id, expiresAt: sent }
    expect((await call('POST', '/_sim/keys', { body })).body).toMatchObject({ expiresAt: expected })
  })

  test.each(DAYS)('in %s, %s, as the range of a settlement', async (timezone, day, first, last) => {
    const fresh = await freshIn(timezone, '2026-01-01T00:00:00.000Z')
    const payments = fresh.at<{ data: { id: string } }>('payments')
    const pull = async (trigger: string, body: object): Promise<Answer> =>
      fresh.call('POST', `/_sim/workspaces/${fresh.workspace.id}/triggers/payments.${trigger}`, { body })
    for (const instant of [shifted(first, -1), first, last, shifted(last, 1)]) {
      fresh.setClock(instant)
      const { body } = await payments('POST', '/payment-links', { body: { amount: 1000 } })
      expect((await pull('link.pay', { link_id: body.data.id })).status).toBe(200)
    }
    const settled = async (span: object): Promise<unknown> => {
      const made = await pull('settlement.create', span)
      expect(made.status, made.text).toBe(200)
      const { body } = await fresh.at('payments')('GET', '/reports/settlements?per_page=1')
      return said(body, 'transactions_count')
    }
    expect(await settled({ period_from: day, period_to: day })).toEqual([2])
    expect(await settled({})).toEqual([2])
  })
})
