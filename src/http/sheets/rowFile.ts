/**
 * The rows of a file as they are handed from who reads it to who takes them: a few in one text, more in a file of their own
 * from which they are read batch by batch, so that no thread has all of them in memory.
 */
import { open, type FileHandle } from 'node:fs/promises'
import { LARGEST_CONTENT, LARGEST_ROW, MAX_ROWS, SheetProblem } from './limits.ts'

/** Its number, what it holds (of a table each place with its value, of JSON the object), and why it is none. */
export type KeptRow = readonly [
  row: number,
  values: readonly unknown[] | Readonly<Record<string, unknown>> | null,
  problem?: string,
]

/** Characters of JSON that are written and read at a time, or one row. */
const BATCH = 65_536

/** Bytes before each batch that say how many it has. */
const HEAD = 4

export class RowWriter {
  readonly #path: string
  #file: FileHandle | null = null
  #batch: string[] = []
  #batchSize = 0
  #size = 0
  #count = 0

  constructor(path: string) {
    this.#path = path
  }

  get count(): number {
    return this.#count
  }

  /** Takes a row. What it answers with, if anything, is to be waited for before the next. */
  add(kept: KeptRow): Promise<void> | undefined {
    const text = textOf(kept)
    if (++this.#count > MAX_ROWS) throw tooMuch(`${String(MAX_ROWS)} rows`)
    this.#size += text.length
    if (this.#size > LARGEST_CONTENT) throw tooMuch(`${String(LARGEST_CONTENT)} characters`)
    this.#batch.push(text)
    this.#batchSize += text.length
    return this.#batchSize < BATCH ? undefined : this.#write()
  }

  /** The rows as one text where they are few; null where they lie in the file. */
  async end(): Promise<string | null> {
    if (this.#file === null) return `[${this.#batch.join(',')}]`
    if (this.#batch.length > 0) await this.#write()
    await this.close()
    return null
  }

  async close(): Promise<void> {
    const file = this.#file
    this.#file = null
    await file?.close()
  }

  async #write(): Promise<void> {
    const rows = Buffer.from(`[${this.#batch.join(',')}]`)
    this.#batch = []
    this.#batchSize = 0
    const head = Buffer.alloc(HEAD)
    head.writeUInt32LE(rows.length)
    this.#file ??= await open(this.#path, 'wx', 0o600)
    await this.#file.writeFile(Buffer.concat([head, rows]))
  }
}

function textOf(kept: KeptRow): string {
  const text = JSON.stringify(kept)
  if (text.length <= LARGEST_ROW) return text
  return JSON.stringify([kept[0], null, `the row holds more than ${String(LARGEST_ROW)} characters`])
}

const tooMuch = (what: string): SheetProblem =>
  new SheetProblem('too_large', `The file holds more than ${what}.`)

/** The rows that a RowWriter has written, batch by batch. */
export async function* readRows(path: string): AsyncGenerator<KeptRow[]> {
  const file = await open(path)
  try {
    for (;;) {
      const head = await read(file, HEAD)
      if (head.length === 0) return
      const rows = await read(file, head.readUInt32LE())
      yield JSON.parse(rows.toString()) as KeptRow[]
    }
  } finally {
    await file.close()
  }
}

/** The next bytes; fewer at the end. */
async function read(file: FileHandle, size: number): Promise<Buffer> {
  const bytes = Buffer.alloc(size)
  let at = 0
  while (at < size) {
    const { bytesRead } = await file.read(bytes, at, size - at)
    if (bytesRead === 0) break
    at += bytesRead
  }
  return bytes.subarray(0, at)
}
