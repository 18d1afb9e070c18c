/** All that is owed, by workspace and origin. */
import { Backlog } from './backlog.ts'
import { Origin } from './origin.ts'

/** Origins of which is remembered how they answer. */
const MAX_ORIGINS = 1000

export class Backlogs {
  readonly #perOrigin: number
  readonly #byWorkspace = new Map<number, Map<string, Backlog>>()
  readonly #origins = new Map<string, Origin>()

  /** So many attempts may be under way to one origin. */
  constructor(perOrigin: number) {
    this.#perOrigin = perOrigin
  }

  of(workspace: number): Backlog[] {
    return [...(this.#byWorkspace.get(workspace)?.values() ?? [])]
  }

  all(): Backlog[] {
    return [...this.#byWorkspace.values()].flatMap((backlogs) => [...backlogs.values()])
  }

  /** That of a workspace to an origin, made unless it is there. */
  get(workspace: number, origin: string): Backlog {
    let backlogs = this.#byWorkspace.get(workspace)
    if (!backlogs) this.#byWorkspace.set(workspace, (backlogs = new Map<string, Backlog>()))
    let backlog = backlogs.get(origin)
    if (!backlog) backlogs.set(origin, (backlog = new Backlog(workspace, this.#origin(origin))))
    return backlog
  }

  remove(backlog: Backlog): void {
    const { workspace, origin } = backlog
    const backlogs = this.#byWorkspace.get(workspace)
    if (backlogs?.get(origin.name) !== backlog) return
    backlogs.delete(origin.name)
    origin.backlogs--
    if (backlogs.size === 0) this.#byWorkspace.delete(workspace)
  }

  #origin(name: string): Origin {
    let origin = this.#origins.get(name)
    if (!origin) {
      this.#forgetOrigins()
      this.#origins.set(name, (origin = new Origin(name, this.#perOrigin)))
    }
    origin.backlogs++
    return origin
  }

  #forgetOrigins(): void {
    if (this.#origins.size < MAX_ORIGINS) return
    for (const [name, { backlogs, given }] of this.#origins) {
      if (backlogs === 0 && given === 0) this.#origins.delete(name)
    }
  }
}
