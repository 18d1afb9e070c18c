/** The reference page of an interface in Markdown, from its OpenAPI document. */

/** Returns the name, title and text of the page. */
export function referencePage({ name, basePath, document }) {
  const { info, paths, tags = [], webhooks = {}, components } = document
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      ...operation,
    })),
  )
  const sections = tags.flatMap((tag) => {
    const own = operations.filter((operation) => operation.tags?.[0] === tag.name)
    return own.length === 0
      ? []
      : [`## ${tag.name}`, ...own.flatMap((each) => operationLines(document, each))]
  })
  const lines = [
    `# ${info.title}: reference`,
    `Here you can look up each operation of the interface \`${name}\`${Object.keys(webhooks).length > 0 ? ', and each event that it sends' : ''}.`,
    info.description,
    `Base path: \`${basePath}\`. Credential: ${credentialOf(components)}.`,
    `[What is assumed](../fidelity/${name}.md)`,
    ...sections,
    ...eventLines(document, Object.entries(webhooks)),
  ]
  return { name, title: info.title, text: `${lines.filter(Boolean).join('\n\n')}\n` }
}

function credentialOf({ securitySchemes = {} }) {
  const [scheme] = Object.values(securitySchemes)
  return scheme?.type === 'apiKey' ? `\`${scheme.name}: KEY\`` : '`Authorization: Bearer KEY`'
}

function operationLines(document, operation) {
  const { method, path, summary, description, parameters = [], requestBody, responses } = operation
  const scope = operation['x-scope']
  const why = operation['x-fidelity-why']
  const statuses = Object.keys(responses)
  return [
    `### ${summary}`,
    `\`${method} ${path}\``,
    description,
    ...tight([
      `- Fidelity: ${[operation['x-fidelity'], why].filter(Boolean).join('. ')}`,
      scope && `- Scope: ${[scope].flat().map(code).join(', ')}`,
      `- Statuses: ${statuses.map(code).join(', ')}`,
    ]),
    ...parameterLines(parameters.map((each) => resolve(document, each))),
    ...bodyLines(document, requestBody && resolve(document, requestBody)),
  ]
}

/** Items of one list need no blank lines between them. */
const tight = (lines) => [lines.filter(Boolean).join('\n')]

function parameterLines(parameters) {
  if (parameters.length === 0) return []
  return table(
    ['parameter', 'in', 'type', 'meaning'],
    parameters.map(({ name, in: place, required, description, schema }) => [
      `${code(name)}${required ? ', required' : ''}`,
      place,
      typeOf(schema),
      [description, defaultOf(schema)].filter(Boolean).join(' '),
    ]),
  )
}

function bodyLines(document, body) {
  if (!body) return []
  return Object.entries(body.content).flatMap(([type, { schema, example, examples }]) => {
    const whole = objectOf(document, schema)
    const fields = Object.entries(whole.properties)
    const sample = example ?? Object.values(examples ?? {})[0]?.value
    return [
      `Body, \`${type}\`:`,
      ...(fields.length > 0
        ? table(
            ['field', 'type', 'meaning'],
            fields.map(([field, each]) => [
              `${code(field)}${whole.required.has(field) ? ', required' : ''}`,
              typeOf(each),
              [resolve(document, each).description, defaultOf(each)].filter(Boolean).join(' '),
            ]),
          )
        : []),
      ...(sample !== undefined && type.endsWith('json')
        ? ['```\n' + JSON.stringify(sample, null, 2) + '\n```']
        : []),
    ]
  })
}

function eventLines(document, events) {
  if (events.length === 0) return []
  return [
    '## Events',
    'See [Webhooks](../webhooks.md) for the envelope, the signature and the retries.',
    ...table(
      ['event', 'when', 'fidelity'],
      events.map(([name, { post }]) => [code(name), post.summary ?? post.description, post['x-fidelity']]),
    ),
  ]
}

/** Returns the properties of an object, including those of the parts that it consists of. */
function objectOf(document, schema = {}) {
  const { properties = {}, required = [], allOf = [], anyOf = [], oneOf = [] } = resolve(document, schema)
  const parts = [...allOf, ...anyOf, ...oneOf].map((part) => objectOf(document, part))
  return {
    properties: Object.assign({}, ...parts.map((part) => part.properties), properties),
    required: new Set([
      ...required,
      ...(allOf.length > 0 ? parts.flatMap((part) => [...part.required]) : []),
    ]),
  }
}

function resolve(document, value) {
  if (value?.$ref === undefined) return value ?? {}
  const target = value.$ref
    .slice(2)
    .split('/')
    .reduce((part, name) => part?.[name.replaceAll('~1', '/').replaceAll('~0', '~')], document)
  return resolve(document, target)
}

function typeOf(schema = {}) {
  if (schema.$ref) return schema.$ref.split('/').at(-1)
  if (schema.const !== undefined) return code(JSON.stringify(schema.const))
  if (schema.enum) return schema.enum.map((each) => code(String(each))).join(', ')
  const parts = schema.anyOf ?? schema.oneOf
  if (parts) return [...new Set(parts.map(typeOf))].join(' or ')
  const types = [schema.type ?? 'any'].flat()
  const words = types.map((type) => (type === 'array' ? `list of ${typeOf(schema.items)}` : type))
  return `${words.join(' or ')}${schema.format ? ` (${schema.format})` : ''}`
}

const defaultOf = (schema = {}) =>
  schema.default === undefined ? '' : `Default: ${code(JSON.stringify(schema.default))}.`

const code = (text) => `\`${text}\``

/** Returns a table as one block. */
const table = (heads, rows) => [
  [heads, heads.map(() => '---'), ...rows.map((cells) => cells.map(cellOf))]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n'),
]

const cellOf = (text) =>
  String(text ?? '')
    .replaceAll('|', '\\|')
    .replaceAll('\n', ' ')
