/** Wire schemas of the control plane. OPERATING.md, "Control plane". */
import { Type, type ArrayOptions } from '@sinclair/typebox'
import { Currency, FreeObject, Instant, Int, named, Nullable, OneOf } from '../../http/schemas/schemas.ts'
import { ReadingChoice, ReadingValues } from './readings.ts'
import { LIMITED_AS_A_WHOLE } from '../../state/storage/shapes.ts'
import { PROGRESSIONS, type Labels } from '../../state/storage/tables.ts'
import { MAX_TTL, MIN_TTL } from '../../state/limits/lifetime.ts'
import { MAX_SOURCE_LENGTH } from './limits.ts'

/** Refuses unknown fields; the error suggests the nearest name. */
export const strict = { additionalProperties: false }

const Timezone = () => Type.String({ format: 'timezone', examples: ['UTC'] })

/** A name chosen by a user: at least one non-blank character. */
const Name = (...examples: string[]) =>
  Type.String({ minLength: 1, maxLength: 200, pattern: '\\S', 'x-wording': 'must not be blank', examples })

const Email = () => Type.String({ format: 'email', examples: ['ana.rios@example.com'] })

// Examples use records of the demo workspace, so that readers can send them unchanged.
export const WorkspaceKey = Type.String({ minLength: 1, examples: ['demo'] })
export const demoUser = { examples: ['demo-user-00000000001'] }
export const key = Type.String({ examples: ['demo-key'] })
export const id = Type.String({ examples: ['demo'] })

export const WorkspaceId = Type.Object({ id })

export const Shard = Type.String({
  description: 'The name of the server among several, from --shard; absent without one.',
  examples: ['s1'],
})

// ---------------------------------------------------------------- workspaces and users

const testCards = Type.Boolean({ description: 'Whether hosted payment pages show the test cards.' })
const cases = Type.Boolean({
  description: 'Whether a caller can choose a fault by its case, with the header X-Sim-Case. Off by default.',
})
const progression = OneOf(PROGRESSIONS, {
  description:
    'When imports, settlements, transcripts and implicit acceptance happen: when the clock reaches their time (clock), at once (immediate), or only by triggers (manual).',
})

const ttl = Type.String({
  maxLength: 40,
  description: `An ISO 8601 duration of real time without calls, from ${MIN_TTL} to ${MAX_TTL}, after which the workspace is deleted. Months and years count from 1 January 1970: P1M is 31 days, P2M 59, P1Y 365. Calls of its interfaces, pages and control calls, and open streams start it again; the list of workspaces does not. Time in which the server is down does not count. Resets keep it.`,
  examples: ['P7D'],
})

const LABEL_NAME = '[A-Za-z0-9][A-Za-z0-9._/-]{0,62}'
const LABEL_VALUE = '[A-Za-z0-9 ._:/@+=,#-]{1,100}'
const MAX_LABELS = 20

const labels = Type.Unsafe<Labels>(
  Type.Record(
    Type.String({ pattern: `^${LABEL_NAME}$` }),
    Type.String({
      pattern: `^${LABEL_VALUE}$`,
      'x-wording': 'must be 1 to 100 letters, digits, spaces or . _ : / @ + = , # -',
    }),
    {
      ...strict,
      'x-names':
        'must have names of 1 to 63 letters, digits, dots, hyphens, underscores or slashes that start with a letter or digit',
      maxProperties: MAX_LABELS,
      description: `Labels by name, at most ${String(MAX_LABELS)}. A name has 1 to 63 letters, digits, dots, hyphens, underscores or slashes, and starts with a letter or digit. A value has 1 to 100 letters, digits, spaces or . _ : / @ + = , # -. Resets keep them.`,
      examples: [{ team: 'checkout' }],
    },
  ),
)

const LABEL = `^${LABEL_NAME}:${LABEL_VALUE}$`
export const IS_LABEL = new RegExp(LABEL)

const labelList = (options: ArrayOptions = {}) =>
  Type.Array(
    Type.String({
      pattern: LABEL,
      examples: ['team:checkout'],
    }),
    {
      minItems: 1,
      maxItems: MAX_LABELS,
      description: 'name:value. May be repeated; the workspaces have all these labels.',
      ...options,
    },
  )

export const WorkspacesQuery = Type.Partial(Type.Object({ label: labelList() }))
export const WorkspacesDeletion = Type.Object({ label: labelList({ examples: [['team:checkout']] }) })
export const DeletedWorkspaces = named(
  'DeletedWorkspaces',
  Type.Object({ count: Type.Integer({ minimum: 0, description: 'The number of deleted workspaces.' }) }),
)

export const Workspace = named(
  'Workspace',
  Type.Object({
    id,
    name: Type.String({ examples: ['Workspace'] }),
    accountId: Type.Integer({ description: 'The id of its account in the conversations interface.' }),
    currency: Currency(),
    timezone: Timezone(),
    modules: Type.Object({ products: Type.Boolean() }),
    plan: Type.Object({ apiAccess: Type.Boolean() }),
    testCards,
    cases,
    progression,
    readings: ReadingValues,
    ttl: Nullable(ttl),
    labels,
    createdAt: Instant(),
  }),
)

export const WorkspaceWithUsage = named(
  'WorkspaceWithUsage',
  Type.Object({
    ...Workspace.properties,
    usage: Type.Object({
      bytes: Type.Integer({
        description:
          'The bytes of its records, its state at creation, its named snapshots and its stored files. A record counts with its texts and 32 bytes. The history (calls, deliveries, e-mails) does not count.',
      }),
      records: Type.Integer({ description: 'The number of its current records.' }),
      storedFileBytes: Type.Integer({
        description: 'The part of bytes that stored files take; equal contents count once.',
      }),
      maxBytes: Type.Integer({ description: 'The limit of bytes: --max-workspace-bytes.' }),
    }),
  }),
)

export const WorkspaceList = Type.Object({ data: Type.Array(Workspace), shard: Type.Optional(Shard) })

export const Reading = named(
  'Reading',
  Type.Object({
    name: Type.String({ examples: ['payments.refund_event'] }),
    title: Type.String(),
    section: Type.String({ description: 'Its section of the specification.' }),
    alternatives: Type.Array(Type.Object({ value: Type.String(), title: Type.String() }), {
      description: 'The default first.',
    }),
    default: Type.String(),
  }),
)

export const User = named(
  'User',
  Type.Object({ id: Type.String(demoUser), name: Name('Ana Ríos'), email: Email() }),
)

export const UserCreate = named('UserCreate', Type.Object({ name: Name('Ana Ríos'), email: Email() }, strict))

/** What ids are drawn from. */
export const idSeed = Type.String({ minLength: 1, maxLength: 100 })

/** The ids of a new workspace; without `fixed`, the seed decides those, too. */
const WorkspaceIds = named(
  'WorkspaceIds',
  Type.Object(
    { seed: idSeed, fixed: Type.Optional(idSeed) },
    {
      ...strict,
      description:
        'What the ids are drawn from, instead of the seed of the server. Workspaces with the same seed, fixtures and calls have the same ids, also if they run at the same time. `fixed` decides the ids that belong to a name; it is that of a recording in a replay, and `seed` by default.',
      examples: [{ seed: 'checkout declines a card' }],
    },
  ),
)

export const SavedFixture = Type.Object(
  {
    workspace: Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'The id of another workspace.',
      examples: ['demo'],
    }),
    snapshot: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'The name of a snapshot of that workspace.',
      examples: ['before-checkout'],
    }),
  },
  strict,
)

export const WorkspaceCreate = named(
  'WorkspaceCreate',
  Type.Object(
    {
      id: Type.Optional(
        Type.String({
          pattern: '^[\\w-]{1,64}$',
          'x-wording': 'must be 1 to 64 letters, digits, hyphens or underscores',
          description: 'The id of the workspace. Defaults to a random one.',
          examples: ['shop'],
        }),
      ),
      key: Type.Optional(
        Type.String({
          pattern: '^[\\w.~-]{1,100}$',
          'x-wording': 'must be 1 to 100 letters, digits, dots, hyphens, underscores or tildes',
          description: 'The key for all interfaces. Defaults to a random one.',
          examples: ['shop-key'],
        }),
      ),
      name: Type.Optional(Name('Checkout tests')),
      fixtures: Type.Optional(
        Type.Unsafe<string | Readonly<Record<string, unknown>>>({
          anyOf: [
            Type.String({ minLength: 1, maxLength: MAX_SOURCE_LENGTH }),
            SavedFixture,
            FreeObject(LIMITED_AS_A_WHOLE),
          ],
          'x-wording':
            'must be "none", "small", "demo", a snapshot, the URL or path of one, or {workspace, snapshot}',
          description:
            'The records that the workspace starts with: none (the default), a few of each kind (small), these and one year of company data (demo), a named snapshot of another workspace, or a snapshot. If the server listens only on this machine, also the URL (http, https, file) or the path of a snapshot, which can be compressed with gzip. A relative path starts in the working directory of the server.',
          examples: ['demo'],
        }),
      ),
      currency: Type.Optional(Currency()),
      timezone: Type.Optional(Timezone()),
      cases: Type.Optional(cases),
      readings: Type.Optional(ReadingChoice),
      ids: Type.Optional(WorkspaceIds),
      ttl: Type.Optional(Nullable(ttl)),
      labels: Type.Optional(Nullable(labels)),
    },
    strict,
  ),
)

export const WorkspaceClone = named(
  'WorkspaceClone',
  Type.Object({ name: Type.Optional(Name('A second shop')) }, strict),
)

export const CreatedWorkspace = named(
  'CreatedWorkspace',
  Type.Object({
    workspace: Workspace,
    user: User,
    key: Type.String({ description: 'A key for all interfaces.' }),
    controlToken: Type.String({
      description: 'A bearer token that opens /_sim/workspaces/{id} and the calls below it, and no others.',
    }),
  }),
)

export const WorkspaceChange = named(
  'WorkspaceChange',
  Type.Partial(
    Type.Object(
      {
        currency: Currency(),
        timezone: Timezone(),
        modules: Type.Partial(Type.Object({ products: Type.Boolean() }, strict)),
        plan: Type.Partial(Type.Object({ apiAccess: Type.Boolean() }, strict)),
        testCards,
        cases,
        progression,
        readings: ReadingChoice,
        ttl: Nullable(ttl),
        labels: Nullable(labels),
      },
      strict,
    ),
  ),
)

// ---------------------------------------------------------------- state machines and triggers

const Fidelity = Type.Object({
  status: OneOf(['documented', 'assumed']),
  why: Type.Optional(Type.String()),
})

export const StateMachine = named(
  'StateMachine',
  Type.Object({
    name: Type.String({ examples: ['catalog.activity'] }),
    title: Type.String(),
    states: Type.Array(Type.String()),
    initial: Type.Array(Type.String(), {
      description: 'The states in which a record can be created, default first.',
    }),
    moves: Type.Array(
      Type.Object({
        name: Type.String(),
        from: Type.Array(Type.String()),
        under: Type.Optional(
          Type.Object(
            { reading: Type.String(), is: Type.String(), from: Type.Array(Type.String()) },
            { description: 'The previous states under another reading than the default.' },
          ),
        ),
        to: Type.String(),
        by: Type.String({ description: 'The call, trigger or job that makes the move.' }),
        emits: Type.Optional(Type.String()),
        settledIn: Type.Optional(
          Type.Array(Type.String(), {
            description: 'States in which the move succeeds without a change.',
          }),
        ),
        fidelity: Fidelity,
      }),
    ),
    diagram: Type.String({ description: 'A Mermaid state diagram.' }),
  }),
)

export const MachineName = Type.Object({ name: Type.String({ examples: ['catalog.activity'] }) })

export const TriggerDescription = named(
  'Trigger',
  Type.Object({
    name: Type.String({ examples: ['pos.event.emit'] }),
    summary: Type.String(),
    body: FreeObject({ description: 'JSON Schema of the request body.' }),
    result: FreeObject({ description: 'JSON Schema of the response body.' }),
    fidelity: Fidelity,
  }),
)

export const TriggerParameters = Type.Object({ id, name: Type.String({ examples: ['pos.event.emit'] }) })

export const DocumentName = Type.Object({ interface: Type.String({ examples: ['catalog'] }) })

// ---------------------------------------------------------------- waiting

/** The maximum number of entries in one response of a list with `wait`. */
const MAX_COUNT = 1000
export const waitQuery = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_COUNT,
      description: 'The maximum number of entries. Defaults to 25, or to count if that is larger.',
    }),
  ),
  wait: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 300,
      description: 'The maximum number of seconds to wait for count matching entries.',
    }),
  ),
  count: Type.Optional(
    Int({
      minimum: 1,
      maximum: MAX_COUNT,
      description: 'The number of matching entries to wait for. Defaults to 1.',
    }),
  ),
}
