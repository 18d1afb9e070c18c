/** The users of a workspace, who own keys and records. */
import { eq, sql } from 'drizzle-orm'
import { statement, type Database } from '../storage/database/database.ts'
import { users } from '../storage/tables.ts'
import type { Table } from '../storage/sqlite/index.ts'

export type User = Omit<typeof users.$inferSelect, 'workspace'>

/** Cached until their table is written. */
export class Users {
  readonly #database: Database
  readonly #workspace: number
  readonly #table: Table
  #cached: { readonly byId: ReadonlyMap<string, User>; readonly version: number } | null = null

  /** `table` is the table of all users. */
  constructor(database: Database, workspace: number, table: Table) {
    this.#database = database
    this.#workspace = workspace
    this.#table = table
  }

  /** The users by id, in the order of creation. */
  get all(): ReadonlyMap<string, User> {
    const { version } = this.#table
    // An undone write also changes the version of the table.
    if (this.#cached?.version !== version) {
      const rows = usersOf(this.#database).all({ workspace: this.#workspace })
      this.#cached = { byId: new Map(rows.map((user) => [user.id, user])), version }
    }
    return this.#cached.byId
  }

  /**
   * Adds a user, or updates the one with this id. Its creation time becomes `changedTo`, or stays if that is null.
   */
  put(user: User, changedTo: number | null): User {
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
