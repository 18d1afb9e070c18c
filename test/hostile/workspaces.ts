/** The workspaces of a run: attacked ones, and one that must not change. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { AttackedWorkspace } from './attackedWorkspace.ts'
import { validRequest } from './generators/valid.ts'
import type { Operation, Surface } from './surface.ts'
import { idIn, type Target } from './target.ts'

interface Made {
  readonly workspace: { readonly id: string }
  readonly key: string
}

const EXPIRED = '2001-01-01T00:00:00.000Z'

/** Creates a workspace with the demo data, to which the published examples refer. */
export async function makeAttackedWorkspace(
  target: Target,
  foreignIds: readonly string[],
): Promise<AttackedWorkspace> {
  const made = await target.must<Made>('POST', '/_sim/workspaces', { name: 'Prey', fixtures: 'demo' })
  const workspaceId = made.workspace.id
  const keys = await Promise.all(
    [{ scopes: [] }, { interfaces: [] }, { expiresAt: EXPIRED }].map((fields) =>
      target.must<{ key: string }>('POST', '/_sim/keys', { workspaceId, ...fields }),
    ),
  )
  const badKeys = [...keys.map(({ key }) => key), 'nobodys-key']
  return {
    id: workspaceId,
    key: made.key,
    badKeys,
    foreignIds,
    sentForeignIds: new Set(),
    adminToken: target.adminToken,
  }
}

/** Watches a workspace that must not change. */
export class Sentinel {
  readonly id: string
  readonly key: string
  /** Ids of records that no other workspace has. */
  readonly recordIds: readonly string[]
  readonly #target: Target
  readonly #before: string

  private constructor(target: Target, made: Made, recordIds: readonly string[], before: string) {
    this.#target = target
    this.id = made.workspace.id
    this.key = made.key
    this.recordIds = recordIds
    this.#before = before
  }

  /** Creates it with the demo data and one record of every creating operation. */
  static async make(target: Target, { operations }: Surface): Promise<Sentinel> {
    const made = await target.must<Made>('POST', '/_sim/workspaces', { name: 'Sentinel', fixtures: 'demo' })
    const { id } = made.workspace
    await target.must('PUT', `/_sim/workspaces/${id}/clock`, { frozen: true })
    const prey: AttackedWorkspace = {
      id,
      key: made.key,
      badKeys: [],
      foreignIds: [],
      sentForeignIds: new Set(),
      adminToken: target.adminToken,
    }
    const ids = new Set<string>()
    for (const operation of operations.filter(makesRecord)) {
      const { method, target: path, headers, body } = validRequest(operation, prey)
      const parsed = body === null ? undefined : (JSON.parse(body.toString()) as unknown)
      const answer = await target.call(method, path, parsed, Object.fromEntries(headers))
      const recordId = answer.status === 201 ? idIn(answer.body) : undefined
      if (recordId !== undefined) ids.add(recordId)
    }
    const others = await stateOf(target, 'demo')
    // Numbers that count per workspace do not identify records.
    const recordIds = [...ids].filter((each) => each.length > 8 && !others.includes(each))
    return new Sentinel(target, made, recordIds, await stableState(target, id))
  }

  /** The first change since its creation; null if there is none. */
  async difference(): Promise<string | null> {
    const after = await stateOf(this.#target, this.id)
    return after === this.#before ? null : difference(this.#before, after)
  }
}

const makesRecord = (operation: Operation): boolean =>
  operation.method === 'POST' &&
  !operation.isControl &&
  !operation.path.includes('{') &&
  operation.takes?.isForm === false

/** The records of a workspace, without the times of its creation and deliveries. */
export async function recordsOf(target: Target, id: string): Promise<string> {
  const { text } = await target.call('GET', `/_sim/workspaces/${id}/snapshot`)
  return text
}

/** The complete state of a workspace as text. */
export async function stateOf(target: Target, id: string): Promise<string> {
  const parts = await Promise.all(
    ['', '/snapshot', '/subscriptions', '/emails?limit=1000', '/deliveries?limit=1000'].map((path) =>
      target.call('GET', `/_sim/workspaces/${id}${path}`),
    ),
  )
  return parts.map(({ status, text }) => `${String(status)} ${text}`).join('\n')
}

/** The state after the first attempts of deliveries have ended. */
async function stableState(target: Target, id: string): Promise<string> {
  let before = await stateOf(target, id)
  for (let quiet = 0; quiet < 3;) {
    await sleep(100)
    const now = await stateOf(target, id)
    quiet = now === before ? quiet + 1 : 0
    before = now
  }
  return before
}

/** The first difference of two texts. */
export function difference(before: string, after: string): string {
  let at = 0
  while (before[at] === after[at]) at++
  const from = Math.max(0, at - 60)
  return `${before.slice(from, at + 100)} became ${after.slice(from, at + 100)}`
}
