/** Health checks. They need no token, because load balancers and container platforms call them without one. */
import { Type } from '@sinclair/typebox'
import { monotonicNow } from '@suite-sim/kit/time/machineClock'
import { Instant, named, Nullable } from '../../http/schemas/schemas.ts'
import { refuse } from '../../state/model/refusal.ts'
import { DATA_FORMAT } from '../../state/storage/database/database.ts'
import { controlRoutesOf, type ControlResource } from '../shared/dialect.ts'
import { Shard } from '../shared/schemas.ts'
import { unavailableBecause } from './readiness.ts'

const Health = named(
  'Health',
  Type.Object({
    status: Type.Literal('ok'),
    version: Type.String({ examples: ['0.2.0'] }),
    revision: Nullable(
      Type.String({
        description: 'The git commit of the program; with "-dirty" if it has other changes. null if unknown.',
        examples: ['6f1ed002ab5595859014ebf0951522d9c1d8f5a7'],
      }),
    ),
    builtAt: Type.Optional(
      Instant({
        description: 'The time of that commit, or SOURCE_DATE_EPOCH of the build. Absent if unknown.',
      }),
    ),
    format: Type.Integer({ minimum: 1, description: 'The format of the database file.', examples: [1] }),
    uptimeSeconds: Type.Integer({ minimum: 0 }),
    shard: Type.Optional(Shard),
  }),
)

const READINESS =
  'Responds with 503 and the reason while the database cannot be used (full disk, damaged file), webhook deliveries make no progress, the files of --init run, or the server is stopping.'

export const health: ControlResource = async (app, context) => {
  const { version, revision, builtAt } = context.build
  const { shard } = context.workspaces
  const ok = () => ({
    status: 'ok' as const,
    version,
    revision,
    ...(builtAt !== null && { builtAt }),
    format: DATA_FORMAT,
    uptimeSeconds: Math.floor((monotonicNow() - context.startedAt) / 1000),
    ...(shard !== null && { shard }),
  })
  const readiness = () => {
    const reason = unavailableBecause(context)
    return reason === null ? ok() : refuse('unavailable', reason)
  }

  const at = controlRoutesOf(app, 'Server')

  at('/health/live').get({
    id: 'getLiveness',
    summary: 'Check that the process is alive',
    description: 'Responds with 200 even if the database or the deliveries fail. Use it as a liveness probe.',
    open: true,
    answers: { 200: Health },
    run: ok,
  })

  at('/health/ready').get({
    id: 'getReadiness',
    summary: 'Check that the server is ready for use, as a readiness probe',
    description: READINESS,
    open: true,
    answers: { 200: Health },
    run: readiness,
  })

  at('/health').get({
    id: 'getHealth',
    summary: 'Check that the server is ready for use',
    description: `${READINESS} The same as /health/ready.`,
    open: true,
    answers: { 200: Health },
    run: readiness,
  })
}
