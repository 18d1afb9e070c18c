/** Writes JSON schemas as TypeScript types. A type that several places share is declared once. */

/** A shorter type is repeated, because a name would not help a reader. */
const SHORTEST_NAMED = 70

/** A schema refers to another one if they share at least so many fields. */
const LEAST_SHARED = 4

/** Longer objects have one field on each line. */
const MAX_WIDTH = 90

export class Shapes {
  #known
  #areCounted = false
  /** The places of each type, and the names of those with several; both by the text without names. */
  #places = new Map()
  #names = new Map()
  #declarations = new Map()

  /** Takes lists of values with their types: `[[['catalog', 'crm'], 'keyof Events']]`. */
  constructor(known) {
    this.#known = known
  }

  /** Returns the declarations and what `write` returns. It runs twice: first, the places of each type are counted. */
  collect(write) {
    write()
    this.#areCounted = true
    const texts = write()
    return [...this.#declarations].map(([name, type]) => `type ${name} = ${type}`).concat(texts)
  }

  /** Returns an object type with a field for each schema. A schema refers to an earlier one if they share fields. */
  schemas(schemas) {
    const known = new Map()
    const fields = Object.entries(schemas).map(([name, schema]) => {
      const own = this.#fieldsOf(schema, name)
      const type = withBase(own, known) ?? objectOf(own)
      known.set(name, own)
      return { key: name, comment: schema.description ?? '', text: `${name}: ${type}` }
    })
    return braces(fields)
  }

  /** Returns the type of a schema. If several places share it, it has the name of the first; without a name, none. */
  typeOf(schema, name) {
    const { $ref, enum: values, anyOf, type, items = {}, title } = schema
    if ($ref !== undefined) return `Schemas['${$ref.split('/').at(-1)}']`
    if ('const' in schema) return literal(schema.const)
    if (values) return this.#shared(name, () => this.#enumOf(values))
    const choices = anyOf ?? (Array.isArray(type) && type.map((each) => ({ ...schema, type: each })))
    if (choices) return union(choices.map((each) => this.typeOf(each, name)))
    if (type === 'array')
      return `${inParentheses(this.typeOf(items, name === undefined ? name : singular(name)))}[]`
    if (type === 'object')
      return this.#shared(name === undefined ? name : (title ?? name), (of) =>
        objectOf(this.#fieldsOf(schema, of)),
      )
    return SCALARS[type] ?? 'unknown'
  }

  #shared(name, write) {
    const text = write()
    if (name === undefined || text.length < SHORTEST_NAMED) return text
    if (!this.#areCounted) {
      const places = (this.#places.get(text) ?? 0) + 1
      this.#places.set(text, places)
      return places === 1 ? write(name) : text
    }
    if (this.#places.get(text) === 1) return write(name)
    const known = this.#names.get(text)
    if (known !== undefined) return known
    if (this.#declarations.has(name)) throw new Error(`two types have the name ${name}`)
    this.#names.set(text, name)
    this.#declarations.set(name, '')
    this.#declarations.set(name, write(name))
    return name
  }

  #enumOf(values) {
    const [known = [], type] = this.#known.find(([all]) => all.every((value) => values.includes(value))) ?? []
    return union([...(type ? [type] : []), ...values.filter((value) => !known.includes(value)).map(literal)])
  }

  #fieldsOf({ properties = {}, required = [], additionalProperties, patternProperties = {} }, name) {
    const fields = Object.entries(properties).map(([key, schema]) => {
      const type = wordOf(key, schema) ?? this.typeOf(schema, below(name, pascal(key)))
      const comment = [schema.format && `Format: ${schema.format}.`, schema.description]
        .filter(Boolean)
        .join(' ')
      return { key, comment, text: `${keyOf(key)}${required.includes(key) ? '' : '?'}: ${type}` }
    })
    const [values] = [additionalProperties, ...Object.values(patternProperties)].filter(Boolean)
    if (values === undefined) return fields
    const type = values === true || fields.length > 0 ? 'unknown' : this.typeOf(values, below(name, 'Value'))
    return [...fields, { key: '', comment: '', text: `[key: string]: ${type}` }]
  }
}

const SCALARS = { string: 'string', number: 'number', integer: 'number', boolean: 'boolean', null: 'null' }

/** Returns the type of a field with the name of an event or a record set. A reading has a section of the specification. */
function wordOf(field, { type, items, enum: values, description = '' }) {
  if (values !== undefined) return undefined
  if (field === 'event' && type === 'string') return 'EventName'
  if (field === 'events' && items?.type === 'string') return 'EventName[]'
  const isReading = /specification\.$/.test(description)
  return field === 'section' && type === 'string' && !isReading ? 'Section | (string & {})' : undefined
}

/** Returns a type by the known one with the most fields in common: `Schemas['Known'] & {…}`. */
function withBase(fields, known) {
  const isIn = (others) => (field) => others.some((each) => textOf(each) === textOf(field))
  const [base, shared] = [...known]
    .map(([name, others]) => [name, others.filter(isIn(fields))])
    .reduce((best, each) => (each[1].length > best[1].length ? each : best), ['', []])
  if (shared.length < LEAST_SHARED) return undefined
  const other = known.get(base).filter((field) => !isIn(fields)(field))
  const rest = fields.filter((field) => !isIn(shared)(field))
  const picked =
    other.length === 0
      ? `Schemas['${base}']`
      : other.length < shared.length
        ? `Omit<Schemas['${base}'], ${keysOf(other)}>`
        : `Pick<Schemas['${base}'], ${keysOf(shared)}>`
  return rest.length === 0 ? picked : `${picked} & ${braces(rest)}`
}

/** Returns the name of a type inside a named one. */
const below = (name, word) => (name === undefined ? undefined : name + word)

const textOf = ({ comment, text }) => comment + text

const keysOf = (fields) => union(fields.map(({ key }) => literal(key)))

const objectOf = (fields) => (fields.length > 0 ? braces(fields) : 'Record<string, never>')

function braces(fields) {
  const texts = fields.map(({ text }) => text)
  const hasComments = fields.some(({ comment }) => comment !== '')
  const line = `{ ${texts.join('; ')} }`
  if (!hasComments && line.length <= MAX_WIDTH && !line.includes('\n')) return line
  const lines = fields.map(({ comment, text }) => (comment === '' ? text : `/** ${comment} */\n${text}`))
  return `{\n${lines.join('\n')}\n}`
}

/** Returns the type of a value that has one of these types; an empty text without any. */
export const union = (types) => [...new Set(types)].join(' | ')

const inParentheses = (type) =>
  /^[^{]* [|&] |^\{.*\} [|&] /s.test(type) || type.startsWith('keyof') ? `(${type})` : type

const literal = (value) =>
  typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : JSON.stringify(value)

const keyOf = (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : literal(name))

export const pascal = (name) =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

/** "attempts" -> "attempt": the name of an item of a list. */
const singular = (name) =>
  name.endsWith('ies') ? `${name.slice(0, -3)}y` : /[^s]s$/.test(name) ? name.slice(0, -1) : `${name}Item`
