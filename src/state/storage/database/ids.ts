/**
 * The ids of records. With a seed, each workspace draws every kind of id from its own stream, so that one test never changes another test's ids.
 */
import { createHash, randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { customRandom, urlAlphabet } from 'nanoid'
import { randomToken, systemBytes } from '@suite-sim/kit/random'
import { systemNow } from '@suite-sim/kit/time/machineClock'
import { statement, type Database } from './database.ts'
import { counters, type IdSource } from '../tables.ts'

const LOWER_ALPHANUMERIC = '0123456789abcdefghijklmnopqrstuvwxyz'
const LOWER_LETTERS = LOWER_ALPHANUMERIC.slice(10)
const ALPHANUMERIC = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

// Without a seed, ids drawn in sequence share a prefix: their rows are adjacent in the index, so a commit writes one
// page of it instead of one page per row.
const endOfNano = customRandom(urlAlphabet, 14, systemBytes)
const endOfCuid2 = customRandom(LOWER_ALPHANUMERIC, 16, systemBytes)
const endOfCredential = customRandom(ALPHANUMERIC, 32, systemBytes)
const timeAsNano = timeIn(urlAlphabet.split('').sort().join(''), 7)
const timeAsCuid2 = timeIn(LOWER_ALPHANUMERIC, 8, LOWER_LETTERS)

/**
 * Encodes the machine's time in an alphabet, with the first character from `first`. The values sort by time and
 * repeat after decades.
 */
function timeIn(alphabet: string, length: number, first = alphabet): () => string {
  let lastTime = NaN
  let lastText = ''
  return () => {
    const time = systemNow()
    if (time === lastTime) return lastText
    let rest = time
    let text = ''
    for (let place = length; place > 0; place--) {
      const characters = place > 1 ? alphabet : first
      text = characters.charAt(rest % characters.length) + text
      rest = Math.floor(rest / characters.length)
    }
    lastTime = time
    lastText = text
    return text
  }
}

/** Returns `prefix` and 32 unpredictable letters and digits, also with a seed: a credential that outlives resets. */
export const randomCredential = (prefix: string): string => prefix + endOfCredential()

const nextNumber = statement((orm) =>
  orm
    .insert(counters)
    .values({ workspace: sql.placeholder('workspace'), kind: sql.placeholder('kind'), last: 1 })
    .onConflictDoUpdate({
      target: [counters.workspace, counters.kind],
      set: { last: sql`${counters.last} + 1` },
    })
    .returning({ last: counters.last })
    .prepare(),
)

/** The ids of one workspace. Workspace 0 is the server. */
export class Ids {
  readonly #database: Database
  readonly #workspace: number
  /** The source of the server; its `seed` is null for unpredictable ids. */
  readonly #own: { readonly seed: string | null; readonly fixed: string }
  #source: { readonly seed: string | null; readonly fixed: string }

  /** `seed` is null for unpredictable ids. */
  constructor(database: Database, workspace: number, seed: string | null) {
    this.#database = database
    this.#workspace = workspace
    const place = String(workspace)
    // A digest, because a recording shows it, and the seed of a server decides the keys of all workspaces.
    this.#own = {
      seed: seed === null ? null : `${seed}\n${place}`,
      fixed: digestOf(`${seed ?? ''}\n${place}\nfixed`),
    }
    this.#source = this.#own
  }

  /** Draws ids from another source from now on; null returns to the seed of the server. */
  use(source: IdSource | null): void {
    this.#source = source ?? this.#own
  }

  /**
   * Returns a source of ids for a recording that starts now. With a seed, it is the same in each run. It reveals nothing
   * about ids outside of the recording.
   */
  sourceOfRecording(counted: Readonly<Record<string, number>>): IdSource {
    const { seed, fixed } = this.#source
    return {
      seed: seed === null ? randomToken() : digestOf(`${seed}\nrecording\n${JSON.stringify(counted)}`),
      fixed,
    }
  }

  /** Returns 1, 2, 3 ... for each `kind`. A rollback reverts the counter. Only inside a `write`. */
  integer(kind: string): number {
    return nextNumber(this.#database).get({ workspace: this.#workspace, kind }).last
  }

  /** Returns 21 characters of A-Za-z0-9_-. */
  nano(kind: string): string {
    return this.#source.seed === null ? timeAsNano() + endOfNano() : this.#text(kind, urlAlphabet, 21)
  }

  /** Returns 24 lower-case characters in the form of cuid2; the first is a letter. */
  cuid2(kind: string): string {
    if (this.#source.seed === null) return timeAsCuid2() + endOfCuid2()
    const text = this.#text(kind, LOWER_ALPHANUMERIC, 25)
    const letter = LOWER_LETTERS[text.charCodeAt(0) % 26] ?? 'c'
    return letter + text.slice(1, 24)
  }

  /** Returns an id in the form of cuid2 that is always the same for a name. */
  fixed(name: string): string {
    const bytes = seededBytes(`${this.#source.fixed}\n${name}`, 24)
    const letter = LOWER_LETTERS[(bytes[0] ?? 0) % 26] ?? 'c'
    return letter + Array.from(bytes.subarray(1), (byte) => LOWER_ALPHANUMERIC.charAt(byte % 36)).join('')
  }

  /** Returns a UUID version 4 in lower case. */
  uuid(kind: string): string {
    if (this.#source.seed === null) return randomUUID()
    const bytes = this.#bytes(kind, 16)
    bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6)
    bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
    return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  }

  /** Returns `prefix` and `length` letters and digits: "pl_8fKq...". */
  prefixed(prefix: string, length = 20): string {
    return prefix + this.#text(prefix, ALPHANUMERIC, length)
  }

  /** Returns a number from 0 to 1, excluding 1. */
  chance(kind: string): number {
    return this.#bytes(kind, 6).readUIntBE(0, 6) / 2 ** 48
  }

  #text(kind: string, alphabet: string, length: number): string {
    return customRandom(alphabet, length, (size) => this.#bytes(kind, size))()
  }

  #bytes(kind: string, length: number): Buffer {
    const { seed } = this.#source
    if (seed === null) return systemBytes(length)
    const position = this.integer(`seed:${kind}`)
    return seededBytes(`${seed}\n${kind}\n${String(position)}`, length)
  }
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url')

/** Returns bytes that are always the same for a label. */
function seededBytes(label: string, length: number): Buffer {
  const blocks: Buffer[] = []
  for (let block = 0; block * 32 < length; block++) {
    blocks.push(
      createHash('sha256')
        .update(`${label}\n${String(block)}`)
        .digest(),
    )
  }
  return Buffer.concat(blocks).subarray(0, length)
}
