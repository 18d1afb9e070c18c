/** Operations on the timeline of a workspace: list and stream. OPERATING.md, "Control plane". */
import type { FastifyRequest, FastifyReply } from 'fastify'
import { Type } from '@sinclair/typebox'
import { REQUEST_ID, requestIdOf } from '../../http/server/logging/requestId.ts'
import { refuse } from '../../state/model/refusal.ts'
import { onNotify } from '../../state/timeline/longPoll.ts'
import { timelineOf } from '../../state/timeline/timelines.ts'
import { isCallEntry, type Call } from '../../state/timeline/timeline.ts'
import type { Step } from '../../state/timeline/timelineShapes.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { controlRoutesOf, ListOf, type ControlResource } from '../shared/dialect.ts'
import { TimelineItem, TimelineQuery } from './journalSchemas.ts'
import { WorkspaceId } from '../shared/schemas.ts'
import { entryNumberOf, followTimeline, idsOf, timelineView } from './timelineViews.ts'

/** The maximum number of unsent bytes of a stream. A client that falls further behind is disconnected. */
const MAX_UNSENT = 1_048_576

/** Milliseconds between keep-alive comments on a stream. */
const KEEP_ALIVE_MS = 15_000

/** The maximum number of streams of one workspace. */
const MAX_STREAMS = 50

const StreamQuery = Type.Object({
  wait: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 300,
      description: 'The number of seconds after which the stream ends. Defaults to never.',
      examples: [0.5],
    }),
  ),
})

export const timeline: ControlResource = async (app) => {
  const streams = new Set<() => void>()
  const open = new WeakMap<Workspace, number>()
  app.addHook('preClose', (done) => {
    for (const end of [...streams]) end()
    done()
  })

  const at = controlRoutesOf(app, 'Journal')

  at('/workspaces/:id/timeline', { params: WorkspaceId }).get({
    id: 'getTimeline',
    summary: 'List timeline entries with their causes',
    description:
      'Returns calls, triggers, jobs, transitions of records, events, deliveries and e-mails, newest first. The timeline has the last 1,000 calls and the last 5,000 other entries.',
    query: TimelineQuery,
    answers: { 200: ListOf(TimelineItem) },
    run({ target, query: { kind, limit = 100, before } }) {
      const history = timelineOf(target)
      const end = before === undefined ? Infinity : entryNumberOf(before)
      if (Number.isNaN(end)) refuse('invalid_query', 'before must be the id of a timeline entry')
      const idOf = idsOf(history)
      const data = [...history.calls(), ...history.steps()]
        .filter((entry) => entry.number < end && (kind === undefined || kindOf(entry) === kind))
        .sort((one, other) => other.number - one.number)
        .slice(0, limit)
        .map((entry) => timelineView(entry, idOf))
      return { data }
    },
  })

  at('/workspaces/:id/stream', { params: WorkspaceId }).get({
    id: 'streamTimeline',
    summary: 'Stream timeline entries as they occur',
    description: `Sends each new timeline entry as a Server-Sent Event with its kind and id. To resume after an entry, send its id in Last-Event-ID. A client with more than 1 MiB of unread data is disconnected. A workspace has at most ${String(MAX_STREAMS)} streams.`,
    query: StreamQuery,
    answers: { 200: Type.String({ contentMediaType: 'text/event-stream' }) },
    refuses: ['conflict'],
    run(request, reply) {
      const workspace = request.target
      const count = open.get(workspace) ?? 0
      if (count >= MAX_STREAMS) refuse('conflict', `A workspace has at most ${String(MAX_STREAMS)} streams.`)
      open.set(workspace, count + 1)
      // A stream has no end for which a HEAD could wait.
      const wait = request.method === 'HEAD' ? 0 : request.query.wait
      const end = streamTo(request, reply, workspace, wait, () => {
        streams.delete(end)
        open.set(workspace, (open.get(workspace) ?? 1) - 1)
      })
      streams.add(end)
      return reply
    },
  })
}

const kindOf = (entry: Call | Step): string => (isCallEntry(entry) ? 'request' : entry.kind)

/** Streams the timeline to a client. Returns a function that ends the stream. */
function streamTo(
  request: FastifyRequest,
  reply: FastifyReply,
  workspace: Workspace,
  seconds: number | undefined,
  onEnd: () => void,
): () => void {
  const { raw } = reply
  reply.hijack()
  raw.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    [REQUEST_ID]: requestIdOf(request),
  })
  let isOver = false
  raw.write(': timeline of the workspace\n\n')
  const stop = followTimeline(workspace, String(request.headers['last-event-id'] ?? ''), (view) => {
    if (isOver) return
    raw.write(`id: ${view.id}\nevent: ${view.kind}\ndata: ${JSON.stringify(view)}\n\n`)
    if (raw.writableLength <= MAX_UNSENT) return
    isOver = true
    raw.destroy()
  })
  const finish = (): void => {
    isOver = true
    clearInterval(keepAlive)
    clearTimeout(timeout)
    stop()
    unwatch()
  }
  // With pipelining, earlier responses on the connection may delay `close`, so the stream stops sending here.
  const end = (): void => {
    finish()
    raw.end()
  }
  // A deleted workspace notifies all waits.
  const unwatch = onNotify(workspace, 'emails', () => {
    if (!workspace.isRegistered) end()
  })
  const keepAlive = setInterval(() => {
    if (!isOver) {
      raw.write(': \n\n')
      // Counts for a ttl that was set after the stream was opened.
      workspace.lifetime.touch()
    }
  }, KEEP_ALIVE_MS).unref()
  const timeout = seconds === undefined ? undefined : setTimeout(end, seconds * 1000).unref()
  raw.once('close', () => {
    finish()
    onEnd()
  })
  return end
}
