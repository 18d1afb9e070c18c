/**
 * Search in catalogs: which entries hold every word that is looked for, compared without case and accents, each at the
 * beginning of a word of theirs or of their key. The words of a catalog are put in order when it is first searched. Signs
 * between words mean nothing; alone, or with one that is a wildcard elsewhere (%, _, \\), they are looked for as they are.
 */
import { fold } from '../collation.ts'
import type { CatalogEntry } from './satCatalogs.ts'

export interface SearchedCatalog<Entry extends CatalogEntry> {
  /** In the order of the catalog. */
  readonly all: () => readonly Entry[]
  /** Those that hold all words and signs of the text, in the same order; all for a blank text. */
  readonly search: (text: string) => readonly Entry[]
}

/** Words of a text without case and accents. */
const wordsOf = (text: string): string[] => fold(text).match(/[\p{L}\p{N}]+/gu) ?? []

const hasWord = (text: string): boolean => /[\p{L}\p{N}]/u.test(text)

/** Parts of a text that are compared sign by sign. */
const literalsOf = (text: string): string[] =>
  fold(text)
    .split(/\s+/)
    .filter((part) => part !== '' && (!hasWord(part) || /[%_\\]/.test(part)))

const textOf = ({ clave, descripcion }: CatalogEntry): string => fold(`${clave} ${descripcion}`)

interface Index {
  /** In order, each once. */
  readonly words: readonly string[]
  /** The places of the entries that hold the word at the same place in `words`. */
  readonly places: readonly (readonly number[])[]
}

function indexOf(entries: readonly CatalogEntry[]): Index {
  const placesOf = new Map<string, number[]>()
  entries.forEach(({ clave, descripcion }, place) => {
    for (const word of new Set(wordsOf(`${clave} ${descripcion}`))) {
      const places = placesOf.get(word)
      if (places) places.push(place)
      else placesOf.set(word, [place])
    }
  })
  const sorted = [...placesOf].sort(([one], [other]) => (one < other ? -1 : 1))
  return { words: sorted.map(([word]) => word), places: sorted.map(([, places]) => places) }
}

/** Where in ordered words the first one is that does not come before this one. */
function firstFrom(words: readonly string[], sought: string): number {
  let low = 0
  let high = words.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((words[middle] ?? '') < sought) low = middle + 1
    else high = middle
  }
  return low
}

function holding({ words, places }: Index, beginning: string): Set<number> {
  const found = new Set<number>()
  for (let at = firstFrom(words, beginning); words[at]?.startsWith(beginning); at++) {
    for (const place of places[at] ?? []) found.add(place)
  }
  return found
}

/** Words that are looked for at most; what follows them is left out. */
const MAX_WORDS = 20

/** A catalog that is read when it is first asked for, and indexed when it is first searched. */
export function searched<Entry extends CatalogEntry>(read: () => readonly Entry[]): SearchedCatalog<Entry> {
  let entries: readonly Entry[] | undefined
  let index: Index | undefined
  const all = (): readonly Entry[] => (entries ??= read())
  return {
    all,
    search(text) {
      const literals = literalsOf(text).slice(0, MAX_WORDS)
      const found = holdingAll(wordsOf(text).slice(0, MAX_WORDS))
      if (literals.length === 0) return found
      return found.filter((entry) => {
        const searchedText = textOf(entry)
        return literals.every((part) => searchedText.includes(part))
      })
    },
  }

  function holdingAll(words: readonly string[]): readonly Entry[] {
    if (words.length === 0) return all()
    const known = (index ??= indexOf(all()))
    const [first = new Set<number>(), ...others] = words
      .map((word) => holding(known, word))
      .sort((one, other) => one.size - other.size)
    return [...first]
      .filter((place) => others.every((each) => each.has(place)))
      .sort((one, other) => one - other)
      .flatMap((place) => all()[place] ?? [])
  }
}
