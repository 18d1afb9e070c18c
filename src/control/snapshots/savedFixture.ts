/** Named snapshots as the fixtures of new workspaces: `{workspace, snapshot}`. */
import { Type } from '@sinclair/typebox'
import { nearestName } from '@suite-sim/kit/text/nearestName'
import { problemsOf } from '../../http/schemas/validation.ts'
import { Refusal, refuse } from '../../state/model/refusal.ts'
import { findSaved, listSaved, type SavedSnapshot } from '../../state/storage/records/savedSnapshots.ts'
import type { Registry } from '../../state/workspace/registry.ts'
import { shardOfIdHint } from '../../state/workspace/shard.ts'
import { SavedFixture } from '../shared/schemas.ts'

/** The maximum number of ids, the newest, that are compared with an unknown one. */
const MAX_COMPARED = 1000

const inBody = Type.Object({ fixtures: SavedFixture })

/** True for an object that can't be a snapshot: a snapshot has an object `workspace`, and no `snapshot`. */
export const isSavedFixture = (fixtures: Readonly<Record<string, unknown>>): boolean =>
  'snapshot' in fixtures || typeof fixtures['workspace'] === 'string'

/** Returns the snapshot that the body field `fixtures` names, or refuses it. */
export function savedFixture(
  workspaces: Registry,
  fixtures: Readonly<Record<string, unknown>>,
): SavedSnapshot {
  const details = problemsOf(inBody, { fixtures })
  if (details.length > 0) {
    throw new Refusal('invalid', details.map(({ message }) => message).join('; '), { details })
  }
  const { workspace: id, snapshot: name } = fixtures as { workspace: string; snapshot: string }
  const workspace = workspaces.find(id) ?? refuseNear(workspaces, id)
  const saved = findSaved(workspace, name)
  if (saved) return saved
  const names = listSaved(workspace).map((each) => each.name)
  const nearest = nearestName(name, names)
  const hint =
    nearest !== null
      ? `did you mean ${nearest}?`
      : names.length > 0
        ? `its snapshots are ${names.join(', ')}`
        : 'POST /_sim/workspaces/{id}/snapshots saves one'
  return refuse('not_found', `The workspace ${id} has no snapshot ${name}; ${hint}`)
}

function refuseNear(workspaces: Registry, id: string): never {
  const newest = workspaces.tenantIds().slice(-MAX_COMPARED)
  const ids = newest.flatMap((tenantId) => workspaces.byTenantId(tenantId)?.id ?? [])
  const nearest = nearestName(id, ids)
  const hint = nearest === null ? `.${shardOfIdHint(id, workspaces.shard)}` : `; did you mean ${nearest}?`
  return refuse('not_found', `There is no workspace ${id}${hint}`)
}
