/**
 * Agents: the users of a workspace, and those who were invited. Specification part 3, "Agent and team". A user whose address
 * was invited is that agent. Users come with numbers of their own, in their order, which those who were invited leave free.
 */
import { Type } from '@sinclair/typebox'
import { asc, sql } from 'drizzle-orm'
import { boundedCaches } from '../boundedCaches.ts'
import { ofWorkspace, query } from '../query.ts'
import { record } from '../record.ts'
import { refuseProperty } from '../refusal.ts'
import { email } from '../shapes.ts'
import type { User } from '../users.ts'
import type { Observed } from '../versions.ts'
import type { Workspace } from '../workspace.ts'
import { agents as table } from './tables.ts'

type Row = typeof table.$inferSelect

export interface Agent extends Pick<Row, 'role' | 'availability' | 'confirmed'> {
  /** What conversations name: the id of a user, or of an invitation. */
  readonly id: string
  /** What is shown. */
  readonly number: number
  readonly name: string
  readonly email: string
  /** Whether it was invited, or its role or availability set: a user who only has a key answers nobody. */
  readonly isEnrolled: boolean
}

const IS_INVITED = sql`${table.number} is not null and ${table.removedAt} is null`

/** How many may be invited to an account: all of them are one answer. */
export const MAX_AGENTS = 1000

export const agentRecords = record(table, {
  noun: 'agent',
  limit: { count: MAX_AGENTS, called: 'agents', counted: IS_INVITED },
  snapshot: {
    section: 'conversations',
    name: 'agents',
    instants: ['removedAt', 'createdAt', 'updatedAt'],
    shapes: () => ({
      number: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]),
      email: Type.Union([email(), Type.Null()]),
    }),
  },
})

const everyRow = query((orm) => orm.select().from(table).where(ofWorkspace(table)).orderBy(asc(table.number)))

/** Whoever was made with the workspace or in the control plane runs it. */
const UNTOLD = { role: 'administrator', availability: 'online', confirmed: true } as const

interface Known extends Agent {
  readonly user: User | undefined
  readonly isRemoved: boolean
}

/** All there ever were. */
interface Everybody {
  /** In the order of their numbers. */
  readonly all: readonly Known[]
  readonly byId: ReadonlyMap<string, Known>
  readonly byUser: ReadonlyMap<string, Known>
  readonly byAddress: ReadonlyMap<string, Known>
}

/** Lists name an agent for each of their records, who is not to be looked for among all agents each time. */
const remembered = boundedCaches<string, Observed<Everybody>>({
  maxSize: 100_000,
  sizeCalculation: ({ value }) => 1 + value.all.length,
})

function everybody(workspace: Workspace): Everybody {
  const { database, tenantId, rowScope } = workspace
  const memory = remembered(database)
  const key = `${String(tenantId)} ${String(rowScope)}`
  let found = memory.get(key)
  if (!found || !database.versions.holds(found.basis)) {
    found = database.versions.observe(() => lookUpEverybody(workspace), [database.versions.table('users')])
    memory.set(key, found)
  }
  return found.value
}

function lookUpEverybody(workspace: Workspace): Everybody {
  const rows = everyRow.all(workspace)
  const invited = rows.filter(({ number }) => number !== null)
  const rowsById = firstBy(rows, ({ id }) => id)
  const taken = new Set(invited.map(({ number }) => number))
  const isInvited = firstBy(invited, ({ email: address }) => address?.toLowerCase())
  const allUsers = workspace.users()
  const userAt = firstBy(allUsers, ({ email: address }) => address.toLowerCase())
  let last = 0
  const users = allUsers
    .filter(({ email: address }) => !isInvited.has(address.toLowerCase()))
    .map((user): Known => {
      do last += 1
      while (taken.has(last))
      const row = rowsById.get(user.id)
      const { role, availability, confirmed } = row ?? UNTOLD
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
  const guests = invited.map((row): Known => {
    const { id, number, name, email: address, role, availability, confirmed, removedAt } = row
    const user = userAt.get(address?.toLowerCase() ?? '')
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
    byAddress: firstBy(all, ({ email: address }) => address.toLowerCase()),
  }
}

/** By a key that some do not have, and of those that share one the first. */
function firstBy<Item>(items: readonly Item[], key: (item: Item) => string | undefined): Map<string, Item> {
  const first = new Map<string, Item>()
  for (const item of items) {
    const name = key(item)
    if (name !== undefined && !first.has(name)) first.set(name, item)
  }
  return first
}

/** Every agent of the account, in the order of their numbers. */
export const agentsOf = (workspace: Workspace): Agent[] =>
  everybody(workspace).all.filter(({ isRemoved }) => !isRemoved)

/** Agents who take conversations in turn. */
export const agentsOnDuty = (workspace: Workspace): Agent[] =>
  agentsOf(workspace).filter(({ availability, isEnrolled }) => isEnrolled && availability === 'online')

/** The agent with this number; undefined where there is none, or not any more. */
export const agentNumbered = (workspace: Workspace, number: number): Agent | undefined =>
  agentsOf(workspace).find((agent) => agent.number === number)

/** The agent whom a conversation names; undefined where there is none, or not any more. */
export function agentWithId(workspace: Workspace, id: string): Agent | undefined {
  const agent = everybody(workspace).byId.get(id)
  return agent?.isRemoved === false ? agent : undefined
}

/** What conversations name a user by, and the number that is shown, also of one who was removed. */
export function agentOfUser(workspace: Workspace, userId: string): Pick<Agent, 'id' | 'number'> {
  const found = everybody(workspace).byUser.get(userId)
  if (!found) throw new Error(`the user ${userId} is no agent`)
  return found
}

/** Whether a user was removed from the account, which takes its keys no more. */
export const isRemovedAgent = (workspace: Workspace, userId: string): boolean =>
  everybody(workspace).byUser.get(userId)?.isRemoved === true

export interface NewAgent {
  readonly name: string
  readonly email: string
  readonly role: Row['role']
}

/** Invites an agent; one who was removed comes back. */
export function inviteAgent(workspace: Workspace, { name, email: address, role }: NewAgent): Agent {
  return workspace.write(() => {
    const { all, byAddress } = everybody(workspace)
    const known = byAddress.get(address.toLowerCase())
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

/** A user stays one: other interfaces know it, and take its keys. Only inside a `write`. */
export const removeAgent = (workspace: Workspace, { id }: Agent): void => {
  put(workspace, id, { removedAt: workspace.now() })
}

function put(workspace: Workspace, id: string, changes: Partial<Omit<Row, 'workspace' | 'revision'>>): void {
  const now = workspace.now()
  const row = agentRecords.find(workspace, id)
  if (row) agentRecords.update(workspace, row, { ...changes, updatedAt: now })
  else {
    const made = {
      id,
      number: null,
      name: null,
      email: null,
      removedAt: null,
      createdAt: now,
      updatedAt: now,
    }
    agentRecords.insert(workspace, { ...UNTOLD, ...made, ...changes })
  }
}

function mustBeAgent(workspace: Workspace, id: string): Agent {
  const agent = agentWithId(workspace, id)
  if (!agent) throw new Error(`there is no agent ${id}`)
  return agent
}
