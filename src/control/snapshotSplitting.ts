/**
 * Takes the records out of the JSON of a snapshot while it comes, so that none of it has to be in memory as a whole. What
 * is left has in each list that had records a mark with its number, and is small.
 *
 * Only where records begin and end is found out here. Whether what is left, and each record, is JSON at all is for the
 * parser to say.
 */
import { Refusal } from '../state/refusal.ts'
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

/** Bytes that a single record may have, and all that is no record. */
export const LARGEST_RECORD = 16 * 1024 * 1024
const LARGEST_REST = 32 * 1024 * 1024

/** Lists with records in one snapshot; there are not that many tables. */
const MAX_LISTS = 1000

/** Where in the spool the records of a list lie, a line for each. */
export interface List {
  readonly from: number
  to: number
}

export class Splitter {
  readonly #spool: Spool
  /** How many objects are around a list of records. */
  readonly #depth: number
  readonly #rest: Buffer[] = []
  #restBytes = 0
  /** In the order in which the lists began. */
  readonly lists: List[] = []
  /** What is open around the next byte: braces and brackets; only as deep as records stand. */
  readonly #open: number[] = []
  /** How deep the next byte stands in a record; 0 outside of one. */
  #within = 0
  #isText = false
  #isEscaped = false
  /** Of the record that has begun in an earlier chunk. */
  #begun: Buffer[] = []
  #begunBytes = 0
  /** What followed a record, as long as it may be but the comma before the next; null where there was none in the list. */
  #gap: Buffer[] | null = null

  /** `depth` is 2 for a snapshot, more where it stands in something else. */
  constructor(spool: Spool, depth: number) {
    this.#spool = spool
    this.#depth = depth
  }

  /** What is no record, once all has been taken. */
  get rest(): Buffer {
    this.#leaveGap()
    return Buffer.concat(this.#rest)
  }

  /** Takes the next bytes, which it may change. */
  async take(chunk: Buffer): Promise<void> {
    let start = 0
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0
      if (this.#isText) {
        if (this.#isEscaped) this.#isEscaped = false
        else if (byte === BACKSLASH) this.#isEscaped = true
        else if (byte === QUOTE) this.#isText = false
        // No text of JSON holds one as it is; what would become two lines is none.
        else if (byte === LINE_FEED && this.#within > 0) throw unreadable('a text goes on over a line')
        continue
      }
      if (byte === QUOTE) this.#isText = true
      else if (byte === LINE_FEED || byte === CARRIAGE_RETURN) chunk[at] = SPACE
      else if (byte === OPENING_BRACE || byte === OPENING_BRACKET) {
        if (this.#within > 0) this.#within++
        else if (byte === OPENING_BRACE && this.#isInList()) {
          this.#leave(chunk.subarray(start, at))
          this.#begin()
          start = at
          this.#within = 1
        } else this.#enter(byte)
      } else if (byte === CLOSING_BRACE || byte === CLOSING_BRACKET) {
        if (this.#within === 0) {
          this.#leave(chunk.subarray(start, at))
          start = at
          this.#leaveGap()
          this.#open.pop()
        } else if (--this.#within === 0) {
          const full = this.#end(chunk.subarray(start, at + 1))
          if (full) await full
          start = at + 1
        }
      }
    }
    const last = Buffer.from(chunk.subarray(start))
    if (this.#within > 0) this.#goOn(last)
    else this.#leave(last)
  }

  #isInList(): boolean {
    const { length } = this.#open
    return length === this.#depth + 1 && this.#open[length - 1] === OPENING_BRACKET && this.#isBelowObjects()
  }

  #isBelowObjects(): boolean {
    return this.#open.slice(0, -1).every((each) => each === OPENING_BRACE)
  }

  #enter(byte: number): void {
    if (this.#open.length > 1000) throw unreadable('it is nested too deep')
    this.#open.push(byte)
  }

  /** A record begins. Only before the first of a list a mark is left; no object that is sent stands there. */
  #begin(): void {
    if (this.#gap) {
      const gap = Buffer.concat(this.#gap)
      this.#restBytes -= gap.length
      if (!/^ *, *$/.test(gap.toString('latin1').replaceAll('\t', ' '))) {
        throw unreadable('between two records there is something else than a comma')
      }
      this.#gap = []
      return
    }
    if (this.lists.length === MAX_LISTS) throw unreadable('it has too many lists of records')
    this.lists.push({ from: this.#spool.size, to: this.#spool.size })
    this.#leave(Buffer.from(`{"list":${String(this.lists.length - 1)}}`))
  }

  #goOn(part: Buffer): void {
    this.#begunBytes += part.length
    if (this.#begunBytes > LARGEST_RECORD)
      throw new Refusal('too_large', 'A record of the snapshot is too large.')
    this.#begun.push(part)
  }

  #end(part: Buffer): Promise<void> | null {
    this.#goOn(part)
    const full = this.#spool.add(Buffer.concat([...this.#begun, END_OF_LINE]))
    const list = this.lists.at(-1)
    if (list) list.to = this.#spool.size
    this.#begun = []
    this.#begunBytes = 0
    this.#gap ??= []
    return full
  }

  #leave(part: Buffer): void {
    this.#restBytes += part.length
    if (this.#restBytes > LARGEST_REST)
      throw new Refusal('too_large', 'The snapshot holds too much beside its records.')
    // A chunk would be kept for the sake of the few bytes that are left of it.
    if (part.length > 0) (this.#gap ?? this.#rest).push(Buffer.from(part))
  }

  /** What followed the last record is no mere comma, or was the last thing in the list. */
  #leaveGap(): void {
    if (this.#gap) this.#rest.push(...this.#gap)
    this.#gap = null
  }
}

const END_OF_LINE = Buffer.from('\n')

const unreadable = (why: string): Refusal => new Refusal('malformed', `The body is not valid JSON: ${why}.`)
