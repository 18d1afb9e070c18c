/**
 * Reads the published documents, from which the clients are generated (scripts/clients), and generates the types of the
 * interfaces, which the build writes to dist/.
 */
import openapiTypes, { astToString } from 'openapi-typescript'

/** Makes fields with a default optional, because a request may omit them. */
const OPTIONS = { defaultNonNullable: false }

/** Returns what the clients are generated from; `app` comes from `buildApp`. */
export async function clientDocuments(app, interfaceNames) {
  const document = await documentOf(app, 'control')
  const documents = await Promise.all(interfaceNames.map(async (name) => [name, await documentOf(app, name)]))
  const { data: triggers } = await get(app, '/_sim/triggers')
  return {
    document,
    triggers,
    interfaces: Object.fromEntries(documents.map(interfaceOf)),
    events: Object.fromEntries(documents.map(([name, { webhooks = {} }]) => [name, Object.keys(webhooks)])),
    sections: await sectionsOf(app),
    calls: callsOf(document),
  }
}

/** Returns the types of all interfaces and of the control plane, by name. */
export async function interfaceTypes(app, names) {
  const texts = await Promise.all(
    [...names, 'control'].map(async (name) => {
      const document = await documentOf(app, name)
      const text = astToString(await openapiTypes(JSON.stringify(withoutExamples(document)), OPTIONS))
      return [
        name,
        `/** ${document.info.title}: generated from its OpenAPI document. */\n${indentedByTabs(text)}`,
      ]
    }),
  )
  return Object.fromEntries(texts)
}

/** Returns a published OpenAPI document. */
export const documentOf = (app, name) => get(app, `/_sim/openapi/${name}.json`)

async function get(app, url) {
  const response = await app.fastify.inject({ url, headers: { host: '127.0.0.1:4012' } })
  if (response.statusCode >= 300) throw new Error(`GET ${url} answered ${response.body}`)
  return response.json()
}

/** Removes examples, which are most of a document and which editors display badly. */
function withoutExamples(value) {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withoutExamples)
  return Object.fromEntries(
    Object.entries(value)
      .filter(([word, each]) => !isExample(word, each))
      .map(([word, each]) => [word, withoutExamples(each)]),
  )
}

/** A schema under "example" or "examples" is a field with that name. */
const isExample = (word, value) =>
  word === 'example' || (word === 'examples' && (Array.isArray(value) || !('type' in value)))

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

function interfaceOf([name, { servers, components }]) {
  const [scheme] = Object.values(components.securitySchemes)
  const { pathname } = new URL(servers[0].url)
  return [name, { basePath: pathname, ...(scheme.type === 'apiKey' && { header: scheme.name }) }]
}

/** Returns the operations: `{getClock: ['GET', '/workspaces/{id}/clock']}`. */
const callsOf = ({ paths }) =>
  Object.fromEntries(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => [operationId, [method.toUpperCase(), path]]),
    ),
  )

const indentedByTabs = (text) => text.replaceAll(/^(?: {4})+/gm, (spaces) => '\t'.repeat(spaces.length / 4))
