/** A valid call from the document, from which attacks start. */
import type { AttackedWorkspace } from '../attackedWorkspace.ts'
import { encodedLoosely, type Header, type HostileRequest } from '../request.ts'
import type { Operation, Parameter } from '../surface.ts'
import { formBytes, exampleParts } from './parts.ts'

export const JSON_TYPE: Header = ['content-type', 'application/json']

/** The credential of an operation in its header. */
export function credentialHeaders(
  { credential, isControl }: Operation,
  prey: AttackedWorkspace,
  key?: string,
): Header[] {
  if (!credential) return []
  return [[credential.header, credential.prefix + (key ?? (isControl ? prey.adminToken : prey.key))]]
}

/** The names of the demo in the examples. The demo itself is never attacked. */
const DEMO = { workspace: 'demo', key: 'demo-key' }

/** Replaces the demo workspace in control plane examples with the attacked one. */
function ownName(operation: Operation, prey: AttackedWorkspace, value: unknown): unknown {
  if (!operation.isControl) return value
  if (value === DEMO.workspace) return prey.id
  return value === DEMO.key ? (prey.badKeys[0] ?? '') : value
}

export const exampleOf = (operation: Operation, prey: AttackedWorkspace, { schema }: Parameter): unknown =>
  ownName(operation, prey, schema.examples?.[0] ?? schema.enum?.[0] ?? 'unknown')

/** The path with values for the named parameters, and examples for the others. */
export function pathOf(
  operation: Operation,
  prey: AttackedWorkspace,
  values: Readonly<Record<string, string>> = {},
): string {
  return operation.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const parameter = operation.parameters.find((each) => each.in === 'path' && each.name === name)
    return (
      values[name] ?? encodedLoosely(String(parameter ? exampleOf(operation, prey, parameter) : 'unknown'))
    )
  })
}

/** The required query parameters, "?pipeline_id=..."; mostly empty. */
export function requiredQuery(operation: Operation, prey: AttackedWorkspace): string {
  const pairs = operation.parameters
    .filter((each) => each.in === 'query' && each.required)
    .map((each) => `${each.name}=${encodedLoosely(String(exampleOf(operation, prey, each)))}`)
  return pairs.length > 0 ? `?${pairs.join('&')}` : ''
}

/** The published example of the body; undefined if the operation takes none. */
export function exampleBody({ takes, isControl }: Operation, prey: AttackedWorkspace): unknown {
  const example = takes?.example
  if (!isControl || typeof example !== 'object' || example === null || !('workspaceId' in example))
    return example
  return { ...example, workspaceId: prey.id }
}

export function validRequest(operation: Operation, prey: AttackedWorkspace): HostileRequest {
  const { method, takes } = operation
  const target = pathOf(operation, prey) + requiredQuery(operation, prey)
  const credential = credentialHeaders(operation, prey)
  if (!takes) return { method, target, headers: credential, body: null }
  if (takes.isForm) {
    const { type, bytes } = formBytes(exampleParts(takes))
    return { method, target, headers: [...credential, ['content-type', type]], body: bytes }
  }
  const body = Buffer.from(JSON.stringify(exampleBody(operation, prey)))
  return { method, target, headers: [...credential, JSON_TYPE], body }
}
