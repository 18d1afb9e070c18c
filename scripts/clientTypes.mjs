/**
 * TypeScript from the documents that a simulator publishes: what the library knows of the control plane, which is kept
 * among the sources, and the types of the interfaces, which the build puts into dist/.
 */
import openapiTypes, { astToString } from 'openapi-typescript'

/** A field with a default may be left out by whoever sends it. */
const OPTIONS = { defaultNonNullable: false }

/** The text of src/library/control.ts; `app` is one that `buildApp` answered with. */
export async function controlTypes(app, interfaceNames) {
  const document = await documentOf(app, 'control')
  const documents = await Promise.all(interfaceNames.map(async (name) => [name, await documentOf(app, name)]))
  const { data: triggers } = await get(app, '/_sim/triggers')
  const nodes = await openapiTypes(JSON.stringify(ofAnswersThatSucceed(document)), OPTIONS)
  const triggerNodes = await openapiTypes(JSON.stringify(triggerDocument(triggers)), OPTIONS)
  return [
    '/** Made by `npm run docs` from what the control plane publishes of itself; not to be edited. */',
    '/* oxlint-disable */',
    astToString(nodes.filter(({ name }) => ['components', 'operations'].includes(name?.text))),
    '/** Each trigger: the body that it takes, and what it answers with. */',
    `export type Triggers = ${within(astToString(triggerNodes), 'schemas')}`,
    '/** The events that each interface tells webhooks of. */',
    `export interface Events {${documents.map(eventsOf).join('\n')}}`,
    '/** The sets of records that a workspace holds. */',
    `export type Section = ${union(await sectionsOf(app))}`,
    '/** Where each interface is mounted, and the header that takes its key; a bearer token where none is named. */',
    `export const INTERFACES = ${JSON.stringify(Object.fromEntries(documents.map(mountOf)))} as const`,
    '/** Each operation of the control plane. */',
    `export const CALLS = ${JSON.stringify(callsOf(document))} as const`,
  ].join('\n\n')
}

/** The texts of the types of all interfaces and the control plane, by their names. */
export async function interfaceTypes(app, names) {
  const texts = await Promise.all(
    [...names, 'control'].map(async (name) => {
      const document = await documentOf(app, name)
      const text = astToString(await openapiTypes(JSON.stringify(withoutExamples(document)), OPTIONS))
      return [name, `/** ${document.info.title}: made from its OpenAPI document. */\n${indentedByTabs(text)}`]
    }),
  )
  return Object.fromEntries(texts)
}

const documentOf = (app, name) => get(app, `/_sim/openapi/${name}.json`)

async function get(app, url) {
  const response = await app.fastify.inject({ url, headers: { host: '127.0.0.1:4012' } })
  if (response.statusCode >= 300) throw new Error(`GET ${url} answered ${response.body}`)
  return response.json()
}

/** Refusals are thrown, so their answers need no types. */
function ofAnswersThatSucceed({ components, paths, ...document }) {
  const operations = Object.entries(paths).map(([path, methods]) => [
    path,
    Object.fromEntries(
      Object.entries(methods).map(([method, operation]) => [
        method,
        {
          ...operation,
          responses: Object.fromEntries(
            Object.entries(operation.responses).filter(([status]) => status < 300),
          ),
        },
      ]),
    ),
  ])
  return withoutExamples({
    ...document,
    components: { schemas: components.schemas },
    paths: Object.fromEntries(operations),
  })
}

/** Examples are most of a document's text, and editors show them badly. */
function withoutExamples(value) {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withoutExamples)
  return Object.fromEntries(
    Object.entries(value)
      .filter(([word, each]) => !isExample(word, each))
      .map(([word, each]) => [word, withoutExamples(each)]),
  )
}

/** A field of a record may be called so, too; it is a schema then. */
const isExample = (word, value) =>
  word === 'example' || (word === 'examples' && (Array.isArray(value) || !('type' in value)))

const triggerDocument = (triggers) => ({
  openapi: '3.1.0',
  info: { title: 'Triggers', version: '1' },
  paths: {},
  components: {
    schemas: Object.fromEntries(
      triggers.map(({ name, summary, body, result }) => [
        name,
        withoutExamples({
          type: 'object',
          description: summary,
          required: ['body', 'result'],
          properties: { body, result },
        }),
      ]),
    ),
  },
})

/** What stands in the braces of a property of `components`. */
function within(text, property) {
  const start = text.indexOf(`    ${property}: {\n`)
  const end = text.indexOf('\n    };\n', start)
  if (start < 0 || end < 0) throw new Error(`there is no ${property} among the components`)
  return `${text.slice(text.indexOf('{', start), end)}}`
}

const union = (names) => names.map((name) => `'${name}'`).join(' | ')

const eventsOf = ([name, document]) => `'${name}': ${union(Object.keys(document.webhooks ?? {})) || 'never'}`

async function sectionsOf(app) {
  const response = await app.fastify.inject({
    method: 'POST',
    url: '/_sim/workspaces',
    headers: { host: '127.0.0.1:4012' },
    payload: {},
  })
  const { data } = await get(app, `/_sim/workspaces/${response.json().workspace.id}/records`)
  return data.map(({ section }) => section)
}

function mountOf([name, { servers, components }]) {
  const [scheme] = Object.values(components.securitySchemes)
  const { pathname } = new URL(servers[0].url)
  return [name, { basePath: pathname, ...(scheme.type === 'apiKey' && { header: scheme.name }) }]
}

/** `{getClock: ['GET', '/workspaces/{id}/clock']}` */
const callsOf = ({ paths }) =>
  Object.fromEntries(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => [operationId, [method.toUpperCase(), path]]),
    ),
  )

const indentedByTabs = (text) => text.replaceAll(/^(?: {4})+/gm, (spaces) => '\t'.repeat(spaces.length / 4))
