/** Coverage of a test run: operations called, transitions made, events sent. OPERATING.md, "Control plane". */
import { Type, type Static } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import { named, OneOf } from '../../http/schemas/schemas.ts'
import { timelinesOf, timelineOf } from '../../state/timeline/timelines.ts'
import type { Totals } from '../../state/timeline/totals.ts'
import type { ControlContext } from '../shared/context.ts'
import { controlRoutesOf, type ControlResource } from '../shared/dialect.ts'
import { WorkspaceId } from '../shared/schemas.ts'

const Share = Type.Object({ met: Type.Integer(), of: Type.Integer() })

const Coverage = named(
  'Coverage',
  Type.Object({
    summary: Type.Object({ operations: Share, transitions: Share, events: Share }),
    operations: Type.Array(
      Type.Object({
        interface: Type.String(),
        operation: Type.String(),
        calls: Type.Integer(),
        statuses: Type.Record(Type.String(), Type.Integer(), { examples: [{ '200': 3, '404': 1 }] }),
      }),
    ),
    transitions: Type.Array(
      Type.Object({
        machine: Type.String(),
        move: Type.String(),
        from: Type.String(),
        to: Type.String(),
        count: Type.Integer(),
      }),
    ),
    events: Type.Array(
      Type.Object({ interface: Type.String(), event: Type.String(), count: Type.Integer() }),
    ),
  }),
)

const FormatQuery = Type.Object({ format: Type.Optional(OneOf(['json', 'text', 'mermaid'])) })

export const coverage: ControlResource = async (app, context) => {
  const described = {
    description:
      'Entries with a count of zero are included. format=text returns a table. format=mermaid returns a state diagram for each state machine that marks the moves that were never made.',
    answers: { 200: Coverage },
    files: ['text/plain', 'text/vnd.mermaid'],
  }

  const at = controlRoutesOf(app, 'Coverage')

  at('/workspaces/:id/coverage', { params: WorkspaceId }).get({
    id: 'getCoverage',
    summary: 'Get the coverage of a workspace',
    ...described,
    query: FormatQuery,
    run: async ({ target, query }, reply) =>
      inFormat(reply, query.format, await coverageOf(context, timelineOf(target).totals), context),
  })

  at('/coverage').get({
    id: 'getServerCoverage',
    summary: 'Get the coverage of all workspaces since the server started',
    ...described,
    query: FormatQuery,
    async run({ query }, reply) {
      const { totals } = timelinesOf(context.workspaces.database)
      return inFormat(reply, query.format, await coverageOf(context, totals), context)
    },
  })
}

type CoverageView = Static<typeof Coverage>

async function coverageOf({ allPublished, machines }: ControlContext, totals: Totals): Promise<CoverageView> {
  const all = await allPublished()
  const calls = new Map<string, Record<string, number>>()
  for (const [[of = '', operation = '', status = ''], count] of totals.of('call')) {
    const key = `${of} ${operation}`
    calls.set(key, { ...calls.get(key), [status]: count })
  }
  const counts = (kind: string): Map<string, number> =>
    new Map([...totals.of(kind)].map(([names, count]) => [names.join(' '), count]))
  const moved = counts('move')
  const sent = counts('event')
  const operations = all.flatMap(({ routes }) =>
    routes.map(({ interface: of, operation: { id } }) => {
      const statuses = calls.get(`${of} ${id}`) ?? {}
      return {
        interface: of,
        operation: id,
        calls: Object.values(statuses).reduce((sum, count) => sum + count, 0),
        statuses,
      }
    }),
  )
  const transitions = machines.flatMap(({ name, moves }) =>
    Object.entries(moves).flatMap(([move, { from, to }]) =>
      from.map((each) => ({
        machine: name,
        move,
        from: each,
        to,
        count: moved.get(`${name} ${move} ${each} ${to}`) ?? 0,
      })),
    ),
  )
  const events = all.flatMap(({ definition: { name, events: known = [] } }) =>
    known.map((event) => ({
      interface: name,
      event: event.name,
      count: sent.get(`${name} ${event.name}`) ?? 0,
    })),
  )
  return {
    summary: {
      operations: share(operations.map((each) => each.calls)),
      transitions: share(transitions.map((each) => each.count)),
      events: share(events.map((each) => each.count)),
    },
    operations,
    transitions,
    events,
  }
}

const share = (counts: readonly number[]) => ({
  met: counts.filter((count) => count > 0).length,
  of: counts.length,
})

function inFormat(
  reply: FastifyReply,
  format: 'json' | 'text' | 'mermaid' | undefined,
  view: CoverageView,
  { machines }: ControlContext,
): CoverageView {
  if (format === 'text') {
    reply.type('text/plain; charset=utf-8')
    return asText(view) as never
  }
  if (format === 'mermaid') {
    reply.type('text/vnd.mermaid; charset=utf-8')
    return machines.map(({ name, initial }) => asMermaid(name, initial, view)).join('\n') as never
  }
  return view
}

function asText({ summary, operations, transitions, events }: CoverageView): string {
  const rows = [
    ...operations.map(({ interface: of, operation, calls, statuses }) => [
      `${of} ${operation}`,
      String(calls),
      Object.entries(statuses)
        .map(([status, count]) => `${status}: ${String(count)}`)
        .join(', '),
    ]),
    ...transitions.map(({ machine, move, from, to, count }) => [
      `${machine} ${move}`,
      String(count),
      `${from} to ${to}`,
    ]),
    ...events.map(({ interface: of, event, count }) => [`${of} ${event}`, String(count), 'event']),
  ]
  const width = Math.max(...rows.map(([first = '']) => first.length))
  const heads = Object.entries(summary).map(
    ([name, { met, of }]) => `${name}: ${String(met)} of ${String(of)}`,
  )
  const lines = rows.map(([name = '', count = '', rest = '']) =>
    `${name.padEnd(width)}  ${count.padStart(6)}  ${rest}`.trimEnd(),
  )
  return `${[...heads, '', ...lines].join('\n')}\n`
}

function asMermaid(name: string, initial: readonly string[], { transitions }: CoverageView): string {
  const moves = transitions.filter(({ machine }) => machine === name)
  const visited = new Set(moves.filter(({ count }) => count > 0).flatMap(({ from, to }) => [from, to]))
  const states = new Set([...initial, ...moves.flatMap(({ from, to }) => [from, to])])
  const unvisited = [...states].filter((state) => !visited.has(state))
  return `${[
    `%% ${name}`,
    'stateDiagram-v2',
    '  classDef never stroke-dasharray: 5 5,opacity: 0.5',
    ...initial.map((state) => `  [*] --> ${state}`),
    ...moves.map(
      ({ move, from, to, count }) =>
        `  ${from} --> ${to}: ${move} (${count === 0 ? 'never' : String(count)})`,
    ),
    ...unvisited.map((state) => `  class ${state} never`),
  ].join('\n')}\n`
}
