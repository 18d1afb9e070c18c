/**
 * The only file that draws random bytes. Ids come in the forms that the interfaces use; with a seed, each workspace
 * draws every kind of id from a stream of its own, so that what one test does never changes another's ids.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { customRandom, nanoid, urlAlphabet } from 'nanoid'
import { statement, type Database } from './database.ts'
import { counters } from './tables.ts'

const POOL_BYTES = 4096
let pool = Buffer.alloc(0)

/** Bytes from the operating system, drawn many at a time: each call to it costs as much as a small query. */
function systemBytes(length: number): Buffer {
  if (length > POOL_BYTES) return randomBytes(length)
  if (pool.length < length) pool = randomBytes(POOL_BYTES)
  const drawn = pool.subarray(0, length)
  pool = pool.subarray(length)
  return drawn
}

/** 32 characters that nobody can guess, whatever the seed. */
export const unguessable = (): string => systemBytes(24).toString('base64url')

const LOWER_ALPHANUMERIC = '0123456789abcdefghijklmnopqrstuvwxyz'
const ALPHANUMERIC = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

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

/** The ids of one workspace; workspace 0 stands for the server itself. */
export class Ids {
  readonly #database: Database
  readonly #workspace: number
  readonly #seed: string | null

  /** `seed` is null for unpredictable ids. */
  constructor(database: Database, workspace: number, seed: string | null) {
    this.#database = database
    this.#workspace = workspace
    this.#seed = seed
  }

  /** 1, 2, 3 ... for each `kind`; given back when the transaction is undone. Only inside a `write`. */
  integer(kind: string): number {
    return nextNumber(this.#database).get({ workspace: this.#workspace, kind }).last
  }

  /** 21 characters of A-Za-z0-9_-. */
  nano(kind: string): string {
    return this.#seed === null ? nanoid() : this.#text(kind, urlAlphabet, 21)
  }

  /** 24 lower-case characters, the first a letter: the form of cuid2. */
  cuid2(kind: string): string {
    const text = this.#text(kind, LOWER_ALPHANUMERIC, 25)
    const letter = LOWER_ALPHANUMERIC.slice(10)[text.charCodeAt(0) % 26] ?? 'c'
    return letter + text.slice(1, 24)
  }

  /** UUID version 4, lower case. */
  uuid(kind: string): string {
    if (this.#seed === null) return randomUUID()
    const bytes = this.#bytes(kind, 16)
    bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6)
    bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
    return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  }

  /** `prefix` and `length` letters and digits: "pl_8fKq...". */
  prefixed(prefix: string, length = 20): string {
    return prefix + this.#text(prefix, ALPHANUMERIC, length)
  }

  /** A number from 0 up to, not including, 1. */
  chance(kind: string): number {
    return this.#bytes(kind, 6).readUIntBE(0, 6) / 2 ** 48
  }

  #text(kind: string, alphabet: string, length: number): string {
    return customRandom(alphabet, length, (size) => this.#bytes(kind, size))()
  }

  #bytes(kind: string, length: number): Buffer {
    if (this.#seed === null) return systemBytes(length)
    const position = this.integer(`seed:${kind}`)
    return seededBytes(`${this.#seed}\n${String(this.#workspace)}\n${kind}\n${String(position)}`, length)
  }
}

/** As many bytes as wanted from one label; the same label gives the same bytes. */
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
