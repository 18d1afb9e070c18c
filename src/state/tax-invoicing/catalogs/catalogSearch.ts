/**
 * Search in catalogs. Each word of the query must match the beginning of a word of the entry or of its key, without case
 * and accents. Punctuation between words is ignored; alone, or with %, _ or \\, it is searched literally. The index of a
 * catalog is built on its first search.
 */
import { fold } from '@suite-sim/kit/text/collation'
import type { CatalogEntry } from './satCatalogs.ts'

export interface SearchableCatalog<Entry extends CatalogEntry> {
  /** Returns all entries in the order of the catalog. */
  readonly all: () => readonly Entry[]
  /** Returns the entries that match the text, in the same order; all entries for a blank text. */
  readonly search: (text: string) => readonly Entry[]
}

/** Splits a text into words, without case and accents. */
const wordsOf = (text: string): string[] => fold(text).match(/[\p{L}\p{N}]+/gu) ?? []

const hasWord = (text: string): boolean => /[\p{L}\p{N}]/u.test(text)

/** Returns the parts of a text that are searched literally. */
const literalsOf = (text: string): string[] =>
  fold(text)
    .split(/\s+/)
    .filter((part) => part !== '' && (!hasWord(part) || /[%_\\]/.test(part)))

const textOf = ({ clave, descripcion }: CatalogEntry): string => fold(`${clave} ${descripcion}`)

interface Index {
  /** The distinct words, sorted. */
  readonly words: readonly string[]
  /** For each word of `words`: the positions of the entries that contain it. */
  readonly positions: readonly (readonly number[])[]
}

function indexOf(entries: readonly CatalogEntry[]): Index {
  const positionsByWord = new Map<string, number[]>()
  entries.forEach(({ clave, descripcion }, position) => {
    for (const word of new Set(wordsOf(`${clave} ${descripcion}`))) {
      const positions = positionsByWord.get(word)
      if (positions) positions.push(position)
      else positionsByWord.set(word, [position])
    }
  })
  const sorted = [...positionsByWord].sort(([one], [other]) => (one < other ? -1 : 1))
  return { words: sorted.map(([word]) => word), positions: sorted.map(([, positions]) => positions) }
}

/** Returns the index of the first sorted word that is not less than `word` (binary search). */
function lowerBound(words: readonly string[], word: string): number {
  let low = 0
  let high = words.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((words[middle] ?? '') < word) low = middle + 1
    else high = middle
  }
  return low
}

/** Returns the positions of the entries with a word that starts with `prefix`. */
function positionsOf({ words, positions }: Index, prefix: string): Set<number> {
  const found = new Set<number>()
  for (let at = lowerBound(words, prefix); words[at]?.startsWith(prefix); at++) {
    for (const position of positions[at] ?? []) found.add(position)
  }
  return found
}

/** The maximum number of words in a search. Further words are ignored. */
const MAX_WORDS = 20

/** Creates a searchable catalog. It reads the entries on the first use and builds the index on the first search. */
export function createSearchableCatalog<Entry extends CatalogEntry>(
  read: () => readonly Entry[],
): SearchableCatalog<Entry> {
  let entries: readonly Entry[] | undefined
  let index: Index | undefined
  const all = (): readonly Entry[] => (entries ??= read())
  return {
    all,
    search(text) {
      const literals = literalsOf(text).slice(0, MAX_WORDS)
      const found = entriesWithAll(wordsOf(text).slice(0, MAX_WORDS))
      if (literals.length === 0) return found
      return found.filter((entry) => {
        const searchedText = textOf(entry)
        return literals.every((part) => searchedText.includes(part))
      })
    },
  }

  function entriesWithAll(words: readonly string[]): readonly Entry[] {
    if (words.length === 0) return all()
    const builtIndex = (index ??= indexOf(all()))
    const [first = new Set<number>(), ...others] = words
      .map((word) => positionsOf(builtIndex, word))
      .sort((one, other) => one.size - other.size)
    return [...first]
      .filter((position) => others.every((each) => each.has(position)))
      .sort((one, other) => one - other)
      .flatMap((position) => all()[position] ?? [])
  }
}
