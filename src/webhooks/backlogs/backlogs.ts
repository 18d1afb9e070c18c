/** The backlogs of all workspaces and origins. */
import type { Database } from '../../state/storage/database/database.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { Backlog } from './backlog.ts'
import { nextDueTime, pendingGroups } from '../deliveries/dueDeliveries.ts'
import { Origin } from './origin.ts'

/** The number of origins whose state is kept. */
const MAX_ORIGINS = 1000

interface DueBacklog {
  readonly backlog: Backlog
  readonly due: number
}

export class Backlogs {
  readonly #database: Database
  readonly #perOrigin: number
  readonly #byWorkspace = new Map<number, Map<string, Backlog>>()
  readonly #origins = new Map<string, Origin>()
  #isRecovered = false

  /** `perOrigin` limits the attempts in flight to one origin. */
  constructor(database: Database, perOrigin: number) {
    this.#database = database
    this.#perOrigin = perOrigin
  }

  /** Reads the pending deliveries of the file once. */
  recover(): void {
    if (this.#isRecovered) return
    this.#isRecovered = true
    for (const { workspace, origin, due } of pendingGroups(this.#database)) {
      this.get(workspace, origin).expect(due)
    }
  }

  of(rowScope: number): Backlog[] {
    return [...(this.#byWorkspace.get(rowScope)?.values() ?? [])]
  }

  all(): Backlog[] {
    return [...this.#byWorkspace.values()].flatMap((backlogs) => [...backlogs.values()])
  }

  /** Returns the backlog of a workspace with the earliest due time, on its clock; null if nothing is pending. */
  firstDue(workspace: Workspace, excludedOrigins?: ReadonlySet<string>): DueBacklog | null {
    let first: DueBacklog | null = null
    for (const backlog of this.of(workspace.rowScope)) {
      const { name } = backlog.origin
      if (excludedOrigins?.has(name) === true) continue
      const due = nextDueTime(workspace, name, -Infinity)
      if (due < (first?.due ?? Infinity)) first = { backlog, due }
    }
    return first
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
