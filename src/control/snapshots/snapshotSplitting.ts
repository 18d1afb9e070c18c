/**
 * Splits the JSON of a snapshot into records while it streams in, so that it never is in memory as a whole. In the rest,
 * each list of records becomes one mark with its number. Only finds where records begin and end; the JSON parser
 * validates the records and the rest.
 */
import { Refusal } from '../../state/model/refusal.ts'
import type { Spool } from './spool.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const OPENING_BRACE = 0x7b
const CLOSING_BRACE = 0x7d
const OPENING_BRACKET = 0x5b
const CLOSING_BRACKET = 0x5d
const SPACE = 0x20

/** The maximum size of one record, and of everything except records, in bytes. */
export const MAX_RECORD_BYTES = 16 * 1024 * 1024
const LARGEST_REST = 32 * 1024 * 1024

/** The maximum number of record lists in one snapshot. It is larger than the number of tables. */
const MAX_LISTS = 1000

/** The range of the spool with the records of a list, one per line. */
export interface List {
  readonly from: number
  to: number
}

export class Splitter {
  readonly #spool: Spool
  /** The number of objects around a list of records. */
  readonly #depth: number
  readonly #rest: Buffer[] = []
  #restBytes = 0
  /** The lists, in the order of their beginnings. */
  readonly lists: List[] = []
  /** The open braces and brackets around the next byte, outside of records. */
  readonly #open: number[] = []
  /** The nesting depth of the next byte inside a record; 0 outside of records. */
  #recordDepth = 0
  #isInString = false
  #isEscaped = false
  /** The parts of a record that continues in the next chunk. */
  #recordParts: Buffer[] = []
  #recordBytes = 0
  /** The bytes since the last record of the list, which may be only a comma; null before the first record. */
  #gap: Buffer[] | null = null

  /** `depth` is 2 if the body is the snapshot, and more if it is a field of the body. */
  constructor(spool: Spool, depth: number) {
    this.#spool = spool
    this.#depth = depth
  }

  /** The JSON without records, after the last chunk. */
  get rest(): Buffer {
    this.#addGapToRest()
    return Buffer.concat(this.#rest)
  }

  /** Processes the next chunk. May change its bytes. */
  async take(chunk: Buffer): Promise<void> {
    let start = 0
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0
      if (this.#isInString) {
        if (this.#isEscaped) this.#isEscaped = false
        else if (byte === BACKSLASH) this.#isEscaped = true
        else if (byte === QUOTE) this.#isInString = false
        // JSON strings contain no raw line feeds. Here one would split the record into two lines.
        else if (byte === LINE_FEED && this.#recordDepth > 0)
          throw malformed('a string contains a line break')
        continue
      }
      if (byte === QUOTE) this.#isInString = true
      else if (byte === LINE_FEED || byte === CARRIAGE_RETURN) chunk[at] = SPACE
      else if (byte === OPENING_BRACE || byte === OPENING_BRACKET) {
        if (this.#recordDepth > 0) this.#recordDepth++
        else if (byte === OPENING_BRACE && this.#isInList()) {
          this.#addToRest(chunk.subarray(start, at))
          this.#begin()
          start = at
          this.#recordDepth = 1
        } else this.#enter(byte)
      } else if (byte === CLOSING_BRACE || byte === CLOSING_BRACKET) {
        if (this.#recordDepth === 0) {
          this.#addToRest(chunk.subarray(start, at))
          start = at
          this.#addGapToRest()
          this.#open.pop()
        } else if (--this.#recordDepth === 0) {
          const flushed = this.#end(chunk.subarray(start, at + 1))
          if (flushed) await flushed
          start = at + 1
        }
      }
    }
    const last = Buffer.from(chunk.subarray(start))
    if (this.#recordDepth > 0) this.#continue(last)
    else this.#addToRest(last)
  }

  #isInList(): boolean {
    const { length } = this.#open
    return length === this.#depth + 1 && this.#open[length - 1] === OPENING_BRACKET && this.#isBelowObjects()
  }

  #isBelowObjects(): boolean {
    return this.#open.slice(0, -1).every((each) => each === OPENING_BRACE)
  }

  #enter(byte: number): void {
    if (this.#open.length > 1000) throw malformed('it is nested too deeply')
    this.#open.push(byte)
  }

  /** Starts a record. Before the first record of a list, adds the mark of the list to the rest. */
  #begin(): void {
    if (this.#gap) {
      const gap = Buffer.concat(this.#gap)
      this.#restBytes -= gap.length
      if (!/^ *, *$/.test(gap.toString('latin1').replaceAll('\t', ' '))) {
        throw malformed('two records must be separated by a comma')
      }
      this.#gap = []
      return
    }
    if (this.lists.length === MAX_LISTS) throw malformed('it has too many lists of records')
    this.lists.push({ from: this.#spool.size, to: this.#spool.size })
    this.#addToRest(Buffer.from(`{"list":${String(this.lists.length - 1)}}`))
  }

  #continue(part: Buffer): void {
    this.#recordBytes += part.length
    if (this.#recordBytes > MAX_RECORD_BYTES)
      throw new Refusal('too_large', 'A record of the snapshot is too large.')
    this.#recordParts.push(part)
  }

  #end(part: Buffer): Promise<void> | null {
    this.#continue(part)
    const flushed = this.#spool.add(Buffer.concat([...this.#recordParts, END_OF_LINE]))
    const list = this.lists.at(-1)
    if (list) list.to = this.#spool.size
    this.#recordParts = []
    this.#recordBytes = 0
    this.#gap ??= []
    return flushed
  }

  #addToRest(part: Buffer): void {
    this.#restBytes += part.length
    if (this.#restBytes > LARGEST_REST)
      throw new Refusal(
        'too_large',
        'The body is too large: only the records of a snapshot may exceed 32 MiB.',
      )
    // Copies the bytes: a view would keep the whole chunk in memory.
    if (part.length > 0) (this.#gap ?? this.#rest).push(Buffer.from(part))
  }

  /** Adds the bytes since the last record to the rest. */
  #addGapToRest(): void {
    if (this.#gap) this.#rest.push(...this.#gap)
    this.#gap = null
  }
}

const END_OF_LINE = Buffer.from('\n')

const malformed = (why: string): Refusal => new Refusal('malformed', `The body is not valid JSON: ${why}.`)
