/** The keys that a session makes for its calls, one for each workspace. They are deleted with the session. */
import { setTimeout as pause } from 'node:timers/promises'
import { type Remote, pathOf } from '@suite-sim/kit/terminal/remote'
import { segmentOf } from '@suite-sim/kit/paths'

export interface KeyRights {
  /** All scopes if undefined. */
  readonly scopes?: readonly string[]
  /** All interfaces if undefined. */
  readonly interfaces?: readonly string[]
}

/** The milliseconds that the server may take to make a key, or to delete it, at the end of the session. */
const MAX_WAIT = 5000
const SILENT = 'the server does not respond'

export class SessionKeys {
  readonly #remote: Remote
  readonly #rights: KeyRights
  readonly #maxWaitMs: number
  readonly #keys = new Map<string, Promise<string>>()
  #isClosed = false

  constructor(remote: Remote, rights: KeyRights, maxWaitMs = MAX_WAIT) {
    this.#remote = remote
    this.#rights = rights
    this.#maxWaitMs = maxWaitMs
  }

  /** Returns the key of the session in a workspace. Makes it at the first call. */
  async of(workspace: string): Promise<string> {
    if (this.#isClosed) throw new Error('the session has ended')
    const known = this.#keys.get(workspace)
    if (known) return known
    const key = this.#make(workspace)
    this.#keys.set(workspace, key)
    key.catch(() => this.#keys.delete(workspace))
    return key
  }

  async #make(workspace: string): Promise<string> {
    const { key } = await this.#remote.call<{ key: string }>(
      'POST',
      `${pathOf(workspace)}/keys`,
      this.#rights,
    )
    return key
  }

  /** Returns a new key if the workspace no longer has this one, as after a restart without a database; else null. */
  async renew(workspace: string, key: string): Promise<string | null> {
    const { data } = await this.#remote.call<{ data: { key: string }[] }>('GET', `${pathOf(workspace)}/keys`)
    if (data.some((each) => each.key === key)) return null
    if ((await this.#keys.get(workspace)) === key) this.#keys.delete(workspace)
    return this.of(workspace)
  }

  /** Deletes the keys. Returns a message for each that could not be deleted. */
  async close(): Promise<string[]> {
    this.#isClosed = true
    const results = await Promise.all([...this.#keys].map(([workspace, key]) => this.#delete(workspace, key)))
    this.#keys.clear()
    return results.flatMap((message) => message ?? [])
  }

  async #delete(workspace: string, made: Promise<string>): Promise<string | null> {
    const key = await Promise.race([
      made.catch(() => null),
      pause(this.#maxWaitMs, undefined, { ref: false }),
    ])
    if (key === null) return null
    if (key === undefined) return `the key of this session in ${workspace} may exist: ${SILENT}`
    try {
      const path = `/_sim${pathOf(workspace)}/keys/${segmentOf('key', key)}`
      const { status } = await this.#remote.ask(
        'DELETE',
        path,
        undefined,
        AbortSignal.timeout(this.#maxWaitMs),
      )
      if (status < 400 || status === 404) return null
      return `the key of this session in ${workspace} was not deleted: the server responded with ${String(status)}`
    } catch {
      return `the key of this session in ${workspace} was not deleted: ${SILENT}`
    }
  }
}
