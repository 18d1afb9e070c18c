/**
 * Agents: the users of a workspace, and invited people. Specification part 3, "Agent and team". A user with an invited address
 * is that agent. The other users have consecutive numbers in their order, which skip the numbers of invited agents.
 */
import { asc, sql } from 'drizzle-orm'
import { ofWorkspace, query } from '../storage/queries/query.ts'
import { record } from '../storage/records/record.ts'
import { refuseProperty } from '../model/refusal.ts'
import { emailKey } from '../text/emailAddresses.ts'
import type { User } from '../workspace/users.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { agents as table } from './tables.ts'
import { isChange } from '../storage/unchanged.ts'

type Row = typeof table.$inferSelect

export interface Agent extends Pick<Row, 'role' | 'availability' | 'confirmed'> {
  /** The id that conversations store: of a user or of an invitation. */
  readonly id: string
  /** The id in the interface. */
  readonly number: number
  readonly name: string
  readonly email: string
  /** Whether it was invited, or its role or availability was set. Auto-assignment skips users who only have a key. */
  readonly isEnrolled: boolean
}

const IS_INVITED = sql`${table.number} is not null and ${table.removedAt} is null`

/** The most invited agents of an account. One response lists all of them. */
export const MAX_AGENTS = 1000

export const agentRecords = record(table, {
  noun: 'agent',
  limit: { count: MAX_AGENTS, called: 'agents', counted: IS_INVITED },
  snapshot: {
    section: 'conversations',
    name: 'agents',
  },
})

const everyRow = query((orm) => orm.select().from(table).where(ofWorkspace(table)).orderBy(asc(table.number)))

/** The defaults of users who were created with the workspace or by the control plane. */
const USER_DEFAULTS = { role: 'administrator', availability: 'online', confirmed: true } as const

interface AgentEntry extends Agent {
  readonly user: User | undefined
  readonly isRemoved: boolean
}

/** All agents, including removed ones. */
interface Directory {
  /** In the order of their numbers. */
  readonly all: readonly AgentEntry[]
  readonly byId: ReadonlyMap<string, AgentEntry>
  readonly byUser: ReadonlyMap<string, AgentEntry>
  readonly byAddress: ReadonlyMap<string, AgentEntry>
}

/**
 * Caches the agents of each workspace by its users, because lists look up an agent for each of their records, and
 * messages for each event. Only `put` and changes of the users change them.
 */
const directories = new WeakMap<ReadonlyMap<string, User>, Directory>()

function directoryOf(workspace: Workspace): Directory {
  const { database, usersById } = workspace
  let directory = directories.get(usersById)
  if (!directory) {
    directory = readDirectory(workspace)
    // Uncommitted agents may be undone or lost.
    if (!database.hasUncommittedWrites) directories.set(usersById, directory)
  }
  return directory
}

function readDirectory(workspace: Workspace): Directory {
  const rows = everyRow.all(workspace)
  const invited = rows.filter(({ number }) => number !== null)
  const rowsById = firstBy(rows, ({ id }) => id)
  const invitedNumbers = new Set(invited.map(({ number }) => number))
  const invitedByAddress = firstBy(invited, ({ email: address }) =>
    address === null ? undefined : emailKey(address),
  )
  const allUsers = workspace.users()
  const userByAddress = firstBy(allUsers, ({ email: address }) => emailKey(address))
  let last = 0
  const users = allUsers
    .filter(({ email: address }) => !invitedByAddress.has(emailKey(address)))
    .map((user): AgentEntry => {
      do last += 1
      while (invitedNumbers.has(last))
      const row = rowsById.get(user.id)
      const { role, availability, confirmed } = row ?? USER_DEFAULTS
      const { id, name, email: address } = user
      const isRemoved = row !== undefined && row.removedAt !== null
      const isEnrolled = row !== undefined
      return {
        id,
        number: last,
        name,
        email: address,
        role,
        availability,
        confirmed,
        user,
        isRemoved,
        isEnrolled,
      }
    })
  const guests = invited.map((row): AgentEntry => {
    const { id, number, name, email: address, role, availability, confirmed, removedAt } = row
    const user = userByAddress.get(emailKey(address ?? ''))
    return {
      id,
      number: number ?? 0,
      name: user?.name ?? name ?? '',
      email: address ?? '',
      role,
      availability,
      confirmed: confirmed || user !== undefined,
      user,
      isRemoved: removedAt !== null,
      isEnrolled: true,
    }
  })
  const all = [...users, ...guests].sort((one, other) => one.number - other.number)
  return {
    all,
    byId: firstBy(all, ({ id }) => id),
    byUser: firstBy(all, ({ user }) => user?.id),
    byAddress: firstBy(all, ({ email: address }) => emailKey(address)),
  }
}

/** Maps items by a key. Skips items without one, and keeps the first of those with the same key. */
function firstBy<Item>(items: readonly Item[], key: (item: Item) => string | undefined): Map<string, Item> {
  const first = new Map<string, Item>()
  for (const item of items) {
    const name = key(item)
    if (name !== undefined && !first.has(name)) first.set(name, item)
  }
  return first
}

/** Returns the agents of the account, in the order of their numbers. */
export const agentsOf = (workspace: Workspace): Agent[] =>
  directoryOf(workspace).all.filter(({ isRemoved }) => !isRemoved)

/** Returns the online agents, to whom auto-assignment assigns conversations. */
export const onlineAgents = (workspace: Workspace): Agent[] =>
  agentsOf(workspace).filter(({ availability, isEnrolled }) => isEnrolled && availability === 'online')

/** Returns the agent with this number; undefined if it does not exist or was removed. */
export const agentWithNumber = (workspace: Workspace, number: number): Agent | undefined =>
  agentsOf(workspace).find((agent) => agent.number === number)

/** Returns the agent with the id in a conversation; undefined if it does not exist or was removed. */
export function agentWithId(workspace: Workspace, id: string): Agent | undefined {
  const agent = directoryOf(workspace).byId.get(id)
  return agent?.isRemoved === false ? agent : undefined
}

/** Returns the agent id and number of a user, also for a removed agent. */
export function agentOfUser(workspace: Workspace, userId: string): Pick<Agent, 'id' | 'number'> {
  const found = directoryOf(workspace).byUser.get(userId)
  if (!found) throw new Error(`the user ${userId} is not an agent`)
  return found
}

/** Checks if a user was removed from the account, which then refuses its keys. */
export const isRemovedAgent = (workspace: Workspace, userId: string): boolean =>
  directoryOf(workspace).byUser.get(userId)?.isRemoved === true

export interface NewAgent {
  readonly name: string
  readonly email: string
  readonly role: Row['role']
}

/** Invites an agent, or restores a removed one. */
export function inviteAgent(workspace: Workspace, { name, email: address, role }: NewAgent): Agent {
  return workspace.write(() => {
    const { all, byAddress } = directoryOf(workspace)
    const known = byAddress.get(emailKey(address))
    if (known && !known.isRemoved) refuseProperty('email', 'taken', '{email} has already been taken')
    const number = (all.at(-1)?.number ?? 0) + 1
    const id = known?.id ?? `agent-${String(number)}`
    const invited = { name, role, availability: 'offline', confirmed: false, removedAt: null } as const
    put(workspace, id, known ? invited : { ...invited, number, email: address })
    return mustBeAgent(workspace, id)
  })
}

export const updateAgent = (
  workspace: Workspace,
  { id }: Agent,
  changes: Partial<Pick<Row, 'role' | 'availability'>>,
): Agent =>
  workspace.write(() => {
    put(workspace, id, changes)
    return mustBeAgent(workspace, id)
  })

/** Removes an agent. Its user remains, so other interfaces still accept its keys. Only inside a `write`. */
export const removeAgent = (workspace: Workspace, { id }: Agent): void => {
  put(workspace, id, { removedAt: workspace.now() })
}

function put(workspace: Workspace, id: string, changes: Partial<Omit<Row, 'workspace' | 'revision'>>): void {
  directories.delete(workspace.usersById)
  const now = workspace.now()
  const row = agentRecords.find(workspace, id)
  if (row && !isChange(row, changes)) return
  if (row) agentRecords.update(workspace, row, { ...changes, updatedAt: now })
  else agentRecords.insert(workspace, { ...USER_DEFAULTS, id, createdAt: now, updatedAt: now, ...changes })
}

function mustBeAgent(workspace: Workspace, id: string): Agent {
  const agent = agentWithId(workspace, id)
  if (!agent) throw new Error(`there is no agent ${id}`)
  return agent
}
