/**
 * Every list that searches or sorts text ignores case and accents. Runs on each list that publishes `search`, `q` or a
 * sort by `name` or `title`, over demo records with accents in every second one.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getTableColumns } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { RecordSet } from '../../src/state/storage/records/records.ts'
import { freshApp } from '../support/app.ts'
import { everyOperation, type Subject } from '../support/examples.ts'
import { ROOT } from '../support/process.ts'
import { loadRecords } from '../support/records.ts'

type Row = Record<string, unknown>

const demoOf = (name: string) =>
  JSON.parse(readFileSync(join(ROOT, `fixtures/small/${name}.json`), 'utf8')) as Record<string, Row[]>

const accented = (text: string): string => text.replaceAll(/[aeiounAEIOUN]/g, '$&\u0301').normalize('NFC')
const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase()

/** The columns from which the folded columns of the row are computed, except addresses, which have no accents. */
const sourcesOf = ({ derivations }: RecordSet, row: Row): string[] => {
  const keys = Object.values(derivations).filter((follow) => typeof follow(row) === 'string')
  return Object.entries(row).flatMap(([column, text]) => {
    if (typeof text !== 'string' || text.includes('@')) return []
    const changed = { ...row, [column]: `CHÁNGED ${text}` }
    return keys.some((follow) => String(follow(changed)).includes('changed ')) ? [column] : []
  })
}

/** A workspace with the demo records of the interface, and their searchable texts. */
async function demoWorkspace(name: string) {
  const fresh = await freshApp()
  fresh.setClock('2026-11-21T12:00:00Z')
  const demo = demoOf(name)
  const texts: string[] = []
  for (const set of fresh.app.records.sets) {
    if (set.section !== name) continue
    for (const [index, row] of (demo[set.name] ?? []).entries()) {
      // Omitted fixture fields have the default of the column, or null.
      const blank = Object.fromEntries(
        Object.entries(getTableColumns(set.table)).map(([name, column]) => [
          name,
          column.hasDefault ? column.default : column.notNull && column.dataType === 'json' ? [] : null,
        ]),
      )
      for (const column of sourcesOf(set, { ...blank, ...row })) {
        const text = index % 2 === 0 ? accented(row[column] as string) : (row[column] as string)
        row[column] = text
        texts.push(text)
      }
    }
  }
  await loadRecords(fresh.app, fresh.workspace, { files: demoOf('files'), [name]: demo })
  return { ...fresh, texts }
}

interface Parameter {
  readonly name: string
  readonly values: readonly string[]
}

/** The query parameters of a list. */
const parametersOf = ({ document, route: { method, path } }: Subject): Parameter[] =>
  (document.paths[path]?.[method.toLowerCase()]?.parameters ?? [])
    .filter((each) => each['in'] === 'query')
    .map((each) => ({
      name: String(each['name']),
      values: (each['schema'] as { enum?: readonly string[] }).enum ?? [],
    }))

/** The records of a page, in any envelope. */
function recordsIn(body: unknown): Row[] {
  if (Array.isArray(body)) return body as Row[]
  if (typeof body !== 'object' || body === null) return []
  return (
    Object.values(body)
      .map(recordsIn)
      .find((found) => found.length > 0) ?? []
  )
}

/** The path of the list; for a list of one record, that of the demo record. */
const addressOf = ({ document, route: { method, path } }: Subject): string =>
  path.replaceAll(/\{(\w+)\}/g, (_braces, name: string) => {
    const parameters = document.paths[path]?.[method.toLowerCase()]?.parameters ?? []
    const { schema } = parameters.find((each) => each['in'] === 'path' && each['name'] === name) ?? {}
    return String((schema as { examples?: readonly unknown[] } | undefined)?.examples?.[0])
  })

/** The value of the sorted field, in any language. */
const sortedValue = (record: Row, field: string): unknown =>
  record[field] ?? record['nombre'] ?? record['nombre_interno']

const lists = everyOperation()
  .filter(({ route }) => route.method === 'GET' && route.operation.paging?.kind !== 'fixed')
  .map((subject) => ({
    title: subject.title,
    route: { interface: subject.route.interface, path: addressOf(subject) },
    parameters: parametersOf(subject),
  }))

const searched = lists.flatMap((list) => {
  const search = list.parameters.find(({ name }) => name === 'search' || name === 'q')?.name
  return search === undefined ? [] : [{ ...list, search }]
})
const sorted = lists.flatMap(({ parameters, ...list }) => {
  const direction = parameters.find(({ values }) => values.includes('asc'))?.name
  return parameters
    .filter(({ name }) => name.startsWith('sort') && name !== direction)
    .flatMap(({ values }) => values)
    .filter((field) => field === 'name' || field === 'title')
    .map((field) => ({ ...list, field, direction, parameters }))
})

test('finds lists that search and lists that sort by text', () => {
  expect(searched.length).toBeGreaterThan(0)
  expect(sorted.length).toBeGreaterThan(0)
})

test.each(searched)('$title ignores case and accents in a search', async ({ route, search }) => {
  const { at, texts } = await demoWorkspace(route.interface)
  const find = async (text: string): Promise<Row[]> => {
    const answer = await at(route.interface)('GET', `${route.path}?${search}=${encodeURIComponent(text)}`)
    return recordsIn(answer.body)
  }

  let met = 0
  for (const text of texts) {
    const found = await find(text)
    met += found.length
    for (const written of [plain(text), text.toUpperCase(), accented(text), text.normalize('NFD')]) {
      expect(await find(written), `${written} for ${text}`).toEqual(found)
    }
  }
  expect(met).toBeGreaterThan(3)
})

test.each(sorted)('$title ignores case and accents in a sort by $field', async (list) => {
  const { route, field, direction, parameters } = list
  const { at } = await demoWorkspace(route.interface)
  const sort = parameters.find(({ values }) => values.includes(field))?.name
  const query = `${String(sort)}=${field}&${String(direction)}=asc`

  const answer = await at(route.interface)('GET', `${route.path}?${query}`)
  const texts = recordsIn(answer.body).map((record) => String(sortedValue(record, field)))

  expect(texts.filter((text) => plain(text) !== text.toLowerCase()).length).toBeGreaterThan(1)
  const inOrder = texts.toSorted((a, b) => (plain(a) < plain(b) ? -1 : plain(a) > plain(b) ? 1 : 0))
  expect(texts).toEqual(inOrder)
})
