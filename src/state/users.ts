/** The users of a workspace, whom keys belong to and records show as their owners. */
import { eq, sql } from 'drizzle-orm'
import { statement, type Database } from './database.ts'
import { users } from './tables.ts'
import type { Table } from './versions.ts'

export type User = Omit<typeof users.$inferSelect, 'workspace'>

/** Remembered between requests, for as long as nothing has been written to their table. */
export class Users {
  readonly #database: Database
  readonly #workspace: number
  readonly #table: Table
  #remembered: { readonly known: ReadonlyMap<string, User>; readonly version: number } | null = null

  /** `table` is that of all users. */
  constructor(database: Database, workspace: number, table: Table) {
    this.#database = database
    this.#workspace = workspace
    this.#table = table
  }

  /** By their ids, in the order in which they were made. */
  get all(): ReadonlyMap<string, User> {
    const { version } = this.#table
    // What a write has added and was undone since is a change of the table as well.
    if (this.#remembered?.version !== version) {
      const rows = usersOf(this.#database).all({ workspace: this.#workspace })
      this.#remembered = { known: new Map(rows.map((user) => [user.id, user])), version }
    }
    return this.#remembered.known
  }

  /** Adds a user, or changes the one with this id; that one was made at `changedTo` then, or when it was for null. */
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
