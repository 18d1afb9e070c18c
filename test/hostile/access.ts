/**
 * Checks authentication and permissions of a running server: calls each operation with every kind of invalid
 * credential, based on its document. A refused call must change nothing.
 */
import { Connection } from './connection.ts'
import type { Findings } from './findings.ts'
import { pathOf, requiredQuery, validRequest } from './generators/valid.ts'
import { bytesOf, type Header, type HostileRequest } from './request.ts'
import type { Operation, Surface } from './surface.ts'
import type { AttackedWorkspace } from './attackedWorkspace.ts'
import type { Target } from './target.ts'
import { noteForeign, problemsOf } from './verdict.ts'
import { makeAttackedWorkspace, Sentinel } from './workspaces.ts'

const DEADLINE_MS = 10_000

/** Some interfaces return 404 for an unknown key. */
const UNKNOWN = [401, 404]
/** The control plane limits wrong tokens after some attempts. */
const WRONG_TOKEN = [401, 429]

interface Check {
  /** "an expired key" */
  readonly with: string
  readonly request: HostileRequest
  readonly statuses: readonly number[]
}

export interface AccessReport {
  readonly checks: number
}

export async function accessRun(target: Target, surface: Surface, findings: Findings): Promise<AccessReport> {
  const sentinel = await Sentinel.make(target, surface)
  const prey = await makeAttackedWorkspace(target, sentinel.recordIds)
  const keys = new Keys(target, surface, prey)
  const other = await makeAttackedWorkspace(target, [])
  const connection = new Connection(target.port)
  let checks = 0
  for (const operation of surface.operations) {
    for (const check of await checksOf(operation, prey, other, sentinel, keys)) {
      checks++
      const { request, statuses } = check
      noteForeign(prey, request)
      const outcome = await connection.send(bytesOf(request, '127.0.0.1'), request.method, DEADLINE_MS)
      const status = outcome.kind === 'answered' ? outcome.answer.status : outcome.kind
      const wrong = statuses.includes(Number(status))
        ? []
        : [`answered ${String(status)} to ${check.with}, not ${statuses.join(' or ')}`]
      for (const problem of [...wrong, ...problemsOf(operation, prey, request, outcome)])
        findings.add({
          operation: operation.title,
          number: null,
          kind: 'access',
          problem,
          requests: [request],
        })
    }
  }
  connection.close()
  const changed = await sentinel.difference()
  if (changed !== null)
    findings.add({
      operation: 'the server',
      number: null,
      kind: 'access',
      problem: `what was refused changed something: ${changed}`,
      requests: [],
    })
  return { checks }
}

/** Keys of the workspace that lack a permission or an interface, created on first use. */
class Keys {
  readonly #target: Target
  readonly #surface: Surface
  readonly #prey: AttackedWorkspace
  readonly #made = new Map<string, Promise<string>>()

  constructor(target: Target, surface: Surface, prey: AttackedWorkspace) {
    this.#target = target
    this.#surface = surface
    this.#prey = prey
  }

  #key(fields: object): Promise<string> {
    const name = JSON.stringify(fields)
    let key = this.#made.get(name)
    if (!key) {
      const body = { workspaceId: this.#prey.id, ...fields }
      key = this.#target.must<{ key: string }>('POST', '/_sim/keys', body).then((made) => made.key)
      this.#made.set(name, key)
    }
    return key
  }

  expired(): Promise<string> {
    return this.#key({ expiresAt: '2001-01-01T00:00:00.000Z' })
  }

  /** A key with all permissions except these. */
  without(scopes: readonly string[], alternative: unknown): Promise<string> {
    const others = this.#surface.scopes.filter((each) => !scopes.includes(each) && each !== alternative)
    return this.#key({ scopes: others })
  }

  /** A key for every interface except this one. */
  forOtherInterfaces(name: string): Promise<string> {
    return this.#key({ interfaces: this.#surface.interfaces.filter((each) => each !== name) })
  }
}

async function checksOf(
  operation: Operation,
  prey: AttackedWorkspace,
  other: AttackedWorkspace,
  sentinel: Sentinel,
  keys: Keys,
): Promise<Check[]> {
  const { credential, isControl, scopes, published } = operation
  if (!credential) return [{ with: 'no credential where none is asked for', ...taken(operation, prey) }]
  const valid = validRequest(operation, prey)
  const rest = valid.headers.filter(([name]) => name !== credential.header)
  const withHeaders = (headers: readonly Header[], request = valid): HostileRequest => ({
    ...request,
    headers: [...headers, ...rest],
  })
  const withKey = (key: string, request = valid): HostileRequest =>
    withHeaders([[credential.header, credential.prefix + key]], request)
  const otherHeader = credential.header === 'Authorization' ? 'X-API-Key' : 'Authorization'
  const right = isControl ? prey.adminToken : prey.key
  const unknown = isControl ? WRONG_TOKEN : UNKNOWN
  const missing: Check[] = [
    { with: 'no credential', request: withHeaders([]), statuses: [401] },
    { with: 'an empty credential', request: withHeaders([[credential.header, '']]), statuses: [401] },
    { with: 'a credential in another header', request: withHeaders([[otherHeader, right]]), statuses: [401] },
    {
      with: 'a credential in the query',
      request: {
        ...withHeaders([]),
        target: `${valid.target}${valid.target.includes('?') ? '&' : '?'}key=${right}&token=${right}`,
      },
      statuses: [401],
    },
    { with: 'an unknown credential', request: withKey('nobodys-key'), statuses: unknown },
    { with: 'a name that every object has', request: withKey('__proto__'), statuses: unknown },
    { with: 'a credential that is cut short', request: withKey(right.slice(0, -1)), statuses: unknown },
    { with: 'a credential and more', request: withKey(`${right}x`), statuses: unknown },
    ...(credential.prefix === ''
      ? []
      : [
          {
            with: 'another scheme',
            request: withHeaders([[credential.header, `Basic ${right}`]]),
            statuses: [401],
          },
        ]),
  ]
  if (isControl)
    return [...missing, { with: 'the key of a workspace', request: withKey(prey.key), statuses: WRONG_TOKEN }]

  // Interfaces without a 403 use 401 for missing permissions as well.
  const forbidden = ['403' in published.responses ? 403 : 401]
  const name = operation.published.tags[0]?.split(':')[0] ?? ''
  const [parameter] = operation.parameters.filter((each) => each.in === 'path').slice(-1)
  return [
    ...missing,
    { with: 'the admin token', request: withKey(prey.adminToken), statuses: UNKNOWN },
    { with: 'an expired key', request: withKey(await keys.expired()), statuses: [401] },
    {
      with: 'a key of other interfaces',
      request: withKey(await keys.forOtherInterfaces(name)),
      statuses: forbidden,
    },
    ...(scopes.length > 0
      ? [
          {
            with: 'a key without the permission',
            request: withKey(await keys.without(scopes, published['x-scope-alternative'])),
            statuses: [403],
          },
        ]
      : []),
    ...(parameter
      ? sentinel.recordIds.map((id) => ({
          with: 'the id of a record of another workspace',
          request: withKey(other.key, {
            ...valid,
            target: pathOf(operation, prey, { [parameter.name]: id }) + requiredQuery(operation, prey),
          }),
          statuses: [404],
        }))
      : []),
  ]
}

function taken(operation: Operation, prey: AttackedWorkspace): Omit<Check, 'with'> {
  const statuses = Object.keys(operation.published.responses)
    .map(Number)
    .filter((status) => status < 300)
  const request = validRequest(operation, prey)
  // Copies of the workspace have records with the same ids, so a call without a key names the workspace.
  const isNamed = operation.parameters.some((each) => each.in === 'query' && each.name === 'workspace')
  if (!isNamed || request.target.includes('?')) return { request, statuses }
  return { request: { ...request, target: `${request.target}?workspace=${prey.id}` }, statuses }
}
