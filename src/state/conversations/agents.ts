/** Agents: the users of a workspace, and what the account knows of them. Specification part 3, "Agent and team". */
import { record } from '../record.ts'
import { refuseProperty } from '../refusal.ts'
import type { User } from '../users.ts'
import type { Workspace } from '../workspace.ts'
import { agents as table } from './tables.ts'

type Row = typeof table.$inferSelect

export interface Agent extends Pick<Row, 'role' | 'availability' | 'confirmed'> {
  /** Counted in the order in which the users of the workspace were made. */
  readonly number: number
  readonly user: User
}

export const agentRecords = record(table, {
  noun: 'agent',
  snapshot: {
    section: 'conversations',
    name: 'agents',
    instants: ['removedAt', 'createdAt', 'updatedAt'],
  },
})

/** Whoever was made with the workspace or in the control plane runs it. */
const UNTOLD = { role: 'administrator', availability: 'online', confirmed: true } as const

/** Every agent of the account, in the order of their numbers. */
export function agentsOf(workspace: Workspace): Agent[] {
  return workspace.users().flatMap((user, index) => {
    const row = agentRecords.find(workspace, user.id)
    if (row && row.removedAt !== null) return []
    const { role, availability, confirmed } = row ?? UNTOLD
    return [{ number: index + 1, user, role, availability, confirmed }]
  })
}

/** The agent with this number; undefined where there is none, or not any more. */
export const agentNumbered = (workspace: Workspace, number: number): Agent | undefined =>
  agentsOf(workspace).find((agent) => agent.number === number)

/** The agent who is this user. */
export const agentOfUser = (workspace: Workspace, userId: string): Agent | undefined =>
  agentsOf(workspace).find(({ user }) => user.id === userId)

export interface NewAgent {
  readonly name: string
  readonly email: string
  readonly role: Row['role']
}

/** Invites an agent, who becomes a user of the workspace; one who was removed comes back. */
export function inviteAgent(workspace: Workspace, { name, email, role }: NewAgent): Agent {
  return workspace.write(() => {
    const known = workspace.users().find((user) => user.email.toLowerCase() === email.toLowerCase())
    if (known && agentOfUser(workspace, known.id)) {
      refuseProperty('email', 'taken', '{email} has already been taken')
    }
    const user = known ?? workspace.addUser({ name, email })
    put(workspace, user.id, { role, availability: 'offline', confirmed: false, removedAt: null })
    return mustBeAgent(workspace, user.id)
  })
}

export function updateAgent(
  workspace: Workspace,
  { user }: Agent,
  changes: Partial<Pick<Row, 'role' | 'availability'>>,
): Agent {
  return workspace.write(() => {
    put(workspace, user.id, changes)
    return mustBeAgent(workspace, user.id)
  })
}

/** The user stays: other interfaces know it too. */
export const removeAgent = (workspace: Workspace, { user }: Agent): void => {
  workspace.write(() => {
    put(workspace, user.id, { removedAt: workspace.now() })
  })
}

function put(
  workspace: Workspace,
  userId: string,
  changes: Partial<Omit<Row, 'workspace' | 'revision'>>,
): void {
  const now = workspace.now()
  const row = agentRecords.find(workspace, userId)
  if (row) agentRecords.update(workspace, row, { ...changes, updatedAt: now })
  else {
    const made = { id: userId, removedAt: null, createdAt: now, updatedAt: now }
    agentRecords.insert(workspace, { ...UNTOLD, ...made, ...changes })
  }
}

function mustBeAgent(workspace: Workspace, userId: string): Agent {
  const agent = agentOfUser(workspace, userId)
  if (!agent) throw new Error(`the user ${userId} is no agent`)
  return agent
}
