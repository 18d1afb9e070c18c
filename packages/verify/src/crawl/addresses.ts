/** Finds values for the parameters of paths: from rows of lists, from fields of other records, or from the user. */
import type { Exchange } from '../exchanges/exchange.ts'
import type { Operation } from '../model/operation.ts'
import type { Answers } from './answers.ts'

/** Values of the parameters of a path, and the row that they come from. */
export interface Address {
  readonly path: Readonly<Record<string, string>>
  readonly row: unknown
  readonly of: Exchange | null
}

/** Values of parameters that no list shows, as the user gave them: `{ 'meetings.publicMeetingId': 'mtg_1' }`. */
export type KnownValues = Readonly<Record<string, string>>

/** The largest number of records that are read of one operation. */
const MAX_ADDRESSES = 3

/** The largest number of records that are read of an operation whose records the differential loads. */
const MAX_NEEDED = 100

/** Returns addresses of all rows that were read, as far as they are not too many. */
export const allAddressesOf = (operation: Operation, answers: Answers, known: KnownValues): Address[] =>
  placesOf(operation, answers, known, (source) => answers.wholeRowsOf(source)).slice(0, MAX_NEEDED)

/**
 * Returns addresses for an operation: one without values if its path has no parameters; none if a parameter has no value
 * yet.
 */
export const addressesOf = (operation: Operation, answers: Answers, known: KnownValues): Address[] =>
  spread(placesOf(operation, answers, known, (source) => answers.rowsOf(source)))

function placesOf(
  operation: Operation,
  answers: Answers,
  known: KnownValues,
  rowsOf: (source: Operation) => ReturnType<Answers['rowsOf']>,
): Address[] {
  const { inPath } = operation
  const last = inPath.at(-1)
  if (!last) return [{ path: {}, row: undefined, of: null }]
  const fixed = Object.fromEntries(
    inPath.flatMap(({ name }) => {
      const value = knownValue(operation, name, known)
      return value === undefined ? [] : [[name, value]]
    }),
  )
  if (inPath.every(({ name }) => name in fixed)) return [{ path: fixed, row: undefined, of: null }]
  const addresses = new Map<string, Address>()
  for (const source of sourcesOf(operation, answers, last.name)) {
    for (const { row, exchange } of rowsOf(source)) {
      const value = idIn(row, last.name)
      // The parents of a record are those of the list that shows it.
      const outer = exchange.probe.path
      const path = { ...outer, ...fixed, ...(value !== undefined && { [last.name]: value }) }
      const isWhole = inPath.every(({ name }) => name in path)
      if (!isWhole) continue
      const wanted = Object.fromEntries(inPath.map(({ name }) => [name, path[name] ?? '']))
      const key = JSON.stringify(wanted)
      if (!addresses.has(key)) addresses.set(key, { path: wanted, row, of: exchange })
    }
    if (addresses.size > 0) break
  }
  return [...addresses.values()]
}

export function knownValue(operation: Operation, name: string, known: KnownValues): string | undefined {
  return known[`${operation.interface}.${name}`] ?? known[name]
}

/** Returns an id for a parameter of a query, such as `pipeline_id`; undefined if no list shows one. */
export function idFor(operation: Operation, name: string, answers: Answers): string | undefined {
  return sourcesOf(operation, answers, name)
    .flatMap((source) => answers.rowsOf(source).map(({ row }) => idIn(row, name)))
    .find((id) => id !== undefined)
}

/** Returns the lists of the interface whose rows may have a parameter, the nearest first. */
export function sourcesOf(operation: Operation, answers: Answers, last: string): Operation[] {
  const parent = operation.path.slice(0, operation.path.lastIndexOf(`/{${last}}`))
  const noun = last.replace(/_?id$/i, '').replaceAll('_', '-').toLowerCase()
  const lists = answers.operations.filter(
    (each) => each.interface === operation.interface && answers.listOf(each),
  )
  const rank = ({ path, id }: Operation): number => {
    if (path === parent) return 0
    if (path === `${parent}/search`) return 1
    const collection =
      path
        .replace(/\/search$/, '')
        .split('/')
        .at(-1) ?? ''
    // "vacancies" of "vacancy", "executions" of "execution"
    if (noun !== '' && collection.startsWith(noun.replace(/y$/, ''))) return id.startsWith('list') ? 2 : 3
    return 9
  }
  return lists.filter((each) => rank(each) < 9).toSorted((a, b) => rank(a) - rank(b))
}

/** Returns the value of a row for a parameter: its field of that name, or its id. */
function idIn(row: unknown, parameter: string): string | undefined {
  if (typeof row !== 'object' || row === null) return undefined
  const fields = row as Record<string, unknown>
  const camel = parameter.replaceAll(/_(\w)/g, (_all, letter: string) => letter.toUpperCase())
  const own = [parameter, camel].find((name) => name in fields)
  const value = fields[own ?? 'id']
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

/** Returns the first, the last, and one between them. */
function spread(addresses: readonly Address[]): Address[] {
  if (addresses.length <= MAX_ADDRESSES) return [...addresses]
  const middle = addresses[Math.floor(addresses.length / 2)]
  return [addresses[0], middle, addresses.at(-1)].filter((each) => each !== undefined)
}
