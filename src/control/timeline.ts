/** The story of a workspace, read from its end or as it happens. OPERATING.md, "Control plane". */
import type { FastifyRequest, FastifyReply } from 'fastify'
import { Type } from '@sinclair/typebox'
import type { Resource } from '../http/definition.ts'
import { refuse } from '../state/refusal.ts'
import {
  isCallEntry,
  timelinesOf,
  timelineOf,
  type Call,
  type Step,
  type Timeline,
} from '../state/timeline.ts'
import type { Workspace } from '../state/workspace.ts'
import { workspaceOf, type ControlContext } from './context.ts'
import { controlOperation, ListOf } from './dialect.ts'
import { TimelineItem, TimelineQuery } from './journalSchemas.ts'
import { WorkspaceId } from './schemas.ts'
import { numberOfTold, requestId, timelineView, toldId } from './timelineViews.ts'

const TAG = 'Journal'

/** Bytes that may wait for somebody who reads a stream; whoever falls behind further is cut off. */
const MAX_UNREAD = 1_048_576

/** Ms between signs of life on a stream on which nothing happens. */
const SIGN_OF_LIFE = 15_000

/** Streams that one workspace has at most. */
const MAX_STREAMS = 50

const StreamQuery = Type.Object({
  wait: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 300,
      description: 'Seconds after which it ends; without end unless it is said.',
      examples: [0.5],
    }),
  ),
})

export const timeline =
  (context: ControlContext): Resource =>
  async (app) => {
    const streams = new Set<() => void>()
    const open = new WeakMap<Workspace, number>()
    app.addHook('preClose', (done) => {
      for (const end of [...streams]) end()
      done()
    })

    app.get(
      '/workspaces/:id/timeline',
      {
        schema: { params: WorkspaceId, querystring: TimelineQuery },
        config: controlOperation(TAG, {
          id: 'getTimeline',
          summary: 'Tell what has happened in a workspace, and why',
          description:
            'Calls, triggers, jobs that fell due, moves of records, events, deliveries and e-mails, the newest first. 1,000 calls and 5,000 others are kept.',
          answers: { 200: ListOf(TimelineItem) },
        }),
      },
      ({ params, query: { kind, limit = 100, before } }) => {
        const story = timelineOf(workspaceOf(context, params))
        const end = before === undefined ? Infinity : numberOfTold(before)
        if (Number.isNaN(end)) refuse('invalid_query', 'before must be the id of something on the timeline')
        const idOf = idsOf(story)
        const data = [...story.calls(), ...story.steps()]
          .filter((told) => told.number < end && (kind === undefined || kindOf(told) === kind))
          .sort((one, other) => other.number - one.number)
          .slice(0, limit)
          .map((told) => timelineView(told, idOf))
        return { data }
      },
    )

    app.get(
      '/workspaces/:id/stream',
      {
        schema: { params: WorkspaceId, querystring: StreamQuery },
        config: controlOperation(TAG, {
          id: 'streamTimeline',
          summary: 'Tell what happens in a workspace as it happens',
          description: `Server-Sent Events: what the timeline gets, each with its kind as event and its id. Last-Event-ID goes on after that one. Whoever has a mebibyte unread is cut off, and so is who opens more than ${String(MAX_STREAMS)}.`,
          answers: { 200: Type.String({ contentMediaType: 'text/event-stream' }) },
          refuses: ['conflict'],
        }),
      },
      (request, reply) => {
        const workspace = workspaceOf(context, request.params)
        const count = open.get(workspace) ?? 0
        if (count >= MAX_STREAMS)
          refuse('conflict', `A workspace has at most ${String(MAX_STREAMS)} streams.`)
        open.set(workspace, count + 1)
        const { wait } = request.query
        const end = streamTo(request, reply, workspace, wait, () => {
          streams.delete(end)
          open.set(workspace, (open.get(workspace) ?? 1) - 1)
        })
        streams.add(end)
        return reply
      },
    )
  }

const kindOf = (told: Call | Step): string => (isCallEntry(told) ? 'request' : told.kind)

/** The id of whatever has a number; what is forgotten, or still under way, was a call. */
function idsOf(story: Timeline): (number: number) => string {
  const steps = new Map(story.steps().map((step) => [step.number, step]))
  return (number) => {
    const step = steps.get(number)
    return step ? toldId(step) : requestId(number)
  }
}

/** Answers with how to end it. */
function streamTo(
  request: FastifyRequest,
  reply: FastifyReply,
  workspace: Workspace,
  seconds: number | undefined,
  ended: () => void,
): () => void {
  const { raw } = reply
  reply.hijack()
  raw.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
  // A number stands for one step for good.
  const ids = new Map<number, string>()
  const idOf = (number: number): string => ids.get(number) ?? idsOf(timelineOf(workspace))(number)
  let isOver = false
  const send = (told: Call | Step): void => {
    if (isOver) return
    const view = timelineView(told, idOf)
    ids.set(told.number, view.id)
    if (ids.size > MAX_CACHED) ids.clear()
    raw.write(`id: ${view.id}\nevent: ${view.kind}\ndata: ${JSON.stringify(view)}\n\n`)
    if (raw.writableLength <= MAX_UNREAD) return
    isOver = true
    raw.destroy()
  }
  raw.write(': the story of the workspace, as it happens\n\n')
  const last = numberOfTold(String(request.headers['last-event-id'] ?? ''))
  if (!Number.isNaN(last)) {
    const story = timelineOf(workspace)
    const missed = [...story.calls(), ...story.steps()].filter(({ number }) => number > last)
    for (const told of missed.sort((one, other) => one.number - other.number)) send(told)
  }
  const stop = timelinesOf(workspace.database).listen(workspace, send)
  const finish = (): void => {
    isOver = true
    clearInterval(signs)
    clearTimeout(over)
    stop()
  }
  // What was asked before on the same connection may still be answered: then this one is closed long after its end.
  const end = (): void => {
    finish()
    raw.end()
  }
  const signs = setInterval(() => {
    if (workspace.registry.find(workspace.id) !== workspace) end()
    else if (!isOver) raw.write(': \n\n')
  }, SIGN_OF_LIFE).unref()
  const over = seconds === undefined ? undefined : setTimeout(end, seconds * 1000).unref()
  raw.once('close', () => {
    finish()
    ended()
  })
  return end
}

/** Ids of a stream that causes are named by without looking them up. */
const MAX_CACHED = 10_000
