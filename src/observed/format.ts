/**
 * The overlay file (`suite-simulator-observed/1`): what `verify` measured on the real service, as a closed list of kinds.
 * `verify` writes it, and `serve --observed FILE` follows it (docs/VERIFY.md).
 */
import { Type, type Static, type TObject, type TSchema } from '@sinclair/typebox'
import { closed } from '../http/schemas/closedSchemas.ts'
import { Int, OneOf } from '../http/schemas/schemas.ts'
import { INTERFACE_NAMES } from '@suite-sim/kit/interfaceNames'

export const OBSERVED_FORMAT = 'suite-simulator-observed/1'

/** Days after `observedAt` from which an entry is no longer followed. */
export const EXPIRES_AFTER_DAYS = 180

/** Maximum bytes of a file. */
export const MAX_OVERLAY_BYTES = 4 * 1024 * 1024

/** Maximum number of entries in a file. */
export const MAX_ENTRIES = 1000

/** Maximum number of names in a path. */
export const MAX_PATH_NAMES = 16

/** Maximum characters of a value as JSON. */
const MAX_VALUE = 2000

/** Maximum characters of all constants of an interface, because each record gets them. */
export const MAX_CONSTANTS = 32_768

/** Maximum characters of all headers of an interface: clients refuse answers with more than 16 KiB of headers. */
export const MAX_HEADERS = 8192

// A place in an answer. `*` is each item of a list or each value of a map; `~1` is a slash in a name, `~0` a tilde.
const Path = Type.String({
  maxLength: 500,
  pattern: '^(/[^/]+)+$',
  'x-wording': 'must be a path of names, such as /data/*/legacy_id',
})

const Name = Type.String({ minLength: 1, maxLength: 200 })
const OperationId = Type.String({ minLength: 1, maxLength: 100, description: 'The `operationId`.' })
const Operations = Type.Array(OperationId, { minItems: 1, maxItems: 300 })
const Value = Type.Unknown({ 'x-max-size': MAX_VALUE })
const Status = Int({ minimum: 400, maximum: 599 })

const text = { type: 'string' } as const

/** The kinds of values that are made up for an extra field, and the schema of each. The same record has the same value. */
export const SHAPES = {
  string: text,
  uuid: { ...text, format: 'uuid' },
  'date-time': { ...text, format: 'date-time' },
  date: { ...text, format: 'date' },
  email: { ...text, format: 'email' },
  uri: { ...text, format: 'uri' },
  integer: { type: 'integer' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  object: { type: 'object' },
  array: { type: 'array', items: {} },
  null: { type: 'null' },
} as const satisfies Readonly<Record<string, object>>

export type ShapeName = keyof typeof SHAPES

/** The source of an extra field: the same value everywhere, the value of another place, or a value that is made up. */
export const Source = Type.Union(
  [
    Type.Object({ constant: Value }),
    Type.Object({ copy: Path }),
    Type.Object({ shape: OneOf(Object.keys(SHAPES) as ShapeName[]) }),
  ],
  { 'x-wording': 'must be {"constant": value}, {"copy": "/path"} or {"shape": "uuid"}' },
)
export type Source = Static<typeof Source>

/** A change of an error body. `remove` leaves the field out. */
export const Patch = Type.Object({
  path: Path,
  value: Type.Optional(Value),
  remove: Type.Optional(Type.Literal(true)),
})
export type Patch = Static<typeof Patch>

/** One answer of the service, redacted. */
export const Evidence = Type.Object({
  request: Type.String({ minLength: 1, maxLength: 2000, description: '"GET /pay/v1/payment-links?limit=1"' }),
  status: Int({ minimum: 100, maximum: 599 }),
  excerpt: Type.String({ maxLength: 4000, description: 'The part of the answer that shows it.' }),
})
export type Evidence = Static<typeof Evidence>

const FIDELITIES = ['documented', 'assumed'] as const

/** What entries of all kinds have. */
const Common = {
  interface: OneOf(INTERFACE_NAMES),
  claim: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'The fact of docs/FIDELITY.md that it contradicts: "field Link.amount".',
    }),
  ),
  fidelity: Type.Optional(OneOf(FIDELITIES, { description: 'The label of the claim.' })),
  observedAt: Type.String({ format: 'date-time' }),
  samples: Type.Object({
    deviating: Int({ minimum: 1, maximum: 1_000_000_000 }),
    total: Int({ minimum: 1, maximum: 1_000_000_000 }),
  }),
  evidence: Type.Array(Evidence, { minItems: 1, maxItems: 20 }),
}

/** The fields of each kind in addition to the common ones. */
const OF_KIND = {
  /** The status and the body of a refusal. `when` is what the simulator answers. */
  refusal: {
    operation: Type.Optional(OperationId),
    when: Type.Object({ status: Status, code: Type.Optional(Name) }),
    status: Type.Optional(Status),
    body: Type.Optional(Type.Array(Patch, { minItems: 1, maxItems: 50 })),
  },
  /** An extra field of answers, in operations or in every answer with a schema of the OpenAPI document. */
  field: {
    operations: Type.Optional(Operations),
    component: Type.Optional(Name),
    path: Path,
    source: Source,
  },
  /** How a place looks without a value; the simulator sends it in another form. */
  nullability: {
    operations: Type.Optional(Operations),
    component: Type.Optional(Name),
    path: Path,
    is: OneOf(['null', 'absent', 'empty']),
  },
  /** The default order of a list. */
  order: {
    operation: OperationId,
    sort: Type.Array(Type.Object({ field: Name, direction: OneOf(['asc', 'desc']) }), {
      minItems: 1,
      maxItems: 5,
    }),
  },
  /** The default size of a page, and the largest that can be asked for; of all lists without `operation`. */
  page: {
    operation: Type.Optional(OperationId),
    default: Type.Optional(Int({ minimum: 1, maximum: 10_000 })),
    maximum: Type.Optional(Int({ minimum: 1, maximum: 10_000 })),
  },
  /** A header of answers; of all operations without `operation`. */
  header: {
    operation: Type.Optional(OperationId),
    name: Type.String({
      maxLength: 100,
      pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$",
      'x-wording': 'must be the name of a header',
    }),
    value: Type.String({
      maxLength: 1000,
      pattern: '^[\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?$',
      'x-wording': 'must be printable ASCII without spaces around it',
    }),
  },
  /** The form of times (`fraction` and `zone`) or of decimal numbers (`decimals`, with `path`). */
  precision: {
    operations: Type.Optional(Operations),
    path: Type.Optional(Path),
    fraction: Type.Optional(Type.Unsafe<0 | 3 | 6>({ type: 'integer', enum: [0, 3, 6] })),
    zone: Type.Optional(OneOf(['Z', '+00:00'])),
    decimals: Type.Optional(Int({ minimum: 0, maximum: 6 })),
  },
  /** The calls that a key may make in a window; of the whole interface without `operation`. */
  rateLimit: {
    operation: Type.Optional(OperationId),
    limit: Int({ minimum: 1, maximum: 1_000_000 }),
    windowSeconds: Int({ minimum: 1, maximum: 86_400 }),
  },
  /** An extra field of the data of an event. The path begins in `data`. */
  eventField: { event: Name, path: Path, source: Source },
  /** The value of a reading (`GET /_sim/readings`). */
  reading: { name: Name, value: Name },
} as const

export type Kind = keyof typeof OF_KIND

export const KINDS = Object.keys(OF_KIND) as readonly Kind[]

const entryOf = (kind: Kind): TSchema =>
  closed(Type.Object({ kind: Type.Literal(kind), ...Common, ...OF_KIND[kind] }))

/** The schema of an entry of each kind; unknown fields are refused. */
export const ENTRY_OF_KIND = Object.fromEntries(KINDS.map((kind) => [kind, entryOf(kind)])) as Readonly<
  Record<Kind, TSchema>
>

/** An entry of one kind. */
export type EntryOf<Name extends Kind> = { readonly kind: Name } & Static<TObject<typeof Common>> &
  Static<TObject<(typeof OF_KIND)[Name]>>

export type Entry = { [Each in Kind]: EntryOf<Each> }[Kind]

/** The file without its entries. */
export const OverlayHead = closed(
  Type.Object({
    format: Type.Literal(OBSERVED_FORMAT),
    measured: Type.Object({
      target: Type.String({ maxLength: 2000, description: 'The base URL of the service.' }),
      at: Type.String({ format: 'date-time' }),
      simulator: Type.String({ maxLength: 100, description: 'The version that measured.' }),
    }),
  }),
)

export type Overlay = Static<typeof OverlayHead> & { readonly entries: readonly Entry[] }
