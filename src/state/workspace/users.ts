/** The users of a workspace, who own keys and records. */
import { eq, sql } from 'drizzle-orm'
import { statement, type Database } from '../storage/database/database.ts'
import { refuse } from '../model/refusal.ts'
import { users } from '../storage/tables.ts'

/** The most users of a workspace. They are kept in memory. */
export const MAX_USERS = 10_000

export type User = Omit<typeof users.$inferSelect, 'workspace'>

/** A user to add or update. A new one is created now unless `createdAt` says otherwise. */
export type NewUser = Omit<User, 'createdAt'> & { readonly createdAt?: number }

/** Cached until one of them is written, or all are replaced. Other writes of the workspace do not change them. */
export class Users {
  readonly #database: Database
  readonly #workspace: number
  #cached: ReadonlyMap<string, User> | null = null

  constructor(database: Database, workspace: number) {
    this.#database = database
    this.#workspace = workspace
  }

  /** The users by id, in the order of creation. The same map has the same users. */
  get all(): ReadonlyMap<string, User> {
    if (this.#cached) return this.#cached
    const rows = usersOf(this.#database).all({ workspace: this.#workspace })
    const byId = new Map(rows.map((user) => [user.id, user]))
    // Uncommitted users may be undone or lost.
    if (!this.#database.hasUncommittedWrites) this.#cached = byId
    return byId
  }

  /** Must be called when users were written. */
  forget(): void {
    this.#cached = null
  }

  /** Refuses new users beyond the limit. Inside a `write`, it reads all users: call it once for a list. */
  mustHaveRoomFor(ids: readonly string[]): void {
    const { all } = this
    const added = ids.filter((id) => !all.has(id)).length
    if (added > 0 && all.size + added > MAX_USERS)
      refuse('invalid', `A workspace has at most ${String(MAX_USERS)} users.`)
  }

  /**
   * Adds a user, or updates the one with this id. Its creation time becomes `changedTo`, or stays if that is null.
   * Only inside a `write`, after `mustHaveRoomFor`.
   */
  put(user: User, changedTo: number | null): User {
    this.forget()
    return putUser(this.#database).get({ ...user, changedTo, workspace: this.#workspace })
  }
}

const usersOf = statement((orm) =>
  orm
    .select({ id: users.id, name: users.name, email: users.email, createdAt: users.createdAt })
    .from(users)
    .where(eq(users.workspace, sql.placeholder('workspace')))
    .orderBy(sql`rowid`)
    .prepare(),
)

const putUser = statement((orm) =>
  orm
    .insert(users)
    .values({
      id: sql.placeholder('id'),
      name: sql.placeholder('name'),
      email: sql.placeholder('email'),
      createdAt: sql.placeholder('createdAt'),
      workspace: sql.placeholder('workspace'),
    })
    .onConflictDoUpdate({
      target: [users.workspace, users.id],
      set: {
        name: sql`excluded.name`,
        email: sql`excluded.email`,
        createdAt: sql`coalesce(${sql.placeholder('changedTo')}, ${users.createdAt})`,
      },
    })
    .returning({ id: users.id, name: users.name, email: users.email, createdAt: users.createdAt })
    .prepare(),
)
