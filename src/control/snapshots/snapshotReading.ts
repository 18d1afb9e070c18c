/** Parses bodies that contain a snapshot. Small ones are parsed in memory. Records of large ones go to a temporary file. */
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { parseJson } from '../../http/server/json.ts'
import { textOf } from '../../http/server/utf8.ts'
import type { RecordSet } from '../../state/storage/records/records.ts'
import { Refusal } from '../../state/model/refusal.ts'
import type { Row } from '../../state/storage/records/replaceRecords.ts'
import { Slices } from '../../state/model/slices.ts'
import { MAX_SNAPSHOT_BYTES } from './snapshot.ts'
import { Splitter, type List } from './snapshotSplitting.ts'
import { Spool } from './spool.ts'

/** The maximum size of a body that is parsed in memory, in bytes. */
const MAX_IN_MEMORY = 128 * 1024

/** The number of bytes to scan before the next check of the time slice. */
const PART_BYTES = 64 * 1024

/** A snapshot whose records are in a temporary file. Not validated. */
export class LargeSnapshot {
  /** The snapshot without records. Each list has one mark with its number instead. */
  readonly rest: Readonly<Record<string, unknown>>
  readonly #spool: Spool
  readonly #lists: readonly List[]

  constructor(rest: Readonly<Record<string, unknown>>, spool: Spool, lists: readonly List[]) {
    this.rest = rest
    this.#spool = spool
    this.#lists = lists
  }

  /** Yields the records of a set, unchanged. */
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

/** Makes the routes of a scope accept snapshots. `field` is the body field with the snapshot; null for the whole body. */
export function acceptSnapshots(scope: FastifyInstance, field: string | null): void {
  const largeBodies = new WeakMap<FastifyRequest, LargeSnapshot>()
  scope.removeContentTypeParser('application/json')
  scope.addContentTypeParser('application/json', async (request: FastifyRequest, stream: Readable) => {
    // An iterator that destroys the stream would close the connection before the response.
    const body = await readSnapshot(stream.iterator({ destroyOnReturn: false }), field)
    const large = field === null ? body : (body as Record<string, unknown> | null | undefined)?.[field]
    if (large instanceof LargeSnapshot) largeBodies.set(request, large)
    return body
  })
  // `onResponse` may not run if the client has disconnected.
  scope.addHook('onSend', async (request) => {
    await largeBodies.get(request)?.close()
  })
}

/** Returns the parsed body of a request or file. A large snapshot in it becomes a LargeSnapshot. */
export async function readSnapshot(stream: AsyncIterable<Buffer>, field: string | null): Promise<unknown> {
  const buffered: Buffer[] = []
  let bytes = 0
  let splitting: { readonly spool: Spool; readonly splitter: Splitter } | null = null
  const slices = new Slices()
  try {
    for await (const chunk of stream) {
      bytes += chunk.length
      if (bytes > MAX_SNAPSHOT_BYTES)
        throw new Refusal('too_large', 'The body is larger than this operation accepts.')
      for (let at = 0; at < chunk.length; at += PART_BYTES) buffered.push(chunk.subarray(at, at + PART_BYTES))
      if (bytes <= MAX_IN_MEMORY) continue
      if (splitting === null) {
        const spool = await Spool.open()
        splitting = { spool, splitter: new Splitter(spool, field === null ? 2 : 3) }
      }
      for (const part of buffered.splice(0)) {
        await splitting.splitter.take(part)
        if (slices.isOver) await slices.turn()
      }
    }
    if (splitting === null) return parseJson(textOf(Buffer.concat(buffered), 'The body'))
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
  const value = body[field]
  return { ...body, [field]: new LargeSnapshot(isObject(value) ? value : {}, spool, lists) }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
