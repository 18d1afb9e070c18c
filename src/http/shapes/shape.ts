/**
 * The wire shape of a record. From the columns of its table and a few words for each field come the schemas of
 * responses and of request bodies, the conversion of a body to columns, the JSON text, and the data of its events.
 *
 * A field has its name on the wire; its column is the same name in camelCase. Type, bounds and whether it can be null
 * follow from the column (`state/storage/columns.ts`).
 */
import {
  Type,
  type SchemaOptions,
  type Static,
  type TProperties,
  type TSchema,
  type TUnsafe,
} from '@sinclair/typebox'
import { getTableColumns, type InferSelectModel } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { instantOf, lastInstantOf } from '@suite-sim/kit/time/instants'
import { meaningOf } from '../../state/storage/columns.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { Assumed, Instant, named, Nullable, SentEnd, SentInstant } from '../schemas/schemas.ts'
import {
  computed,
  computedFrom,
  fieldRendering,
  fieldViews,
  instant,
  unlessNull,
  type ComputedField,
  type Fields,
  type Lookup,
} from './fields.ts'
import type { Rendering } from './renderings.ts'

/** Which request bodies have the field. */
type Sent = 'create' | 'update' | 'both'

/** A field with its own column. */
interface ColumnField {
  /** The schema in responses and bodies, in place of that of the column. Whether it can be null follows from the column. */
  readonly schema?: TSchema
  /** The schema in bodies, if it differs. */
  readonly body?: TSchema
  /** Additions to the schema of the column: description, examples. */
  readonly words?: SchemaOptions
  /** Additions in responses alone. */
  readonly shows?: SchemaOptions
  /** Additions in bodies alone. */
  readonly takes?: SchemaOptions
  /** Whether responses publish the bounds of the column, too. Bodies always do. */
  readonly bounded?: true
  /** Responses leave the field out while it is null; there, its schema is optional and not nullable. */
  readonly omitsNull?: true
  /** A time that ends something: in bodies, a date is the end of its day. */
  readonly isEnd?: true
  /** Bodies refuse null, although the column can be null. */
  readonly refusesNull?: true
  /** Why the field is assumed; the specification shows the others. */
  readonly assumed?: string
  /** The bodies that have it; none by default. */
  readonly sent?: Sent
  /** Whether a body that creates the record must have it. */
  readonly required?: boolean
}

/** A field of responses that is computed from columns. */
interface MadeField<Schema extends TSchema> {
  readonly schema: Schema
  readonly made: ComputedField<unknown>
  /** Responses leave the field out while it is null, or if another shape of the record lacks it. */
  readonly omitsNull?: true
}

/**
 * A computed field that bodies have, too, such as the parts of a record: `{ ...made(…), sent: 'both' }`. The handler
 * reads it.
 */
interface SentMadeField extends MadeField<TSchema> {
  readonly sent: Sent
  /** The schema in bodies, if it differs. */
  readonly body?: TSchema
  readonly required?: boolean
}

/** A field of bodies alone, which the handler reads. */
interface BodyField<Schema extends TSchema, In extends Sent> {
  readonly only: Schema
  readonly sent: In
  readonly required?: boolean
}

type SentField = ColumnField | SentMadeField | BodyField<TSchema, Sent>
type Field = SentField | MadeField<TSchema>
type FieldsOf = Readonly<Record<string, Field>>

/** Returns a field that is computed from columns; `schema` has `Nullable` if the value can be null. */
export const made = <Schema extends TSchema, const Columns extends readonly SQLiteColumn[]>(
  schema: Schema,
  columns: Columns,
  make: Parameters<typeof computed<Columns, Static<Schema>>>[1],
): MadeField<Schema> => ({ schema, made: computed(columns, make) })

/** Returns a field that is computed from what a lookup finds; `schema` has `Nullable` if the value can be null. */
export const madeFrom = <Schema extends TSchema, const Columns extends readonly SQLiteColumn[], Found>(
  schema: Schema,
  lookup: Lookup<Columns, Found>,
  make: (found: Found, workspace: Workspace) => Static<Schema>,
): MadeField<Schema> => ({ schema, made: computedFrom(lookup, make) })

/** Returns a field of bodies alone, which the handler reads. */
export const bodyOnly = <const In extends Sent, Schema extends TSchema>(
  sent: In,
  only: Schema,
): BodyField<Schema, In> => ({ only, sent })

/** The property of a field: `payment_methods` is `paymentMethods`. */
type Property<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<Property<Rest>>}`
  : Name

const propertyOf = (name: string): string =>
  name.replace(/_(\w)/g, (_match, letter: string) => letter.toUpperCase())

type Column<Table extends SQLiteTable, Name> = Table['_']['columns'][Property<Name & string>]

type OrNull<Of extends SQLiteColumn, Value> = Of['_']['notNull'] extends true ? Value : Value | null

/** The value of a column on the wire. */
type Wire<Of extends SQLiteColumn> = OrNull<
  Of,
  Of['_'] extends { readonly isInstant: true } ? string : Of['_']['data']
>

type Value<Table extends SQLiteTable, Name, Of> = Of extends {
  readonly made: unknown
  readonly schema: infer Schema extends TSchema
}
  ? Static<Schema>
  : Of extends { readonly schema: infer Schema extends TSchema }
    ? OrNull<Column<Table, Name>, Static<Schema>>
    : Wire<Column<Table, Name>>

type BodyValue<Table extends SQLiteTable, Name, Of> = Of extends {
  readonly only: infer Schema extends TSchema
}
  ? Static<Schema>
  : Of extends { readonly made: unknown; readonly body: infer Schema extends TSchema }
    ? Static<Schema>
    : Of extends { readonly refusesNull: true }
      ? NonNullable<NullableValue<Table, Name, Of>>
      : NullableValue<Table, Name, Of>

/** The value of a column in bodies, with null if the column can be null. */
type NullableValue<Table extends SQLiteTable, Name, Of> = Of extends {
  readonly body: infer Schema extends TSchema
}
  ? OrNull<Column<Table, Name>, Static<Schema>>
  : Value<Table, Name, Of>

/** A record in responses. */
export type Item<Table extends SQLiteTable, Of> = Flat<
  {
    readonly [
      Name in keyof Of as Of[Name] extends { readonly only: unknown } | OmitsNull ? never : Name
    ]: Value<Table, Name, Of[Name]>
  } & {
    readonly [Name in keyof Of as Of[Name] extends OmitsNull ? Name : never]?: NonNullable<
      Value<Table, Name, Of[Name]>
    >
  }
>

interface OmitsNull {
  readonly omitsNull: true
}

type Flat<Of> = { [Name in keyof Of]: Of[Name] }

type InBody<Of, Kind> = {
  [Name in keyof Of]: Of[Name] extends { readonly sent: Kind | 'both' } ? Name : never
}[keyof Of]

type RequiredIn<Of, Kind> = Kind extends 'create'
  ? { [Name in keyof Of]: Of[Name] extends { readonly required: true } ? Name : never }[keyof Of]
  : never

/** A body that creates or changes a record. */
type Body<Table extends SQLiteTable, Of, Kind> = {
  [Name in InBody<Of, Kind> & RequiredIn<Of, Kind> & PropertyKey]: BodyValue<Table, Name, Of[Name]>
} & {
  [Name in Exclude<InBody<Of, Kind>, RequiredIn<Of, Kind>>]?: BodyValue<Table, Name, Of[Name]>
}

/** The columns that a body sets. */
type Parsed<Table extends SQLiteTable, Of> = {
  -readonly [
    Name in keyof Of as Of[Name] extends { readonly sent: Sent; readonly only?: never; readonly made?: never }
      ? Property<Name & string>
      : never
  ]?: InferSelectModel<Table>[Property<Name & string> & keyof InferSelectModel<Table>]
}

/** Refuses fields without a column. */
type Checked<Table extends SQLiteTable, Of> = {
  readonly [Name in keyof Of]: Of[Name] extends { readonly made: unknown } | { readonly only: unknown }
    ? unknown
    : Property<Name & string> extends keyof Table['_']['columns']
      ? unknown
      : never
}

/** An object schema whose type does not follow from its properties. */
export interface TShape<Value> extends TSchema {
  readonly static: Value
  readonly type: 'object'
  readonly properties: TProperties
}

interface Names {
  /** "Link"; without a name, the documents show the schema where it is used. */
  readonly item?: string
  /** "LinkCreate" */
  readonly create?: string
  readonly update?: string
}

export interface Shape<Table extends SQLiteTable, Of> {
  /** Its fields, for other shapes. */
  readonly fields: () => Of
  /** The schema of a record in responses. */
  readonly item: TShape<Item<Table, Of>>
  /** The schema of a body that creates a record. */
  readonly create: TShape<Body<Table, Of, 'create'>>
  /** The schema of a body that changes a record. */
  readonly update: TShape<Body<Table, Of, 'update'>>
  /** Converts a body to columns: those whose fields were sent. A time without an offset is in the workspace's time zone. */
  // The rule judges the unresolved type.
  // oxlint-disable-next-line typescript/no-generated-empty-object-type
  parse(workspace: Workspace, body: object): Parsed<Table, Of>
  /** Returns a record as in responses, for events. */
  readonly view: (row: InferSelectModel<Table>, workspace: Workspace) => Item<Table, Of>
  /** Returns several records as in responses. */
  readonly views: (rows: readonly InferSelectModel<Table>[], workspace: Workspace) => Item<Table, Of>[]
  /** Returns what writes the JSON text of records. */
  rendering(): Rendering<InferSelectModel<Table>>
}

/** `fields` is called on first use, because a start needs no schema. */
export function shape<Table extends SQLiteTable, const Of extends FieldsOf>(
  names: Names,
  table: Table,
  {
    fields,
    assumed,
    ...options
  }: {
    readonly fields: () => Of & Checked<Table, Of>
    /** Why the shape of responses is assumed; the specification shows the others. */
    readonly assumed?: string
    /** Additions to the schemas of bodies. */
    readonly create?: SchemaOptions
    readonly update?: SchemaOptions
  },
): Shape<Table, Of> {
  const columns: Readonly<Record<string, SQLiteColumn>> = getTableColumns(table)
  const all = once(() =>
    Object.entries<Field>(fields()).map(([name, field]) => ({
      name,
      field,
      column: columns[propertyOf(name)],
    })),
  )
  const name = <Made extends TSchema>(kind: keyof Names, made: Made): never =>
    (names[kind] === undefined ? made : named(names[kind], made)) as never
  const item = once(() => {
    const made = Type.Object(
      Object.fromEntries(
        all().flatMap(({ name, field, column }) => ('only' in field ? [] : [[name, shown(field, column)]])),
      ),
    )
    return name('item', assumed === undefined ? made : Assumed(assumed, made))
  })
  const body = (kind: 'create' | 'update') =>
    once(() => {
      const properties = all().flatMap(({ name, field, column }) =>
        isIn(field, kind) ? [[name, sentSchema(field, column, kind)] as const] : [],
      )
      return name(kind, Type.Object(Object.fromEntries(properties), options[kind]))
    })
  const create = body('create')
  const update = body('update')
  const parsers = once(() =>
    all().flatMap(({ name, field, column }) =>
      column && !('only' in field) && !('made' in field) && 'sent' in field
        ? [{ name, property: propertyOf(name), read: timeReader(field, column) }]
        : [],
    ),
  )
  const written = once(
    () =>
      Object.fromEntries(
        all().flatMap(({ name, field, column }) =>
          'only' in field ? [] : [[name, writtenFrom(field, column)]],
        ),
      ) as Fields<Record<string, unknown>>,
  )
  const views = once(() => fieldViews(table, written()))
  return {
    fields,
    get item() {
      return item()
    },
    get create() {
      return create()
    },
    get update() {
      return update()
    },
    parse(workspace, sent) {
      const values = sent as Readonly<Record<string, unknown>>
      const parsed: Record<string, unknown> = {}
      for (const { name, property, read } of parsers()) {
        const value = values[name]
        if (value === undefined) continue
        parsed[property] = read && value !== null ? read(value as string, workspace) : value
      }
      return parsed
    },
    view: (row, workspace) => views()([row], workspace)[0] as Item<Table, Of>,
    views: (rows, workspace) => views()(rows, workspace) as Item<Table, Of>[],
    rendering: () => fieldRendering(written(), views()),
  }
}

/** Returns the function that parses a sent time; null for other columns. */
const timeReader = ({ isEnd }: ColumnField, column: SQLiteColumn): typeof instantOf | null =>
  meaningOf(column)?.isInstant === true ? (isEnd ? lastInstantOf : instantOf) : null

const isIn = (field: Field, kind: 'create' | 'update'): field is SentField =>
  'sent' in field && (field.sent === kind || field.sent === 'both')

/** The schema of a field in responses. */
function shown(field: ColumnField | MadeField<TSchema>, column: SQLiteColumn | undefined): TSchema {
  if ('made' in field) return field.omitsNull ? Type.Optional(field.schema) : field.schema
  const { schema, words, shows, bounded, omitsNull, assumed } = field
  const made = schema ?? fromColumn(column, Instant, { ...words, ...shows }, bounded)
  const labelled = assumed === undefined ? made : Assumed(assumed, made)
  if (omitsNull) return Type.Optional(labelled)
  return column?.notNull ? labelled : Nullable(labelled)
}

/** The schema of a field in a body. */
function sentSchema(field: SentField, column: SQLiteColumn | undefined, kind: 'create' | 'update'): TSchema {
  const schema =
    'only' in field ? field.only : 'made' in field ? (field.body ?? field.schema) : sentValue(field, column)
  if (kind === 'update') return Type.Optional(schema)
  return field.required ? schema : Type.Optional(withDefault(schema, column))
}

/** Adds the default of the column, which the table sets, so that the documents show it. */
function withDefault(schema: TSchema, column: SQLiteColumn | undefined): TSchema {
  const value: unknown = column?.default
  const isPlain = ['string', 'number', 'boolean'].includes(typeof value)
  return isPlain ? { ...schema, 'x-default': value } : schema
}

function sentValue(field: ColumnField, column: SQLiteColumn | undefined): TSchema {
  const { schema, body = schema, words, takes, assumed, isEnd, refusesNull = false } = field
  const made = body ?? fromColumn(column, isEnd ? SentEnd : SentInstant, { ...words, ...takes }, true)
  const labelled = assumed === undefined ? made : Assumed(assumed, made)
  return column?.notNull || refusesNull ? labelled : Nullable(labelled)
}

const BOUNDS = [
  'minLength',
  'maxLength',
  'pattern',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'minItems',
  'maxItems',
  'uniqueItems',
]

/** The schema of a column with additions; `Time` makes that of an instant. */
function fromColumn(
  column: SQLiteColumn | undefined,
  Time: (words?: SchemaOptions) => TSchema,
  words: SchemaOptions = {},
  bounded = false,
): TSchema {
  const meaning = column && meaningOf(column)
  if (!meaning) throw new Error('a field without a column of `table` needs a schema')
  if (meaning.isInstant) return Time(words)
  const schema = meaning.schema()
  const kept = bounded
    ? schema
    : Object.fromEntries(Object.entries(schema).filter(([key]) => !BOUNDS.includes(key)))
  return { ...kept, ...words } as TSchema
}

/** Returns the schema of a sent value of a column, for bodies that are no shape. */
export const valueOf = <Of extends SQLiteColumn>(
  column: Of,
  words: SchemaOptions = {},
): TUnsafe<NonNullable<Wire<Of>>> => Type.Unsafe(fromColumn(column, SentInstant, words, true))

function writtenFrom(
  field: ColumnField | MadeField<TSchema>,
  column: SQLiteColumn | undefined,
): SQLiteColumn | ComputedField<unknown> {
  const written = 'made' in field ? field.made : valueFrom(column)
  return field.omitsNull ? unlessNull(written) : written
}

function valueFrom(column: SQLiteColumn | undefined): SQLiteColumn | ComputedField<unknown> {
  if (!column) throw new Error('a field has no column')
  // SQLite writes 4.0 for the number 4.
  if (column.columnType === 'SQLiteReal') return computed([column], ([value]) => value)
  return meaningOf(column)?.isInstant ? instant(column as never) : column
}

function once<Value>(make: () => Value): () => Value {
  let value: { readonly made: Value } | undefined
  return () => (value ??= { made: make() }).made
}
