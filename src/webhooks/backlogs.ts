/** The backlogs of all workspaces and origins. */
import { Backlog } from './backlog.ts'
import { Origin } from './origin.ts'

/** The number of origins whose state is kept. */
const MAX_ORIGINS = 1000

export class Backlogs {
  readonly #perOrigin: number
  readonly #byWorkspace = new Map<number, Map<string, Backlog>>()
  readonly #origins = new Map<string, Origin>()

  /** `perOrigin` limits the attempts in flight to one origin. */
  constructor(perOrigin: number) {
    this.#perOrigin = perOrigin
  }

  of(rowScope: number): Backlog[] {
    return [...(this.#byWorkspace.get(rowScope)?.values() ?? [])]
  }

  all(): Backlog[] {
    return [...this.#byWorkspace.values()].flatMap((backlogs) => [...backlogs.values()])
  }

  /** Returns the backlog of a workspace and an origin; creates it if it is missing. */
  get(rowScope: number, origin: string): Backlog {
    let backlogs = this.#byWorkspace.get(rowScope)
    if (!backlogs) this.#byWorkspace.set(rowScope, (backlogs = new Map<string, Backlog>()))
    let backlog = backlogs.get(origin)
    if (!backlog) backlogs.set(origin, (backlog = new Backlog(rowScope, this.#origin(origin))))
    return backlog
  }

  remove(backlog: Backlog): void {
    const { workspace: rowScope, origin } = backlog
    const backlogs = this.#byWorkspace.get(rowScope)
    if (backlogs?.get(origin.name) !== backlog) return
    backlogs.delete(origin.name)
    origin.backlogs--
    if (backlogs.size === 0) this.#byWorkspace.delete(rowScope)
  }

  #origin(name: string): Origin {
    let origin = this.#origins.get(name)
    if (!origin) {
      this.#removeIdleOrigins()
      this.#origins.set(name, (origin = new Origin(name, this.#perOrigin)))
    }
    origin.backlogs++
    return origin
  }

  #removeIdleOrigins(): void {
    if (this.#origins.size < MAX_ORIGINS) return
    for (const [name, { backlogs, inFlight }] of this.#origins) {
      if (backlogs === 0 && inFlight === 0) this.#origins.delete(name)
    }
  }
}
