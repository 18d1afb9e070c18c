/** What a server follows of an overlay, and what it leaves out. */
import { counted } from '@suite-sim/kit/text/counted'
import type { InterfaceDefinition } from '../http/definition/definition.ts'
import { parseOffsetInstant } from '@suite-sim/kit/time/instants'
import type { ChosenReadings } from '../state/model/reading.ts'
import { followingDefinition } from './binding/bind.ts'
import { problemOf, type Catalog } from './check.ts'
import { EXPIRES_AFTER_DAYS, type Entry, type Overlay } from './format.ts'
import { atEntry, ObservedError } from './parse.ts'
import { subjectOf, whyOf } from './words.ts'

const DAY_MS = 86_400_000

/** An entry with its place in the file. */
export interface ListedEntry {
  /** From 0. */
  readonly index: number
  /** "the header x-powered-by" */
  readonly subject: string
  readonly why: string
  /** In ms since the epoch. */
  readonly expiresAt: number
  readonly entry: Entry
}

export interface IgnoredEntry extends ListedEntry {
  readonly because: 'expired' | 'contradicts' | 'superseded'
}

/** What a server follows. */
export interface Observed {
  /** The file; null for an object. */
  readonly file: string | null
  readonly measured: Overlay['measured']
  readonly followed: readonly ListedEntry[]
  readonly ignored: readonly IgnoredEntry[]
  /** The readings that were observed. */
  readonly readings: ChosenReadings
  /** Returns the definition of an interface that follows the entries; the same one if there are none. */
  readonly extend: (definition: InterfaceDefinition) => InterfaceDefinition
}

export interface FollowOptions {
  readonly file: string | null
  /** Follows entries that contradict the specification as well. */
  readonly prefersObserved: boolean
  /** The real time, in ms since the epoch. */
  readonly now: number
}

/** Returns what is followed of an overlay. Throws an ObservedError if an entry names something that does not exist. */
export function follow(overlay: Overlay, catalog: Catalog, options: FollowOptions): Observed {
  const { file, prefersObserved, now } = options
  const followed: ListedEntry[] = []
  const ignored: IgnoredEntry[] = []
  const isSuperseded = supersededIn(overlay.entries)
  overlay.entries.forEach((entry, index) => {
    const problem = timeProblem(entry, now) ?? problemOf(entry, catalog)
    if (problem !== null) throw new ObservedError(`${file ?? 'observed'}: ${atEntry(index, problem)}`)
    const expiresAt = instantOf(entry) + EXPIRES_AFTER_DAYS * DAY_MS
    const listed = { index, subject: subjectOf(entry), why: whyOf(entry), expiresAt, entry }
    if (expiresAt <= now) ignored.push({ ...listed, because: 'expired' })
    else if (entry.fidelity === 'documented' && !prefersObserved)
      ignored.push({ ...listed, because: 'contradicts' })
    else if (isSuperseded.has(entry)) ignored.push({ ...listed, because: 'superseded' })
    else followed.push(listed)
  })
  return {
    file,
    measured: overlay.measured,
    followed,
    ignored,
    readings: Object.fromEntries(
      followed.flatMap(({ entry }) => (entry.kind === 'reading' ? [[entry.name, entry.value]] : [])),
    ),
    extend(definition) {
      const own = followed.flatMap(({ entry }) => (entry.interface === definition.name ? [entry] : []))
      const published = catalog.interfaces.get(definition.name)
      const hasWork = own.some(({ kind }) => kind !== 'reading')
      return published && hasWork ? followingDefinition(definition, published, own) : definition
    },
  }
}

/** Returns the entries whose places all have later entries. */
function supersededIn(entries: readonly Entry[]): ReadonlySet<Entry> {
  const later = new Set<string>()
  const superseded = new Set<Entry>()
  for (const entry of entries.toReversed()) {
    const keys = placesOf(entry).map((place) => JSON.stringify([entry.kind, entry.interface, ...place]))
    if (keys.every((key) => later.has(key))) superseded.add(entry)
    for (const key of keys) later.add(key)
  }
  return superseded
}

function placesOf(entry: Entry): unknown[][] {
  switch (entry.kind) {
    case 'refusal':
      return [[entry.operation, entry.when.status, entry.when.code]]
    case 'field':
    case 'nullability':
      return (entry.operations ?? [null]).map((operation) => [operation, entry.component, entry.path])
    case 'precision':
      return (entry.operations ?? [null]).flatMap((operation) =>
        givenOf(entry, ['fraction', 'zone', 'decimals']).map((name) => [operation, entry.path, name]),
      )
    case 'page':
      return givenOf(entry, ['default', 'maximum']).map((name) => [entry.operation, name])
    case 'header':
      return [[entry.operation, entry.name.toLowerCase()]]
    case 'eventField':
      return [[entry.event, entry.path]]
    case 'reading':
      return [[entry.name]]
    case 'order':
    case 'rateLimit':
      return [[entry.operation]]
  }
}

/** Returns the names of the fields that an entry has. */
const givenOf = (entry: object, names: readonly string[]): string[] => names.filter((name) => name in entry)

/** The schema of an entry requires an offset. */
const instantOf = ({ observedAt }: Entry): number => parseOffsetInstant(observedAt) ?? 0

/** A wrong clock must not keep an entry forever. */
const timeProblem = (entry: Entry, now: number): string | null =>
  instantOf(entry) > now + DAY_MS ? 'observedAt must be in the past' : null

/** The most entries that a line names. */
const MAX_NAMED = 5

/** Returns the line that a start shows: "1 entry of o.json followed; not followed: 1 expired (older than 180 days): entries[3]". */
export function summaryOf({ file, followed, ignored }: Observed): string {
  const count = (number: number): string => counted(number, 'entry')
  const parts = [
    reasonIn(ignored, 'expired', `expired (older than ${String(EXPIRES_AFTER_DAYS)} days)`),
    reasonIn(ignored, 'superseded', 'superseded by later ones'),
    reasonIn(ignored, 'contradicts', 'against the specification (--prefer observed follows it)'),
  ].filter((part) => part !== '')
  const rest = ignored.length === 0 ? '' : `; not followed: ${parts.join('; ')}`
  return `${count(followed.length)}${file === null ? '' : ` of ${file}`} followed${rest}`
}

function reasonIn(ignored: readonly IgnoredEntry[], because: IgnoredEntry['because'], words: string): string {
  const own = ignored.filter((each) => each.because === because)
  if (own.length === 0) return ''
  const named = own.slice(0, MAX_NAMED).map(({ index }) => `entries[${String(index)}]`)
  const more = own.length > MAX_NAMED ? ', ...' : ''
  return `${String(own.length)} ${words}: ${named.join(', ')}${more}`
}
