/** A form made of a JSON Schema: a field for each property, and JSON for what has no field of its own. */
import { useMemo, useState } from 'preact/hooks'
import type { JsonSchema } from '../server.ts'
import { Problem } from './common.tsx'

type Body = Record<string, unknown>

interface FormProps {
  readonly schema: JsonSchema
  /** Where what a $ref names is looked up. */
  readonly schemas?: Readonly<Record<string, JsonSchema>>
  readonly given?: Body
  readonly verb: string
  readonly isBusy: boolean
  readonly problem: string | null
  readonly send: (body: Body) => void
}

export function SchemaForm({ schema, schemas = {}, given = {}, verb, isBusy, problem, send }: FormProps) {
  const fields = useMemo(() => fieldsOf(resolved(schema, schemas), schemas), [schema, schemas])
  const [written, setWritten] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(Object.entries(given).map(([name, value]) => [name, textOf(value)])),
  )
  const [wrong, setWrong] = useState<string | null>(null)
  const submit = (event: Event): void => {
    event.preventDefault()
    try {
      setWrong(null)
      send(bodyOf(fields, written))
    } catch (error) {
      setWrong((error as Error).message)
    }
  }
  return (
    <form class="schema" onSubmit={submit}>
      {fields.length === 0 && <p class="empty">It takes no fields.</p>}
      {fields.map((field) => (
        <FieldInput
          key={field.name}
          field={field}
          value={written[field.name] ?? ''}
          onChange={(value) => {
            setWritten((before) => ({ ...before, [field.name]: value }))
          }}
        />
      ))}
      <Problem words={wrong ?? problem} />
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
  value,
  onChange,
}: {
  field: Field
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
          <option value="">{isRequired ? 'Choose' : 'Not sent'}</option>
          {choices.map((choice) => (
            <option key={String(choice)} value={textOf(choice)}>
              {String(choice)}
            </option>
          ))}
        </select>
      ) : kind === 'json' ? (
        <textarea rows={3} spellcheck={false} placeholder="JSON" {...common} />
      ) : (
        <input
          inputMode={kind === 'number' ? 'decimal' : 'text'}
          placeholder={kind === 'list' ? 'one, two' : schema.format}
          {...common}
        />
      )}
      {schema.description !== undefined && <small>{schema.description}</small>}
    </label>
  )
}

function resolved(schema: JsonSchema, schemas: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const name = schema.$ref?.split('/').at(-1)
  if (name !== undefined) return resolved(schemas[name] ?? {}, schemas)
  const choices = (schema.anyOf ?? schema.oneOf)?.filter(({ type }) => type !== 'null')
  const [only] = choices ?? []
  if (only && choices?.length === 1) {
    const inner = resolved(only, schemas)
    return schema.description === undefined ? inner : { ...inner, description: schema.description }
  }
  return schema
}

function fieldsOf(
  { properties = {}, required = [] }: JsonSchema,
  schemas: Readonly<Record<string, JsonSchema>>,
): Field[] {
  const fields = Object.entries(properties).map(([name, property]) => {
    const schema = resolved(property, schemas)
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

/** What was written, as the types that the fields have; what was left empty is not sent. */
function bodyOf(fields: readonly Field[], written: Readonly<Record<string, string>>): Body {
  const body: Body = {}
  for (const { name, kind } of fields) {
    const text = written[name] ?? ''
    if (text.trim() !== '') body[name] = valueOf(name, kind, text)
  }
  return body
}

function valueOf(name: string, kind: Field['kind'], text: string): unknown {
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
    throw new Error(`${name} is not valid JSON.`)
  }
}
