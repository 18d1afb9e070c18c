/** The fields in which two states of a record differ, and a readable text of them. */
import type { RecordSet } from '../../state/storage/records/records.ts'

type Row = Readonly<Record<string, unknown>>

export interface ChangedField {
  readonly path: string
  readonly before: unknown
  readonly after: unknown
  readonly volatile?: true
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

/** A time as the simulator writes it. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
/** The name of a field that refers to a record: "id", "contactId", "recipients[0].contact_id". */
const ID_FIELD = /(?:^|[._[])id\]?$|[a-z]Id$|_id$/
/** Part of a text, such as a URL or XML, that can be an id. Shorter ids are numbers, which have other meanings. */
const LONG_ID = /[\w-]{12,}/g

/**
 * Marks what differs between two runs of the same calls: times, ids and random values of records that were added or
 * removed, and texts, objects and lists that contain one.
 */
export const markVolatile = (
  fields: readonly ChangedField[],
  { instants, generated }: Pick<RecordSet, 'instants' | 'generated'>,
  newIds: ReadonlySet<string>,
): ChangedField[] => {
  const hasVolatile = (path: string, value: unknown): boolean => {
    if (ID_FIELD.test(path) && newIds.has(String(value))) return true
    if (typeof value === 'string') {
      return INSTANT.test(value) || (value.match(LONG_ID)?.some((part) => newIds.has(part)) ?? false)
    }
    if (typeof value !== 'object' || value === null) return false
    return Object.entries(value).some(([name, each]) => hasVolatile(`${path}.${name}`, each))
  }
  return fields.map((field) => {
    const { path, before, after } = field
    const isMarked =
      generated.includes(path) ||
      [before, after].some(
        (value) => (typeof value === 'string' && instants.includes(path)) || hasVolatile(path, value),
      )
    return isMarked ? { ...field, volatile: true } : field
  })
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
  const mark = field.volatile ? '  (volatile)' : ''
  if (change !== 'changed') return `    ${path}: ${valueText(change === 'added' ? after : before)}${mark}`
  const line = `    ${path}: ${valueText(before)} → ${valueText(after)}${mark}`
  return line.length <= MAX_COLUMNS
    ? line
    : `    ${path}:${mark}\n      - ${valueText(before)}\n      + ${valueText(after)}`
}

/** Returns a record with its fields and causes as lines. */
export const recordText = ({ section, id, change, fields, causes }: ChangedRecordView): string =>
  [
    `${SIGNS[change]} ${section} ${id}`,
    ...fields.map((field) => fieldText(change, field)),
    ...causes.map((cause) => `    by ${cause.title} (${cause.id})`),
    '',
  ].join('\n')
