/** A form for a JSON Schema: one input for each property, and JSON for nested values. */
import { useMemo, useState } from 'preact/hooks'
import type { JsonSchema } from '../server.ts'
import { ErrorMessage } from './common.tsx'
import { RecordPicker } from './recordPicker.tsx'

type Body = Record<string, unknown>

interface FormProps {
  readonly schema: JsonSchema
  /** The schemas that a $ref can refer to. */
  readonly schemas?: Readonly<Record<string, JsonSchema>>
  /** The workspace whose records are suggested. */
  readonly workspace?: string
  readonly initialValues?: Body
  readonly verb: string
  readonly isBusy: boolean
  readonly problem: string | null
  readonly send: (body: Body) => void
}

export function SchemaForm({
  schema,
  schemas = {},
  workspace,
  initialValues = {},
  verb,
  isBusy,
  problem,
  send,
}: FormProps) {
  const fields = useMemo(() => fieldsOf(resolveSchema(schema, schemas), schemas), [schema, schemas])
  const [values, setValues] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(Object.entries(initialValues).map(([name, value]) => [name, textOf(value)])),
  )
  const [inputError, setInputError] = useState<string | null>(null)
  const submit = (event: Event): void => {
    event.preventDefault()
    try {
      setInputError(null)
      send(bodyOf(fields, values))
    } catch (error) {
      setInputError((error as Error).message)
    }
  }
  return (
    <form class="schema" onSubmit={submit}>
      {fields.length === 0 && <p class="empty">No fields.</p>}
      {fields.map((field) => (
        <FieldInput
          key={field.name}
          field={field}
          workspace={workspace}
          value={values[field.name] ?? ''}
          onChange={(value) => {
            setValues((before) => ({ ...before, [field.name]: value }))
          }}
        />
      ))}
      <ErrorMessage text={inputError ?? problem} />
      <button type="submit" aria-busy={isBusy} disabled={isBusy}>
        {verb}
      </button>
    </form>
  )
}

interface Field {
  readonly name: string
  readonly schema: JsonSchema
  readonly isRequired: boolean
  readonly kind: 'text' | 'number' | 'boolean' | 'choice' | 'list' | 'json'
}

function FieldInput({
  field,
  workspace,
  value,
  onChange,
}: {
  field: Field
  workspace: string | undefined
  value: string
  onChange: (value: string) => void
}) {
  const { name, schema, isRequired, kind } = field
  const common = {
    value,
    required: isRequired,
    onInput: (event: Event) => {
      onChange((event.currentTarget as HTMLInputElement).value)
    },
  }
  const choices = kind === 'boolean' ? [true, false] : (schema.enum ?? [])
  return (
    <label>
      <span>
        {name}
        {isRequired ? ' *' : ''}
      </span>
      {kind === 'choice' || kind === 'boolean' ? (
        <select {...common}>
          <option value="">{isRequired ? 'Choose a value' : 'Omit'}</option>
          {choices.map((choice) => (
            <option key={String(choice)} value={textOf(choice)}>
              {String(choice)}
            </option>
          ))}
        </select>
      ) : kind === 'json' ? (
        <textarea rows={3} spellcheck={false} placeholder={exampleOf(schema) ?? 'JSON'} {...common} />
      ) : workspace !== undefined && schema['x-record'] !== undefined ? (
        <RecordPicker workspace={workspace} reference={schema['x-record']} {...common} />
      ) : (
        <input
          inputMode={kind === 'number' ? 'decimal' : 'text'}
          placeholder={kind === 'list' ? 'one, two' : (schema.format ?? exampleOf(schema))}
          {...common}
        />
      )}
      {schema.description !== undefined && <small>{schema.description}</small>}
    </label>
  )
}

/** Follows a $ref, and a choice of one schema or null. */
export function resolveSchema(schema: JsonSchema, schemas: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const name = schema.$ref?.split('/').at(-1)
  if (name !== undefined) return resolveSchema(schemas[name] ?? {}, schemas)
  const choices = (schema.anyOf ?? schema.oneOf)?.filter(({ type }) => type !== 'null')
  const [only] = choices ?? []
  if (only && choices?.length === 1) {
    const inner = resolveSchema(only, schemas)
    return schema.description === undefined ? inner : { ...inner, description: schema.description }
  }
  return schema
}

function fieldsOf(
  { properties = {}, required = [] }: JsonSchema,
  schemas: Readonly<Record<string, JsonSchema>>,
): Field[] {
  const fields = Object.entries(properties).map(([name, property]) => {
    const schema = resolveSchema(property, schemas)
    return { name, schema, isRequired: required.includes(name), kind: kindOf(schema) }
  })
  return fields.sort((one, other) => Number(other.isRequired) - Number(one.isRequired))
}

function kindOf({ type, enum: choices, items, anyOf, oneOf }: JsonSchema): Field['kind'] {
  if (anyOf ?? oneOf) return 'json'
  if (choices) return 'choice'
  const [first] = Array.isArray(type) ? (type as string[]).filter((each) => each !== 'null') : [type]
  if (first === 'boolean') return 'boolean'
  if (first === 'integer' || first === 'number') return 'number'
  if (first === 'string') return 'text'
  return first === 'array' && items?.type === 'string' ? 'list' : 'json'
}

const textOf = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : Array.isArray(value) && value.every((each) => typeof each === 'string')
      ? value.join(', ')
      : JSON.stringify(value)

/** Returns "such as 250". */
const exampleOf = ({ examples: [first] = [] }: JsonSchema): string | undefined =>
  first === undefined ? undefined : `such as ${textOf(first)}`

/** Converts the values to the types of the fields. Omits empty values. */
function bodyOf(fields: readonly Field[], values: Readonly<Record<string, string>>): Body {
  const body: Body = {}
  for (const { name, kind } of fields) {
    const text = values[name] ?? ''
    if (text.trim() !== '') body[name] = parseValue(name, kind, text)
  }
  return body
}

function parseValue(name: string, kind: Field['kind'], text: string): unknown {
  if (kind === 'text') return text
  if (kind === 'number') {
    const number = Number(text)
    if (Number.isNaN(number)) throw new Error(`${name} must be a number.`)
    return number
  }
  if (kind === 'list') return text.split(',').map((each) => each.trim())
  try {
    return JSON.parse(text) as unknown
  } catch {
    if (kind === 'choice') return text
    throw new Error(`${name} must be valid JSON.`)
  }
}
