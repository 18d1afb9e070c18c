/**
 * Bodies that hold a snapshot. A small one is read as any other. Of a large one the records lie in a file, and are
 * looked at one after the other.
 */
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { parseJson } from '../http/json.ts'
import { textOf } from '../http/utf8.ts'
import type { RecordSet } from '../state/records.ts'
import { Refusal } from '../state/refusal.ts'
import type { Row } from '../state/replacing.ts'
import { Slices } from '../state/slices.ts'
import { SNAPSHOT_LIMIT } from './snapshot.ts'
import { Splitter, type List } from './snapshotSplitting.ts'
import { Spool } from './spool.ts'

/** Bodies up to so many bytes are read in one go. */
const SMALL = 128 * 1024

/** Bytes that are looked through without a look at the time. */
const PART = 64 * 1024

/** A snapshot whose records lie in a file; not checked yet. */
export class LargeSnapshot {
  /** As it was sent, but in each list the number of the list stands for its records. */
  readonly rest: Readonly<Record<string, unknown>>
  readonly #spool: Spool
  readonly #lists: readonly List[]

  constructor(rest: Readonly<Record<string, unknown>>, spool: Spool, lists: readonly List[]) {
    this.rest = rest
    this.#spool = spool
    this.#lists = lists
  }

  /** The records of a set, as they were sent. */
  async *rowsOf({ section, name }: Pick<RecordSet, 'section' | 'name'>): AsyncGenerator<Row, void> {
    const lists = this.rest[section] as Readonly<Record<string, readonly { list?: number }[]>> | undefined
    const list = this.#lists[lists?.[name]?.[0]?.list ?? -1]
    if (!list) return
    for await (const line of this.#spool.lines(list.from, list.to))
      yield parseJson(textOf(line, 'The body')) as Row
  }

  /** Closes the spool. Repeated calls do nothing. */
  close(): Promise<void> {
    return this.#spool.close()
  }
}

/** Reads the bodies of this scope so; `field` names the one that holds the snapshot, unless it is all of the body. */
export function takeSnapshots(scope: FastifyInstance, field: string | null): void {
  const held = new WeakMap<FastifyRequest, LargeSnapshot>()
  scope.removeContentTypeParser('application/json')
  scope.addContentTypeParser('application/json', async (request: FastifyRequest, stream: Readable) => {
    // An iterator that destroys the stream would close the connection before the answer.
    const body = await readSnapshot(stream.iterator({ destroyOnReturn: false }), field)
    const large = field === null ? body : (body as Record<string, unknown> | null | undefined)?.[field]
    if (large instanceof LargeSnapshot) held.set(request, large)
    return body
  })
  // `onResponse` may never come if the client has disconnected.
  scope.addHook('onSend', async (request) => {
    await held.get(request)?.close()
  })
}

/** The body of a request, or of a file; a LargeSnapshot stands in it for one that is large. */
export async function readSnapshot(stream: AsyncIterable<Buffer>, field: string | null): Promise<unknown> {
  const small: Buffer[] = []
  let bytes = 0
  let splitting: { readonly spool: Spool; readonly splitter: Splitter } | null = null
  const slices = new Slices()
  try {
    for await (const chunk of stream) {
      bytes += chunk.length
      if (bytes > SNAPSHOT_LIMIT)
        throw new Refusal('too_large', 'The body is larger than this operation accepts.')
      for (let at = 0; at < chunk.length; at += PART) small.push(chunk.subarray(at, at + PART))
      if (bytes <= SMALL) continue
      if (splitting === null) {
        const spool = await Spool.open()
        splitting = { spool, splitter: new Splitter(spool, field === null ? 2 : 3) }
      }
      for (const part of small.splice(0)) {
        await splitting.splitter.take(part)
        if (slices.isOver) await slices.turn()
      }
    }
    if (splitting === null) return parseJson(textOf(Buffer.concat(small), 'The body'))
    await splitting.spool.flush()
    return withSnapshot(splitting.spool, splitting.splitter, field)
  } catch (error) {
    await splitting?.spool.close()
    throw error
  }
}

function withSnapshot(spool: Spool, { rest, lists }: Splitter, field: string | null): unknown {
  const body = parseJson(textOf(rest, 'The body'))
  if (!isObject(body)) throw new Refusal('malformed', 'The body is not a JSON object.')
  if (field === null) return new LargeSnapshot(body, spool, lists)
  const held = body[field]
  return { ...body, [field]: new LargeSnapshot(isObject(held) ? held : {}, spool, lists) }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
