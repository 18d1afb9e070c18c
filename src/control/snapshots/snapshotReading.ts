/** Parses bodies that contain a snapshot. Its records go to a spool, so that a large snapshot never is in memory as a whole. */
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { mustBeUtf8, parseJson, textOf } from '../../http/server/json.ts'
import type { RecordSet } from '../../state/storage/records/records.ts'
import { Refusal } from '../../state/model/refusal.ts'
import type { Row } from '../../state/storage/records/replaceRecords.ts'
import { Slices } from '../../state/model/slices.ts'
import { MAX_SNAPSHOT_BYTES } from './snapshot.ts'
import { Splitter, type List } from './snapshotSplitting.ts'
import { Spool } from './spool.ts'

/** The number of bytes to scan before the next check of the time slice. */
const PART_BYTES = 64 * 1024

/** A snapshot from a request or file. Not validated. */
export class ReceivedSnapshot {
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
  const received = new WeakMap<FastifyRequest, ReceivedSnapshot>()
  scope.removeContentTypeParser('application/json')
  scope.addContentTypeParser('application/json', async (request: FastifyRequest, stream: Readable) => {
    mustBeUtf8(request)
    // An iterator that destroys the stream would close the connection before the response.
    const body = await readSnapshot(stream.iterator({ destroyOnReturn: false }), field)
    const snapshot = field === null ? body : (body as Record<string, unknown> | null | undefined)?.[field]
    if (snapshot instanceof ReceivedSnapshot) received.set(request, snapshot)
    return body
  })
  // `onResponse` may not run if the client has disconnected.
  scope.addHook('onSend', async (request) => {
    await received.get(request)?.close()
  })
}

/** Returns the parsed body of a request or file. A snapshot in it becomes a ReceivedSnapshot. */
export async function readSnapshot(stream: AsyncIterable<Buffer>, field: string | null): Promise<unknown> {
  const spool = new Spool()
  const splitter = new Splitter(spool, field === null ? 2 : 3)
  const slices = new Slices()
  let bytes = 0
  try {
    for await (const chunk of stream) {
      bytes += chunk.length
      if (bytes > MAX_SNAPSHOT_BYTES)
        throw new Refusal('too_large', 'The body is larger than this operation accepts.')
      for (let at = 0; at < chunk.length; at += PART_BYTES) {
        await splitter.take(chunk.subarray(at, at + PART_BYTES))
        if (slices.isOver) await slices.turn()
      }
    }
    const body = parseJson(textOf(splitter.rest, 'The body'))
    const snapshot = field !== null && isObject(body) ? body[field] : body
    if (!isObject(snapshot)) {
      await spool.close()
      return body
    }
    const received = new ReceivedSnapshot(snapshot, spool, splitter.lists)
    return field === null ? received : { ...(body as object), [field]: received }
  } catch (error) {
    await spool.close()
    throw error
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
