/** A workspace under attack, and the data that attacks need. */
import { latin1, type HostileRequest } from './request.ts'

export interface AttackedWorkspace {
  readonly id: string
  /** Has all permissions. */
  readonly key: string
  /** Keys without permissions, revoked keys, and texts that are not keys. */
  readonly badKeys: readonly string[]
  /** Ids of records of a workspace that must not change. */
  readonly foreignIds: readonly string[]
  /** The foreign ids that were sent to it, which it may return from then on. */
  readonly sentForeignIds: Set<string>
  readonly adminToken: string
}

/** The request as it is sent to a new server with the demo data. */
export function printable(request: HostileRequest, { id, key }: AttackedWorkspace): HostileRequest {
  const renamed = (text: string): string => text.replaceAll(key, 'demo-key').replaceAll(id, 'demo')
  const renamedBytes = (bytes: Buffer): Buffer => latin1(renamed(bytes.toString('latin1')))
  return {
    ...request,
    target: renamed(request.target),
    headers: request.headers.map(([name, value]) => [name, renamed(value)]),
    body: request.body && renamedBytes(request.body),
    ...(request.wire && { wire: renamedBytes(request.wire) }),
  }
}
