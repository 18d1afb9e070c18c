/**
 * Columns with their meaning: how SQLite stores a value, and the schema of the value. Snapshots, defaults and wire
 * shapes follow from them, so each bound is written once, in the `tables.ts` of its interface.
 *
 * `text(255)` is never null; `text(255).orNull()` can be.
 */
import { Type, type Static, type TSchema } from '@sinclair/typebox'
import {
  getTableColumns,
  isNull,
  sql,
  type $Type,
  type BuildColumns,
  type Column,
  type HasDefault,
  type NotNull,
  type SQL,
  type Writable,
} from 'drizzle-orm'
import {
  foreignKey,
  integer as integerColumn,
  primaryKey,
  real as realColumn,
  sqliteTable,
  text as textColumn,
  type ForeignKeyBuilder,
  type SQLiteBooleanBuilderInitial,
  type SQLiteColumn,
  type SQLiteColumnBuilderBase,
  type SQLiteIntegerBuilderInitial,
  type SQLiteRealBuilderInitial,
  type SQLiteTableExtraConfigValue,
  type SQLiteTableWithColumns,
  type SQLiteTextBuilderInitial,
  type SQLiteTextJsonBuilderInitial,
} from 'drizzle-orm/sqlite-core'
import type { Machine } from '../model/machine.ts'
import * as shapes from './shapes.ts'

/**
 * Adds derived columns to a row, in place: for V8, copying an object with many properties is slower than the SQLite
 * write.
 */
export const addColumns = <Row extends object, Columns extends object>(
  row: Row,
  columns: Columns,
): Row & Columns => Object.assign(row, columns)

/** What the builders of drizzle have in common. */
interface Builder {
  notNull(): Builder
  default(value: unknown): Builder
}

interface Meaning {
  /** Makes the drizzle builder of the column. */
  readonly build: (name: string) => Builder
  /** Makes the schema of a value in a snapshot. Created on first use, because a start needs none. */
  readonly schema: () => TSchema
  /** True for ms since the epoch, which snapshots and responses show as ISO 8601. */
  readonly isInstant?: boolean
  readonly isNullable?: boolean
  /** Whether it is an amount of money: an integer of cents, or a decimal as a text. */
  readonly money?: 'cents' | 'money'
  readonly initial?: unknown
  /** The name in the database, if it is not the property in snake_case. */
  readonly name?: string
  readonly reference?: Reference
}

/** A foreign key to a record of the same workspace. */
interface Reference {
  readonly to: { readonly workspace: SQLiteColumn; readonly id: SQLiteColumn }
  readonly cascade: boolean
}

/** A column of a table. `Made` is its drizzle builder, from which drizzle takes the type of the value. */
export class Field<Made extends SQLiteColumnBuilderBase> {
  declare protected readonly made: Made
  readonly meaning: Meaning

  constructor(meaning: Meaning) {
    this.meaning = meaning
  }

  /** Stores the column under another name than its property in snake_case. */
  named(name: string): this {
    return new (this.constructor as new (meaning: Meaning) => this)({ ...this.meaning, name })
  }
}

/** A column that is never null. */
export class RequiredField<Made extends SQLiteColumnBuilderBase, Value> extends Field<NotNull<Made>> {
  orNull(): Field<Made> {
    return new Field({ ...this.meaning, isNullable: true })
  }

  /** `value` is that of records in snapshots without this column. */
  default(value: Value): Field<HasDefault<NotNull<Made>>> {
    return new Field({ ...this.meaning, initial: value })
  }
}

type TextField<Values extends readonly [string, ...string[]] = [string, ...string[]]> = RequiredField<
  SQLiteTextBuilderInitial<'', Writable<Values>, undefined>,
  Values[number]
>
type NumberField = RequiredField<SQLiteIntegerBuilderInitial<''>, number>

/** Drizzle passes the mark on to the type of the column, so that wire shapes know that it is a text there. */
type InstantBuilder = SQLiteIntegerBuilderInitial<''> & { readonly _: { readonly isInstant: true } }
type InstantField = RequiredField<InstantBuilder, number>

const textField = (schema: () => TSchema): TextField => new RequiredField({ build: textColumn, schema })

// ---------------------------------------------------------------- texts

/** A text of at most this many characters, possibly empty; without a limit by default. */
export const text = (maxLength?: number): TextField =>
  textField(() => (maxLength === undefined ? Type.String() : shapes.upTo(maxLength)))

/** A text with a visible character, of at most this many characters. */
export const filledText = (maxLength?: number): TextField =>
  textField(() => (maxLength === undefined ? shapes.filled() : shapes.text(maxLength)))

/** The id of a record. */
export const id = (): TextField => textField(shapes.id)

/** The id of a record of this table. With `cascade`, the row is deleted with the record. */
export const refersTo = (to: Reference['to'], { cascade = false } = {}): TextField =>
  new RequiredField({ ...id().meaning, reference: { to, cascade } })

/** A text with this schema. */
export const textOf = (schema: () => TSchema): TextField => textField(schema)

export const url = (maxLength?: number): TextField =>
  textField(() => (maxLength === undefined ? shapes.url() : shapes.urlUpTo(maxLength)))

export const email = (): TextField => textField(shapes.email)

/** An ISO 4217 code. */
export const currency = (): TextField => textField(shapes.currency)

/** An ISO 3166-1 alpha-2 code. */
export const country = (): TextField => textField(shapes.countryCode)

/** A decimal number as a text: "149.90". */
export const decimal = (): TextField => textField(shapes.decimal)

/** An amount of money as a text with decimals: "149.90". */
export const money = (schema = shapes.decimal): TextField =>
  new RequiredField({ ...textOf(schema).meaning, money: 'money' })

/** A calendar date as a text: "2026-01-31". */
export const date = (): TextField => textField(() => Type.String({ format: 'date' }))

/** One of these texts. */
export const choice = <const Values extends readonly [string, ...string[]]>(
  values: Values,
): TextField<Values> =>
  new RequiredField({
    build: (name) => textColumn(name, { enum: values as unknown as [string, ...string[]] }),
    schema: () => shapes.oneOf(values),
  })

/** A state of the machine. */
export const states = <const State extends string>(
  machine: Pick<Machine<State>, 'states'>,
): TextField<readonly [State, ...State[]]> => choice(machine.states)

// ---------------------------------------------------------------- numbers

/** An integer that is exact as a JavaScript number, within these bounds. */
export const integer = (
  minimum: number = Number.MIN_SAFE_INTEGER,
  maximum: number = Number.MAX_SAFE_INTEGER,
): NumberField =>
  new RequiredField({ build: (name) => integerColumn(name), schema: () => shapes.whole(minimum, maximum) })

/** An amount of money in cents. */
export const cents = ({ min, max }: { readonly min?: number; readonly max?: number } = {}): NumberField =>
  new RequiredField({ ...integer(min, max).meaning, money: 'cents' })

/** A number, possibly with decimals. */
export const real = (
  minimum?: number,
  maximum?: number,
): RequiredField<SQLiteRealBuilderInitial<''>, number> =>
  new RequiredField({
    build: (name) => realColumn(name),
    schema: () => (minimum === undefined ? Type.Number() : shapes.decimalNumber(minimum, maximum)),
  })

/** A point in time, in ms since the epoch. */
export const instant = (): InstantField =>
  new RequiredField({
    build: (name) => integerColumn(name),
    schema: () => Type.String({ format: 'date-time' }),
    isInstant: true,
  })

/** A point in time since 1970 (`recentInstant`). */
export const recentInstant = (): InstantField =>
  new RequiredField({
    build: (name) => integerColumn(name),
    schema: shapes.recentInstant,
    isInstant: true,
  })

/** Whether something is so. */
export const flag = (): RequiredField<SQLiteBooleanBuilderInitial<''>, boolean> =>
  new RequiredField({
    build: (name) => integerColumn(name, { mode: 'boolean' }),
    schema: () => Type.Boolean(),
  })

// ---------------------------------------------------------------- JSON

type JsonField<Value> = RequiredField<$Type<SQLiteTextJsonBuilderInitial<''>, Value>, Value>

/** A value as JSON: `json<Address>(() => addressShape)`. */
export const json = <Value>(schema: () => TSchema = () => Type.Unknown()): JsonField<Value> =>
  new RequiredField({ build: (name) => textColumn(name, { mode: 'json' }), schema })

/** Free key-value data. */
export const freeObject = (): JsonField<Record<string, unknown>> => json(shapes.freeObject)

interface ListOptions {
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
}

/** A list of values with this schema. */
export const listOf = <Item extends TSchema>(
  item: () => Item,
  options: ListOptions = {},
): JsonField<readonly Static<Item>[]> => json(() => Type.Array(item(), options))

// ---------------------------------------------------------------- tables

type Fields = Readonly<Record<string, Field<SQLiteColumnBuilderBase>>>

type BuildersOf<Of extends Fields> = {
  [Name in keyof Of]: Of[Name] extends Field<infer Made> ? Made : never
}

const meanings = new WeakMap<Column, Meaning>()

/** Returns the meaning of a column; undefined if its table was not declared with `table`. */
export const meaningOf = (column: Column): Meaning | undefined => meanings.get(column)

type ColumnsOf<Name extends string, Of extends Fields> = BuildColumns<Name, BuildersOf<Of>, 'sqlite'>

type TableOf<Name extends string, Of extends Fields> = SQLiteTableWithColumns<{
  name: Name
  schema: undefined
  columns: ColumnsOf<Name, Of>
  dialect: 'sqlite'
}>

/** Indexes of a table. */
type Extra<Name extends string, Of extends Fields> = (
  self: ColumnsOf<Name, Of>,
) => SQLiteTableExtraConfigValue[]

/** The key of every record: its workspace (the row scope) and its id. */
export const recordKey = { workspace: integer(), id: id() }

/** The key and these fields, one of which can be another `id`. */
type WithKey<Of extends Fields> = Omit<typeof recordKey, keyof Of> & Of

/** Declares a table of records. It adds their key. Each column is stored under its property in snake_case. */
export const table = <Name extends string, Of extends Fields>(
  name: Name,
  fields: Of,
  extra?: Extra<Name, WithKey<Of>>,
): TableOf<Name, WithKey<Of>> =>
  declare<Name, WithKey<Of>>(name, ['workspace', 'id'], { ...recordKey, ...fields }, extra)

type WithWorkspace<Of extends Fields> = Pick<typeof recordKey, 'workspace'> & Of

/** Declares a table of rows without an id. Their key is the workspace and these columns. */
export const tableWithKey = <Name extends string, Of extends Fields>(
  name: Name,
  key: readonly (keyof Of & string)[],
  fields: Of,
  extra?: Extra<Name, WithWorkspace<Of>>,
): TableOf<Name, WithWorkspace<Of>> =>
  declare(name, ['workspace', ...key], { workspace: recordKey.workspace, ...fields }, extra)

function declare<Name extends string, Of extends Fields>(
  name: Name,
  key: readonly string[],
  fields: Of,
  extra?: Extra<Name, Of>,
): TableOf<Name, Of> {
  const builders = Object.fromEntries(
    Object.entries(fields).map(([property, { meaning }]) => [property, builderOf(property, meaning)]),
  )
  const made = sqliteTable(name, builders as unknown as BuildersOf<Of>, (self) => {
    const columns = self as SelfColumns
    return [
      primaryKey({ columns: key.map((property) => columns[property]) as [SQLiteColumn] }),
      ...Object.entries(fields).flatMap(([property, field]) =>
        foreignKeyOf(columns, property, field.meaning),
      ),
      ...(extra?.(self) ?? []),
    ]
  })
  for (const [property, column] of Object.entries<Column>(getTableColumns(made))) {
    const field = fields[property]
    if (field) meanings.set(column, field.meaning)
  }
  return made
}

type SelfColumns = Readonly<Record<string, SQLiteColumn>>

function foreignKeyOf(self: SelfColumns, property: string, { reference }: Meaning): ForeignKeyBuilder[] {
  if (!reference) return []
  const { to, cascade } = reference
  const key = foreignKey({
    columns: [self['workspace'], self[property]] as [SQLiteColumn, SQLiteColumn],
    foreignColumns: [to.workspace, to.id],
  })
  return [cascade ? key.onDelete('cascade') : key]
}

function builderOf(property: string, { build, name, isNullable, initial }: Meaning): Builder {
  const builder = build(name ?? inSnakeCase(property))
  if (isNullable) return builder
  return initial === undefined ? builder.notNull() : builder.notNull().default(initial)
}

const inSnakeCase = (property: string): string =>
  property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** For records that change and show their creation time. */
export const withCreation = {
  createdAt: instant(),
  /** A new number at every change; the key of cached responses. */
  revision: integer(),
}

/** For records that also show the time of their last change. */
export const withTimes = { createdAt: instant(), updatedAt: instant(), revision: withCreation.revision }

/**
 * The condition that a column has one of these values. They are literals, because SQLite uses a partial index only if
 * the statement repeats its condition.
 */
export function isOneOf(column: SQLiteColumn, values: readonly unknown[]): SQL {
  const [value] = values
  if (values.length !== 1)
    return sql`${column} in (${sql.raw(values.map((each) => literal(column, each)).join(', '))})`
  return value === null ? isNull(column) : sql`${column} = ${sql.raw(literal(column, value))}`
}

function literal(column: SQLiteColumn, value: unknown): string {
  const cell = column.mapToDriverValue(value)
  return typeof cell === 'number' ? String(cell) : `'${String(cell).replaceAll("'", "''")}'`
}
