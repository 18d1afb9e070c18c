/** The Java type of a JSON schema, and how it is read. */
import { className, nestedName } from './javaText.mjs'

const PRIMITIVES = {
  string: { name: 'String', boxed: 'String', read: 'asString' },
  integer: { name: 'long', boxed: 'Long', read: 'asLong' },
  number: { name: 'double', boxed: 'Double', read: 'asDouble' },
  boolean: { name: 'boolean', boxed: 'Boolean', read: 'asBoolean' },
}

const INSTANT = { name: 'Instant', boxed: 'Instant', read: 'asInstant' }

/**
 * Returns `{name, boxed, reader, isNullable, nested}`: the type, its name in generics, the function that reads it from
 * JSON, and the records that it needs. `reader` is null for JSON that has no type.
 */
export function typeOf(schema, property, isItem = false) {
  const [only, ...others] = (schema.anyOf ?? []).filter(({ type }) => type !== 'null')
  if (only && others.length === 0) {
    return { ...typeOf(only, property, isItem), isNullable: schema.anyOf.length > 1 }
  }
  const types = [schema.type ?? []].flat()
  const isNullable = types.includes('null')
  const [type, another] = types.filter((each) => each !== 'null')
  return { isNullable, ...typeOfOne(schema, another === undefined ? type : undefined, property, isItem) }
}

function typeOfOne(schema, type, property, isItem) {
  if (schema.$ref) return recordType(className(schema.$ref.split('/').at(-1)))
  if (type in PRIMITIVES) {
    const { name, boxed, read } = schema.format === 'date-time' ? INSTANT : PRIMITIVES[type]
    return { name, boxed, reader: `Json::${read}`, nested: [] }
  }
  if (type === 'array') return listType(typeOf(schema.items, property, true))
  if (type === 'object' && isMap(schema)) return mapType(typeOf(valueSchema(schema), property, true))
  if (type === 'object' && schema.properties) {
    const name = nestedName(property, isItem)
    return { ...recordType(name), nested: [{ name, schema }] }
  }
  return { name: 'Json', boxed: 'Json', reader: null, nested: [] }
}

const recordType = (name) => ({ name, boxed: name, reader: `${name}::from`, nested: [] })

function listType({ boxed, reader, nested }) {
  const name = `List<${boxed}>`
  return { name, boxed: name, reader: `each -> each.list(${reader ?? 'item -> item'})`, nested }
}

function mapType({ boxed, reader, nested }) {
  const name = `Map<String, ${boxed}>`
  return { name, boxed: name, reader: `each -> each.map(${reader ?? 'value -> value'})`, nested }
}

/** An object whose names are values: it names their schema, or not all names can be names in Java. */
const isMap = (schema) =>
  schema.patternProperties !== undefined ||
  typeof schema.additionalProperties === 'object' ||
  Object.keys(schema.properties ?? {}).some((name) => !/^\w+$/.test(name))

const valueSchema = ({ patternProperties = {}, additionalProperties, properties = {} }) =>
  typeof additionalProperties === 'object'
    ? additionalProperties
    : { type: Object.values({ ...patternProperties, ...properties })[0]?.type }
