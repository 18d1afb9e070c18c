/**
 * Calls that are taken, made from the published examples alone: the body is the example of the document, and a record
 * that the path names is made first by the operation that makes such records.
 */
import { buildApp, INTERFACES } from '../../src/app.ts'
import type { MountedRoute } from '../../src/http/mount.ts'
import type { OpenApiDocument } from '../../src/http/openapi.ts'
import type { Call, FreshApp } from './app.ts'
import { contractOf } from './contract.ts'

/** One operation of one interface, as a row of a test's table. */
export interface Subject {
  /** "catalog GET /products" */
  readonly title: string
  readonly route: MountedRoute
  readonly document: OpenApiDocument
}

/** Every operation of the server, in order. */
export async function everyOperation(): Promise<Subject[]> {
  const app = buildApp()
  await app.fastify.ready()
  const subjects = INTERFACES.flatMap((definition) => {
    const routes = app.routes.get(definition.name) ?? []
    const { document } = contractOf({ definition, routes })
    return routes.map((route) => ({
      title: `${definition.name} ${route.method} ${route.path}`,
      route,
      document,
    }))
  })
  await app.close()
  return subjects
}

/** Fields whose examples no document can know: they name a record of the very workspace that is spoken to. */
const OF_THIS_WORKSPACE: Readonly<Record<string, (fresh: FreshApp) => unknown>> = {
  ownerId: (fresh) => fresh.user.id,
}

/** The published example of what the operation takes; undefined where it takes nothing. */
export function exampleBody(
  fresh: FreshApp,
  document: OpenApiDocument,
  method: string,
  path: string,
): Record<string, unknown> | undefined {
  const { requestBody } = document.paths[path]?.[method.toLowerCase()] ?? {}
  const content = requestBody?.['content'] as Record<string, { example: Record<string, unknown> }> | undefined
  const example = content?.['application/json']?.example
  if (!example) return undefined
  const known = Object.entries(OF_THIS_WORKSPACE).filter(([field]) => field in example)
  return { ...example, ...Object.fromEntries(known.map(([field, value]) => [field, value(fresh)])) }
}

/** The path with the id of a record that was just made in the place of each parameter. */
export async function pathOfNewRecord(fresh: FreshApp, subject: Subject): Promise<string> {
  const { route } = subject
  let template = ''
  let path = ''
  for (const segment of route.path.split('/').slice(1)) {
    path += segment.startsWith('{') ? `/${await newRecord(fresh, subject, template, path)}` : `/${segment}`
    template += `/${segment}`
  }
  return path
}

async function newRecord(
  fresh: FreshApp,
  { document, route }: Subject,
  template: string,
  path: string,
): Promise<string> {
  const body = exampleBody(fresh, document, 'POST', template)
  const made = await fresh.at(route.interface)('POST', path, { body })
  if (made.status !== 201) throw new Error(`POST ${path} with its example answered ${made.text}`)
  const id = idIn(made.body)
  if (id === undefined) throw new Error(`POST ${path} answered without an id: ${made.text}`)
  return id
}

/** The id of a record, bare or in an envelope: {id}, {data: {id}}, {webhook: {id}, secret}. */
function idIn(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  const { id } = body as { id?: unknown }
  if (typeof id === 'string' || typeof id === 'number') return String(id)
  return Object.values(body)
    .map(idIn)
    .find((each) => each !== undefined)
}

export interface PreparedCall {
  readonly call: Call
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Relative to the interface's base path. */
  readonly path: string
  readonly body: Record<string, unknown> | undefined
}

/** A call of the operation that is taken, ready to be made. */
export async function preparedCall(fresh: FreshApp, subject: Subject): Promise<PreparedCall> {
  const { route, document } = subject
  return {
    call: fresh.at(route.interface),
    method: route.method as PreparedCall['method'],
    path: await pathOfNewRecord(fresh, subject),
    body: exampleBody(fresh, document, route.method, route.path),
  }
}
