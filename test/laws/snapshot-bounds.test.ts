/**
 * A snapshot may hold exactly the values that responses may show. If a response shows the stored column, only values
 * that its document forbids are put; they must be refused. Any other column (cents) is put with each value and read;
 * no value may fail a call or a page. No value may break the bounds of all request fields with the name of its column.
 */
import { isDeepStrictEqual } from 'node:util'
import type { TObject } from '@sinclair/typebox'
import { getTableColumns, type Column } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { describe, expect, test } from 'vitest'
import { problemsOf } from '../../src/http/schemas/validation.ts'
import type { RecordSet } from '../../src/state/storage/records/records.ts'
import { freshApp, type FreshApp } from '../support/app.ts'
import { contractOf } from '../support/contract.ts'
import { IS_FULL } from '../support/extent.ts'
import { publishedOf } from '../support/published.ts'
import { INTERFACES } from '../support/subject.ts'
import { everyReadablePath, everyExample, everyTrigger, demoWorkspace, triggerActions } from './allActions.ts'
import { snapshotOf, type Snapshot } from './filled.ts'
import { refusedField, sentFields } from './sentBounds.ts'
import { boundsIn, groupsOf, type Bounds, type Group } from './snapshotValues.ts'

type Row = Readonly<Record<string, unknown>>

/** A response that shows records. */
interface ShownAnswer {
  readonly address: string
  readonly text: string
  readonly body: unknown
}

/** A field of a response. */
interface Place {
  readonly holder: Record<string, unknown>
  readonly name: string
}

/** A column, with a row that has a value in it. */
interface CandidateColumn {
  readonly set: RecordSet
  readonly column: string
  readonly row: Row
  /** Values that the schemas of the columns accept. */
  readonly candidates: readonly unknown[]
}

const plain = (name: string): string => name.replaceAll(/[_-]/g, '').toLowerCase()

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0)

/** The fields in which objects with this id show the stored column. */
function placesOf(body: unknown, { column, row }: CandidateColumn): Place[] {
  const value = row[column]
  if (isEmpty(value)) return []
  const found: Place[] = []
  const isTelling = typeof value === 'object' || (typeof value === 'string' && value.length > 3)
  const walk = (each: unknown, isOwn: boolean): void => {
    if (Array.isArray(each)) {
      for (const item of each) walk(item, isOwn)
      return
    }
    if (!isObject(each)) return
    const isNamed = Object.values(each).some((held) => String(held) === String(row['id']))
    const own = isNamed || (isOwn && !('id' in each))
    for (const [name, held] of Object.entries(each)) {
      const isAlike = plain(column).endsWith(plain(name)) || plain(name).endsWith(plain(column))
      if (own && (isAlike || isTelling) && isDeepStrictEqual(held, value)) found.push({ holder: each, name })
      else walk(held, own)
    }
  }
  walk(body, false)
  return found
}

const URL_IN_ANSWER = /"https?:\/\/[^/"]+(\/[^"\s]+)"/g

const PAGES = INTERFACES.flatMap(({ pagesPath, framedPagesPath }) =>
  [pagesPath ?? [], framedPagesPath ?? []].flat(),
)

const isPage = (path: string): boolean => PAGES.some((prefix) => path.startsWith(`${prefix}/`))

/** The maximum number of paths to read for one record, and of pages linked from their responses. */
const MAX_READ = IS_FULL ? 12 : 3
const MAX_PAGES = IS_FULL ? 6 : 1

/**
 * Fields that requests name alike but mean or write differently, by column; the ends of their paths. Amounts are stored
 * in cents, or with the decimals of a computation.
 */
const AMOUNTS = ['base', 'importe', 'descuento', 'cantidad', 'valorUnitario', 'traslados', 'amount']
const OTHER_FIELDS: Readonly<Record<string, readonly string[]>> = {
  'crm.deals.value': ['value'],
  // The value of a condition has the type of its field.
  'crm.automations.trigger': ['conditions.value'],
  // The data of an event, rendered when it happened.
  'crm.executions.triggerData': [''],
  'crm.waitingSteps.triggerData': [''],
  // Those of zones are requested, those of media come from the file.
  'signage.media.width': ['width'],
  'signage.media.height': ['height'],
  // Requests name the city, title and description of vacancies; imports add their tags to those of the rows.
  'recruiting.candidates.city': ['city'],
  'recruiting.candidates.jobs': ['title', 'description'],
  'recruiting.candidates.tags': ['tags'],
  // Collections have bounds, links have the price of the product.
  'integration-payments.links.amount': ['amount'],
  'integration-payments.charges.amount': ['amount'],
  'tax-invoicing.invoices.conceptos': AMOUNTS,
  'tax-invoicing.invoices.impuestos': AMOUNTS,
  'tax-invoicing.invoices.descuento': AMOUNTS,
  'tax-invoicing.invoices.tipoCambio': ['tipoCambio'],
  'tax-invoicing.receipts.tipoCambio': ['tipoCambio'],
  'tax-invoicing.receipts.monto': ['monto'],
  'tax-invoicing.receiptDocuments.numParcialidad': ['numParcialidad'],
  'tax-invoicing.receiptDocuments.saldoAnterior': ['saldoAnterior'],
  'tax-invoicing.receiptDocuments.importePagado': ['importePagado'],
  'tax-invoicing.receiptDocuments.saldoInsoluto': ['saldoInsoluto'],
  'tax-invoicing.receiptDocuments.impuestosDr': AMOUNTS,
  'tax-invoicing.products.valorUnitario': AMOUNTS,
  'lite-invoicing.invoices.items': AMOUNTS,
  'lite-invoicing.invoices.payments': AMOUNTS,
}

class Trial {
  readonly #fresh: FreshApp
  readonly #name: string
  readonly #whole: Snapshot
  readonly #shown: ShownAnswer[] = []
  readonly #sent: ReturnType<typeof sentFields>
  #turn = 0

  private constructor(fresh: FreshApp, name: string, whole: Snapshot) {
    this.#fresh = fresh
    this.#name = name
    this.#whole = whole
    this.#sent = sentFields(name)
  }

  /** Creates all records of an interface: sends each example and fires each trigger. */
  static async of(name: string): Promise<Trial> {
    const fresh = await demoWorkspace()
    for (const action of everyExample(fresh)) {
      if (action.interface === name && !action.title.includes(' DELETE ')) await action.do()
    }
    for (const trigger of await everyTrigger()) {
      if (!trigger.name.startsWith(`${name}.`)) continue
      for (const action of triggerActions(fresh, trigger).slice(0, 3)) await action.do()
    }
    const trial = new Trial(fresh, name, await snapshotOf(fresh, fresh))
    expect(await trial.#put(trial.#whole[name] ?? {})).toBe(204)
    for (const [address, title] of everyReadablePath(fresh, 8)) {
      if (!title.startsWith(`${name} `)) continue
      const { status, text, body } = await fresh.call('GET', address)
      if (status === 200 && body !== undefined) trial.#shown.push({ address, text, body })
    }
    return trial
  }

  get sets(): readonly RecordSet[] {
    return this.#fresh.app.records.sets.filter(({ section }) => section === this.#name)
  }

  /** Each column of a set, with the row that has the largest value. */
  candidatesOf(set: RecordSet, bounds: Bounds): CandidateColumn[] {
    const schema = (
      this.#fresh.app.records.sections()[this.#name]?.properties[set.name] as { items: TObject } | undefined
    )?.items
    const rows = this.#whole[this.#name]?.[set.name] ?? []
    const columns: Readonly<Record<string, Column>> = getTableColumns(set.table as SQLiteTable)
    return Object.keys(schema?.properties ?? {}).flatMap((column) => {
      const holding = rows.filter((row) => !isEmpty(row[column]))
      const [first] = holding.length > 0 ? holding : rows
      const row = [...holding, ...rows].find((each) => this.#shows(each)) ?? first
      const definition = columns[column]
      if (!row || !schema || !definition) return []
      const groups = groupsIn(set, column, definition, row[column], bounds)
      const candidates = groups.flatMap((group) => {
        const taken = group.find((each) => problemsOf(schema, { ...row, [column]: each }).length === 0)
        return taken === undefined ? [] : [taken]
      })
      return [{ set, column, row, candidates }]
    })
  }

  #shows(row: Row): boolean {
    return this.#shown.some(({ text }) => text.includes(`"${String(row['id'])}"`))
  }

  /** Reports what each candidate value of a column breaks. */
  async brokenBy(candidateColumn: CandidateColumn): Promise<string[]> {
    const places = this.#shown
      .map(({ address, body }) => ({ address, body, places: placesOf(body, candidateColumn) }))
      .filter((each) => each.places.length > 0)
    const addresses =
      places.length > 0 ? places.map(({ address }) => address) : this.#addressesOf(candidateColumn.row)
    const broken = await this.#refusedByRequests(candidateColumn)
    for (const candidate of this.#chosenOf(candidateColumn)) {
      if (places.length > 0 && this.#isAllowed(places, candidate)) continue
      const problem = await this.#problemWith(candidateColumn, candidate, addresses.slice(0, MAX_READ))
      if (problem !== null)
        broken.push(
          `${candidateColumn.set.name}.${candidateColumn.column} = ${shortly(candidate)}: ${problem}`,
        )
    }
    return broken
  }

  /** All candidates; in the quick run one of the first two, which are those of alternating columns. */
  #chosenOf({ candidates }: CandidateColumn): readonly unknown[] {
    if (IS_FULL || candidates.length < 2) return candidates
    this.#turn = 1 - this.#turn
    return [candidates[this.#turn]]
  }

  /** Reports the accepted values that every request with a field of that name refuses. */
  async #refusedByRequests({ set, column, row, candidates }: CandidateColumn): Promise<string[]> {
    const columns: Readonly<Record<string, Column>> = getTableColumns(set.table as SQLiteTable)
    // Requests may set only some of these values.
    if (columns[column]?.enumValues) return []
    const exempt = OTHER_FIELDS[`${this.#name}.${set.name}.${column}`] ?? []
    const broken: string[] = []
    for (const candidate of candidates) {
      const field = refusedField(this.#sent, column, row[column], candidate)
      if (
        field === null ||
        exempt.some((each) => field.endsWith(each)) ||
        (await this.#putWith({ set, column, row }, candidate)) >= 300
      )
        continue
      broken.push(`${set.name}.${column} = ${shortly(candidate)}: requests refuse such a ${field}`)
    }
    return broken
  }

  /** True if responses that show the stored column may show this value. */
  #isAllowed(
    shown: readonly { readonly address: string; readonly body: unknown; readonly places: readonly Place[] }[],
    candidate: unknown,
  ): boolean {
    const { check } = contractOf(publishedOf(this.#name))
    return shown.slice(0, 2).every(({ address, body, places }) => {
      const before = places.map(({ holder, name }) => holder[name])
      for (const { holder, name } of places) holder[name] = candidate
      const answer = { method: 'GET', url: address, status: 200, contentType: 'application/json' }
      try {
        check({ ...answer, text: JSON.stringify(body), sent: undefined })
        return true
      } catch {
        return false
      } finally {
        for (const [at, { holder, name }] of places.entries()) holder[name] = before[at]
      }
    })
  }

  #addressesOf(row: Row): string[] {
    const ids = Object.entries(row).flatMap(([name, value]) =>
      typeof value === 'string' && value !== '' && /^id$|Id$/.test(name) ? [value] : [],
    )
    return this.#shown
      .filter(({ text, address }) =>
        ids.some((id) => text.includes(`"${id}"`) || address.includes(`/${id}`) || text.includes(`:${id},`)),
      )
      .toSorted((a, b) => a.text.length - b.text.length)
      .map(({ address }) => address)
  }

  async #problemWith(
    { set, column, row }: CandidateColumn,
    candidate: unknown,
    addresses: readonly string[],
  ): Promise<string | null> {
    const status = await this.#putWith({ set, column, row }, candidate)
    if (status >= 500) return `the snapshot is answered with ${String(status)}`
    if (status >= 300) return null
    const pages = new Set<string>()
    for (const address of addresses) {
      const problem = await this.#problemAt(address, pages)
      if (problem !== null) return problem
    }
    for (const page of pages) {
      const problem = await this.#problemAt(page, new Set())
      if (problem !== null) return problem
    }
    return null
  }

  /** Puts the snapshot with another value of a column. */
  #putWith(
    { set, column, row }: Pick<CandidateColumn, 'set' | 'column' | 'row'>,
    value: unknown,
  ): Promise<number> {
    const section = this.#whole[this.#name] ?? {}
    const rows = (section[set.name] ?? []).map((each) => (each === row ? { ...row, [column]: value } : each))
    return this.#put({ ...section, [set.name]: rows })
  }

  async #put(section: object): Promise<number> {
    const { format, workspace, users, counters, files } = this.#whole
    const body = { format, workspace, users, counters, files, [this.#name]: section }
    const { call } = this.#fresh
    return (await call('PUT', `/_sim/workspaces/${this.#fresh.workspace.id}/snapshot`, { body })).status
  }

  /** Returns the error in a response, and adds the pages that it links to. */
  async #problemAt(address: string, pages: Set<string>): Promise<string | null> {
    try {
      const { status, text } = await this.#fresh.call('GET', address)
      if (status >= 500) return `${address} answers ${String(status)}`
      for (const [, path = ''] of text.matchAll(URL_IN_ANSWER)) {
        if (isPage(path) && pages.size < MAX_PAGES) pages.add(path)
      }
      return null
    } catch (error) {
      return String(error instanceof Error ? error.message.split('\n')[0] : error)
    }
  }
}

function groupsIn(
  { instants }: RecordSet,
  column: string,
  { enumValues, columnType }: Column,
  value: unknown,
  bounds: Bounds,
): Group[] {
  const none = [null]
  if (instants.includes(column)) return [['0001-01-01T00:00:00Z'], ['9999-12-31T23:59:59Z'], none]
  if (enumValues) return [...enumValues.map((each) => [each]), ...groupsOf('', bounds), none]
  const others = columnType === 'SQLiteTextJson' ? [[0], ['x'], [[]], [{}], [[0]]] : []
  return [...groupsOf(isEmpty(value) && columnType === 'SQLiteText' ? '' : value, bounds), ...others, none]
}

function shortly(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > 100 ? `${text.slice(0, 80)}... (${String(text.length)} characters)` : text
}

describe.each(INTERFACES.filter(({ records }) => records.length > 0).map(({ name }) => name))(
  '%s',
  (name) => {
    test('accepts exactly the snapshot values that responses may show', async () => {
      const bounds = boundsIn(contractOf(publishedOf(name)).document)
      const trial = await Trial.of(name)
      const broken: string[] = []
      for (const set of trial.sets) {
        for (const candidateColumn of trial.candidatesOf(set, bounds))
          broken.push(...(await trial.brokenBy(candidateColumn)))
      }
      expect(broken).toEqual([])
    })
  },
)

describe('webhooks', () => {
  const put = async (subscription: object) => {
    const fresh = await freshApp()
    const record = {
      id: 'subscription-1',
      interface: 'pos',
      url: 'https://example.com/hooks',
      events: ['*'],
      secret: 'a-secret',
      createdAt: '2026-06-01T00:00:00Z',
      updatedAt: '2026-06-01T00:00:00Z',
      ...subscription,
    }
    const body = { format: 'suite-simulator/1', webhooks: { subscriptions: [record] } }
    return fresh.call('PUT', `/_sim/workspaces/${fresh.workspace.id}/snapshot`, { body })
  }

  test.each(INTERFACES.map(({ name }) => name))('accept the events of %s, and no others', async (name) => {
    const { definition } = publishedOf(name)
    const events = (definition.events ?? []).map((event) => event.name)
    expect(events.length).toBeGreaterThan(0)
    expect((await put({ interface: name, events })).status).toBe(204)
    expect((await put({ interface: name, events: ['*'] })).status).toBe(204)
    for (const unknown of ['nope', '__proto__', 'constructor', `${String(events[0])}x`]) {
      const answer = await put({ interface: name, events: [...events, unknown] })
      expect([answer.status, answer.text]).toEqual([
        400,
        expect.stringContaining(`must be \\"*\\" or events of ${name}; ${unknown} is none`),
      ])
    }
  })

  test.each(['__proto__', 'constructor', 'nope', 'control', ''])('refuse the interface %j', async (name) => {
    expect((await put({ interface: name })).status).toBe(400)
  })
})
