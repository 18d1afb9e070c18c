/** Finds operations by words, best first. */
import { nearestName } from '@suite-sim/kit/text/nearestName'
import { resolved, type Document, type Schema } from '../shared/document.ts'
import type { InterfaceOperation } from './operations.ts'

export const MAX_WORDS = 200
export const MAX_FOUND = 50
export const DEFAULT_FOUND = 10

/** How much a word counts in each part of an operation. */
const WEIGHTS = { name: 6, summary: 5, words: 5, tags: 3, path: 3, fields: 2, description: 1 } as const

/** A word that only begins with the wanted one, or is its beginning, counts this much. */
const PREFIX = 0.5

/** A word in place of the wanted one counts this much. */
const SYNONYM = 0.7

/** Words of the operations by words that people use for them. */
const SYNONYMS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    add: ['create'],
    new: ['create'],
    book: ['create', 'schedule'],
    open: ['create'],
    remove: ['delete'],
    edit: ['update'],
    change: ['update'],
    find: ['list', 'search'],
    read: ['get', 'list'],
    customer: ['contact', 'client'],
    bill: ['invoice'],
    mail: ['email'],
    tenant: ['workspace'],
  }),
)

const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a an the of to for in on by with and or is are was were be it its from this that all my me i how do did does ' +
    'what which when who want need can could make let see show please app'
  ).split(' '),
)

type Index = ReadonlyMap<string, number>

const indexes = new WeakMap<InterfaceOperation, Index>()

/** Returns the operations in which words occur, best first: by the number of the words, and by where they occur. */
export function searchOperations(
  operations: readonly InterfaceOperation[],
  words: string,
): readonly InterfaceOperation[] {
  const wanted = [...new Set(wordsOf(words))]
  if (wanted.length === 0) return operations
  return operations
    .map((operation) => {
      const index = indexOf(operation)
      return { operation, score: wanted.reduce((sum, word) => sum + scoreOf(index, word), 0) }
    })
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .map(({ operation }) => operation)
}

/** Returns words of the operations that are near to words that none of them has. */
export function nearestWords(operations: readonly InterfaceOperation[], words: string): string[] {
  const known = [...new Set(operations.flatMap((each) => [...indexOf(each).keys()]))]
  return wordsOf(words)
    .slice(0, 10)
    .flatMap((word) => nearestName(word, known) ?? [])
}

function scoreOf(index: Index, word: string): number {
  const others = SYNONYMS.get(word) ?? []
  return Math.max(ownScoreOf(index, word), ...others.map((other) => ownScoreOf(index, other) * SYNONYM))
}

function ownScoreOf(index: Index, word: string): number {
  const exact = index.get(word)
  if (exact !== undefined) return exact
  let best = 0
  if (word.length < 3) return best
  for (const [each, weight] of index) {
    if (each.startsWith(word) || (each.length > 3 && word.startsWith(each)))
      best = Math.max(best, weight * PREFIX)
  }
  return best
}

function indexOf(operation: InterfaceOperation): Index {
  const known = indexes.get(operation)
  if (known) return known
  const { name, template, parameters, operation: own, of } = operation
  const parts: Readonly<Record<keyof typeof WEIGHTS, string>> = {
    // The name of a trigger begins with that of its interface, which the path has, too.
    name: name.replace(/^[\w-]+\./, ''),
    summary: own.summary ?? '',
    words: own['x-words'] ?? '',
    tags: [...(own.tags ?? []), of.name, of.title].join(' '),
    path: template,
    fields: [...parameters.map((each) => each.name), ...bodyFields(operation)].join(' '),
    description: own.description ?? '',
  }
  const index = new Map<string, number>()
  for (const [part, weight] of Object.entries(WEIGHTS)) {
    for (const word of wordsOf(parts[part as keyof typeof WEIGHTS])) {
      index.set(word, Math.max(index.get(word) ?? 0, weight))
    }
  }
  indexes.set(operation, index)
  return index
}

/** Returns the names of the fields of the body, and the values that they can have. */
function bodyFields({ document, operation }: InterfaceOperation): string[] {
  return Object.values(operation.requestBody?.content ?? {})
    .flatMap(({ schema = {} }) => Object.entries(fieldsOf(document, schema)))
    .flatMap(([name, { enum: values = [] }]) => [name, ...values.map(String)])
}

const fieldsOf = (document: Document, schema: Schema) =>
  (resolved(document, schema) as { properties?: Record<string, { enum?: readonly unknown[] }> }).properties ??
  {}

/** Returns the words of a text in lower case, in the singular: "createPaymentLinks" is create, payment, link. */
const wordsOf = (text: string): string[] =>
  text
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .filter((word) => word !== '' && !STOP_WORDS.has(word))
    .map((word) =>
      word.length > 4 && word.endsWith('ies')
        ? `${word.slice(0, -3)}y`
        : word.length > 3 && word.endsWith('s') && !word.endsWith('ss')
          ? word.slice(0, -1)
          : word,
    )
