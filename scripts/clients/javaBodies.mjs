/** Generates the classes of request bodies and filters, whose setters return the object. */
import { javadoc, memberName, prose, words } from './javaText.mjs'
import { typeOf } from './javaTypes.mjs'

/** Returns the class of a request body. The required fields are the parameters of `of()`. */
export function bodyClass(name, schema) {
  const required = schema.required ?? []
  const fields = Object.entries(schema.properties).map(([property, each]) => ({
    property,
    member: memberName(property),
    type: valueType(each, property),
    text: words(each, false),
  }))
  return classOf({
    name,
    title: prose(schema.description ?? `A request body of the control plane: ${name}.`),
    required: fields.filter(({ property }) => required.includes(property)),
    optional: fields.filter(({ property }) => !required.includes(property)),
    result:
      '/** Returns the fields that were set, as a JSON object. */\n  public Json toJson() {\n    return Json.of(fields);',
  })
}

/** The parameters that the methods for waiting and for other formats set. */
const SET_BY_METHODS = ['wait', 'count', 'as']

/** Returns the class of the query of a list. */
export function filterClass(name, operation, parameters) {
  const fields = parameters
    .filter((each) => each.in === 'query' && !SET_BY_METHODS.includes(each.name))
    .map((each) => ({
      property: each.name,
      member: memberName(each.name),
      type: valueType(each.schema, each.name),
      text: words({ ...each.schema, description: each.description ?? each.schema.description }, false),
    }))
  return classOf({
    name,
    title: `The filters of ${operation}.`,
    required: [],
    optional: fields,
    result:
      '/** Returns the filters that were set, by name. */\n  public Map<String, Object> toMap() {\n    return new LinkedHashMap<>(fields);',
  })
}

/** Bodies take any object as a map, and JSON without a type as what can be written as JSON. */
function valueType(schema, property) {
  const type = typeOf(schema, property)
  if (type.nested.length > 0) return 'Map<String, ?>'
  if (type.name === 'Json') return 'Object'
  return type.isNullable ? type.boxed : type.name
}

function classOf({ name, title, required, optional, result }) {
  const parameters = required.map(({ type, member }) => `${type} ${member}`).join(', ')
  const tags = required.flatMap(({ member, text }) => (text === '' ? [] : [`@param ${member} ${text}`]))
  const setters = optional.map(({ property, member, type, text }) =>
    [
      javadoc([text || `Sets ${member}.`], '  '),
      `  public ${name} ${member}(${type} ${member}) {`,
      `    ${member === 'fields' ? 'this.' : ''}fields.put(${JSON.stringify(property)}, ${member});`,
      '    return this;',
      '  }\n',
    ].join('\n'),
  )
  return [
    javadoc([title], ''),
    `public final class ${name} {`,
    '  private final Map<String, Object> fields = new LinkedHashMap<>();\n',
    `  private ${name}() {}\n`,
    javadoc(
      [
        required.length === 0 ? 'Returns one without fields.' : 'Returns one with the required fields.',
        ...tags,
      ],
      '  ',
    ),
    `  public static ${name} of(${parameters}) {`,
    ...(required.length === 0
      ? [`    return new ${name}();`]
      : [
          `    ${name} made = new ${name}();`,
          ...required.map(
            ({ property, member }) => `    made.fields.put(${JSON.stringify(property)}, ${member});`,
          ),
          '    return made;',
        ]),
    '  }\n',
    ...setters,
    `  ${result}`,
    '  }',
    '}\n',
  ].join('\n')
}
