/** A workspace that is attacked, with what an attack has to know about it. */
import { latin1, type HostileRequest } from './request.ts'

export interface Prey {
  readonly id: string
  /** May do everything. */
  readonly key: string
  /** Keys that may do nothing, or nothing any more, and texts that are none. */
  readonly badKeys: readonly string[]
  /** Ids of records of a workspace that nobody may touch. */
  readonly foreignIds: readonly string[]
  /** Those of them that it was sent, and may answer with from then on. */
  readonly told: Set<string>
  readonly adminToken: string
}

/** The request as it is sent to a server that has just been started with the demo data. */
export function inPrint(request: HostileRequest, { id, key }: Prey): HostileRequest {
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
