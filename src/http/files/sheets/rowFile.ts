/**
 * Passes rows from the reading thread to the consumer: a few as one text, more in a file that is read in
 * batches, so that no thread has all rows in memory.
 */
import { open, type FileHandle } from 'node:fs/promises'
import { LARGEST_CONTENT, LARGEST_ROW, MAX_ROWS, SheetProblem } from './limits.ts'

/**
 * A row: its number, its values (of a table, pairs of column index and value; of JSON, the object), and its
 * problem.
 */
export type StoredRow = readonly [
  row: number,
  values: readonly unknown[] | Readonly<Record<string, unknown>> | null,
  problem?: string,
]

/** Characters of JSON that are written and read at a time, or one row. */
const BATCH = 65_536

/** Bytes of the length before each batch. */
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

  /** Adds a row. If it returns a promise, await it before the next row. */
  add(kept: StoredRow): Promise<void> | undefined {
    const text = textOf(kept)
    if (++this.#count > MAX_ROWS) throw tooMuch(`${String(MAX_ROWS)} rows`)
    this.#size += text.length
    if (this.#size > LARGEST_CONTENT) throw tooMuch(`${String(LARGEST_CONTENT)} characters`)
    this.#batch.push(text)
    this.#batchSize += text.length
    return this.#batchSize < BATCH ? undefined : this.#write()
  }

  /** Returns the rows as one text if they are few; null if they are in the file. */
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

function textOf(kept: StoredRow): string {
  const text = JSON.stringify(kept)
  if (text.length <= LARGEST_ROW) return text
  return JSON.stringify([kept[0], null, `the row contains more than ${String(LARGEST_ROW)} characters`])
}

const tooMuch = (what: string): SheetProblem =>
  new SheetProblem('too_large', `The file contains more than ${what}.`)

/** Yields the rows of a RowWriter in batches. */
export async function* readRows(path: string): AsyncGenerator<StoredRow[]> {
  const file = await open(path)
  try {
    for (;;) {
      const head = await read(file, HEAD)
      if (head.length === 0) return
      const rows = await read(file, head.readUInt32LE())
      yield JSON.parse(rows.toString()) as StoredRow[]
    }
  } finally {
    await file.close()
  }
}

/** Returns the next bytes; fewer at the end. */
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
