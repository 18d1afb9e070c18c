/** The fields in which two states of a record differ, and a readable text of them. */
import { getTableColumns, getTableName } from 'drizzle-orm'
import { getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { RecordSet } from '../../state/storage/records/records.ts'

type Row = Readonly<Record<string, unknown>>

export interface ChangedField {
  readonly path: string
  readonly before: unknown
  readonly after: unknown
  readonly volatile?: true
  /** Of an object or a list with other values, too: the paths of the volatile ones. */
  readonly volatileParts?: string[]
}

/** A record that was added, changed or removed. */
export interface ChangedRecordView {
  readonly section: string
  readonly id: string
  readonly change: 'added' | 'changed' | 'removed'
  readonly fields: readonly ChangedField[]
  readonly causes: readonly { readonly kind: string; readonly id: string; readonly title: string }[]
}

/** Returns the fields that differ, down to single values of objects and lists; of one state alone, all that are not null. */
export function changedFields(before: Row | undefined, after: Row | undefined): ChangedField[] {
  const found: ChangedField[] = []
  for (const name of new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])) {
    const [old, current] = [before?.[name] ?? null, after?.[name] ?? null]
    if (before && after) compare(propertyPath('', name), old, current, found)
    else if (old !== null || current !== null) found.push({ path: name, before: old, after: current })
  }
  return found
}

function compare(path: string, before: unknown, after: unknown, found: ChangedField[]): void {
  if (Object.is(before, after)) return
  if (Array.isArray(before) && Array.isArray(after)) {
    for (let index = 0; index < Math.max(before.length, after.length); index++) {
      compare(`${path}[${String(index)}]`, before[index] ?? null, after[index] ?? null, found)
    }
  } else if (isObject(before) && isObject(after)) {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      compare(propertyPath(path, name), before[name] ?? null, after[name] ?? null, found)
    }
  } else found.push({ path, before, after })
}

const isObject = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns `address.city`, or `metadata["order no."]` for a name that is no identifier. */
function propertyPath(path: string, name: string): string {
  if (!/^[\w$-]+$/.test(name)) return `${path}[${JSON.stringify(name)}]`
  return path === '' ? name : `${path}.${name}`
}

interface ForeignKey {
  /** The property with the id of the other record. */
  readonly property: string
  /** The name of the table of the other record. */
  readonly to: string
  /** Whether the row is removed with the other record. */
  readonly isCascade: boolean
}

const foreignKeys = new WeakMap<RecordSet, readonly ForeignKey[]>()

/** Returns which records a row of a set refers to. */
export function foreignKeysOf(set: RecordSet): readonly ForeignKey[] {
  const found = foreignKeys.get(set) ?? readForeignKeys(set.table as SQLiteTable)
  foreignKeys.set(set, found)
  return found
}

function readForeignKeys(table: SQLiteTable): ForeignKey[] {
  const properties = new Map(
    Object.entries(getTableColumns(table)).map(([property, column]) => [column.name, property]),
  )
  return getTableConfig(table).foreignKeys.flatMap(({ onDelete, reference }) => {
    const { columns, foreignTable } = reference()
    const column = columns.find(({ name }) => name !== 'workspace')?.name ?? ''
    const property = properties.get(column)
    return property === undefined
      ? []
      : [{ property, to: getTableName(foreignTable), isCascade: onDelete === 'cascade' }]
  })
}

/** A time as the simulator writes it. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
/** The name of a property with an id: "id", "contactId", "contact_id". */
const ID_NAME = /^id$|[a-z]Id$|_id$/
/** Part of a text, such as a URL or XML, that can be an id. Shorter ids are numbers, which have other meanings. */
const LONG_ID = /[\w-]{12,}/g
const IS_LONG_ID = /^[\w-]{12,}$/

/** The ids and random values of the records that were added or removed. */
export class NewIds {
  readonly #long = new Set<string>()
  /** Short ids, such as numbers, which only mean a record together with its table: "chat_teams/2". */
  readonly #short = new Set<string>()

  add(table: string, value: string): void {
    if (IS_LONG_ID.test(value)) this.#long.add(value)
    else this.#short.add(`${table}/${value}`)
  }

  has(table: string, id: unknown): boolean {
    return this.#short.has(`${table}/${String(id)}`)
  }

  /** Checks whether a value is or contains a long id. */
  areIn(value: unknown): boolean {
    return typeof value === 'string' && (value.match(LONG_ID)?.some((part) => this.#long.has(part)) ?? false)
  }
}

/** The maximum number of characters of the paths in `volatileParts`; further parts are not marked. */
const MAX_PARTS_CHARACTERS = 20_000

/**
 * Marks what differs between two runs of the same calls: times, ids and random values of records that were added or
 * removed, and texts that contain one. Of objects and lists, it names the parts; times that callers put there are none.
 */
export const markVolatile = (
  fields: readonly ChangedField[],
  set: RecordSet,
  newIds: NewIds,
  change: ChangedRecordView['change'],
): ChangedField[] =>
  fields.map((field) => {
    const { path, before, after } = field
    const column = /^[^.[]*/.exec(path)?.[0] ?? ''
    const isGenerated = set.generated.includes(column)
    if ([before, after].some((value) => isVolatileColumn(path, value, { set, newIds, change }))) {
      return { ...field, volatile: true }
    }
    const found = { volatile: new Set<string>(), hasOthers: false }
    for (const value of [before, after]) {
      let characters = 0
      forEachLeaf(value, path, column, (leaf, name, place) => {
        const isVolatile = newIds.areIn(leaf) || (isGenerated && isDrawn(name, leaf))
        if (isVolatile && (characters += place.length) <= MAX_PARTS_CHARACTERS) found.volatile.add(place)
        else found.hasOthers = true
      })
    }
    if (found.volatile.size === 0) return field
    const isWhole = !found.hasOthers || found.volatile.has(path)
    return { ...field, volatile: true, ...(!isWhole && { volatileParts: [...found.volatile] }) }
  })

/** Checks whether the value of a whole column is a time, an id or random. */
function isVolatileColumn(
  name: string,
  value: unknown,
  of: { readonly set: RecordSet; readonly newIds: NewIds; readonly change: ChangedRecordView['change'] },
): boolean {
  if (value === null || typeof value === 'object') return false
  const { instants, generated } = of.set
  if (name === 'id') return of.change !== 'changed'
  if (typeof value === 'string' && [...instants, ...generated].includes(name)) return true
  const key = foreignKeysOf(of.set).find(({ property }) => property === name)
  return key !== undefined && of.newIds.has(key.to, value)
}

/** Checks whether a value inside a generated column is a time or an id. */
const isDrawn = (name: string, value: unknown): boolean =>
  typeof value === 'string' && (INSTANT.test(value) || (ID_NAME.test(name) && IS_LONG_ID.test(value)))

/** Visits the values inside a value, without null, with the name of their property and their path. */
function forEachLeaf(
  value: unknown,
  path: string,
  name: string,
  visit: (leaf: unknown, name: string, path: string) => void,
): void {
  if (value === null) return
  if (Array.isArray(value)) {
    for (const [index, each] of value.entries()) forEachLeaf(each, `${path}[${String(index)}]`, name, visit)
  } else if (isObject(value)) {
    for (const [key, each] of Object.entries(value)) forEachLeaf(each, propertyPath(path, key), key, visit)
  } else visit(value, name, path)
}

const SIGNS = { added: '+', changed: '~', removed: '-' } as const

/** The maximum number of characters of a value in the text. */
const MAX_VALUE = 200

function valueText(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length <= MAX_VALUE ? text : `${text.slice(0, MAX_VALUE)}… (${String(text.length)} characters)`
}

/** Fits on a terminal. */
const MAX_COLUMNS = 80

const fieldText = (change: ChangedRecordView['change'], field: ChangedField): string => {
  const { path, before, after } = field
  const mark = markText(field)
  if (change !== 'changed') return `    ${path}: ${valueText(change === 'added' ? after : before)}${mark}`
  const line = `    ${path}: ${valueText(before)} → ${valueText(after)}${mark}`
  return line.length <= MAX_COLUMNS
    ? line
    : `    ${path}:${mark}\n      - ${valueText(before)}\n      + ${valueText(after)}`
}

/** The maximum number of volatile parts in the text. */
const MAX_PARTS = 3

function markText({ volatile, volatileParts }: ChangedField): string {
  if (!volatile) return ''
  if (!volatileParts) return '  (volatile)'
  const more = volatileParts.length > MAX_PARTS ? ', …' : ''
  return `  (volatile: ${volatileParts.slice(0, MAX_PARTS).join(', ')}${more})`
}

/** Returns a record with its fields and causes as lines. */
export const recordText = ({ section, id, change, fields, causes }: ChangedRecordView): string =>
  [
    `${SIGNS[change]} ${section} ${id}`,
    ...fields.map((field) => fieldText(change, field)),
    ...causes.map((cause) => `    by ${cause.title} (${cause.id})`),
    '',
  ].join('\n')
