/** Generates the records of answers. */
import { className, javadoc, MAX_WIDTH, memberName, prose, words } from './javaText.mjs'
import { typeOf } from './javaTypes.mjs'

/** Returns a record that reads itself from JSON. Records of its properties are nested in it. */
export const recordClass = (name, schema) => {
  const title = prose(schema.description ?? `An answer of the control plane: ${name}.`)
  return `${recordOf(className(name), title, schema, '')}\n`
}

function recordOf(name, title, schema, indent) {
  const fields = Object.entries(schema.properties).map(([property, each]) => {
    const type = typeOf(each, property)
    const isOptional = type.isNullable || !(schema.required ?? []).includes(property)
    return { property, member: memberName(property), schema: each, type, isOptional }
  })
  const inner = `${indent}  `
  const parameters = fields.map(
    ({ member, type, isOptional }) => `${isOptional ? type.boxed : type.name} ${member}`,
  )
  return [
    javadoc([title, ...tagsOf(fields)], indent),
    `${indent}${oneLineOr(`public record ${name}(`, parameters, ') {', indent)}`,
    ...nestedRecordsOf(fields, name, inner),
    javadoc(['Reads it from JSON; throws a JsonException if a field is missing or has another type.'], inner),
    `${inner}public static ${name} from(Json json) {`,
    `${inner}  ${oneLineOr(`return new ${name}(`, fields.map(readOf), ');', `${inner}  `)}`,
    `${inner}}`,
    `${indent}}`,
  ].join('\n')
}

/** Returns a list in parentheses: on one line if it fits, else with one item on each line. */
function oneLineOr(before, items, after, indent) {
  const line = before + items.join(', ') + after
  if (indent.length + line.length <= MAX_WIDTH) return line
  return `${before}\n${items.map((each) => `${indent}    ${each}`).join(',\n')}${after}`
}

/** Returns the tags of the fields that have something to say. */
const tagsOf = (fields) =>
  fields.flatMap(({ member, schema, isOptional }) => {
    const text = words(schema, isOptional)
    return text === '' ? [] : [`@param ${member} ${text}`]
  })

const nestedRecordsOf = (fields, of, indent) =>
  fields.flatMap(({ property, type }) =>
    type.nested.map(({ name, schema }) => {
      const title = prose(schema.description ?? `In \`${property}\` of ${of}.`)
      return `${recordOf(name, title, schema, indent)}\n`
    }),
  )

function readOf({ property, type, isOptional }) {
  const name = JSON.stringify(property)
  if (isOptional) {
    const found = `json.find(${name})`
    return type.reader === null ? `${found}.orElse(Json.NULL)` : `${found}.map(${type.reader}).orElse(null)`
  }
  const value = `json.get(${name})`
  if (type.reader === null) return value
  if (type.reader.startsWith('each -> each')) return value + type.reader.slice('each -> each'.length)
  const [of, method] = type.reader.split('::')
  return of === 'Json' ? `${value}.${method}()` : `${of}.${method}(${value})`
}
