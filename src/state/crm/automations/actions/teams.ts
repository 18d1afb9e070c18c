/**
 * The teams of `assign_owner` actions. The specification names `team_id` and shows no call that creates a team; a
 * trigger or a snapshot does. A team that is not defined has all users as members. All of it is assumed.
 */
import { eq, sql } from 'drizzle-orm'
import { record } from '../../../storage/records/record.ts'
import { refuse, refuseProperty } from '../../../model/refusal.ts'
import type { Workspace } from '../../../workspace/workspace.ts'
import { teams as table } from '../../tables.ts'

export type Team = typeof table.$inferSelect

export const teams = record(table, {
  noun: 'team',
  snapshot: { section: 'crm', name: 'teams' },
})

export interface NewTeam {
  /** An existing team with this id is replaced. */
  readonly id?: string
  readonly name: string
  /** Users of the workspace, in the order of the round robin. */
  readonly memberIds: readonly string[]
}

/** Creates a team, or replaces the one with this id. Its round robin starts with the first member. */
export function defineTeam(workspace: Workspace, { id, name, memberIds }: NewTeam): Team {
  memberIds.forEach((member, index) => {
    if (workspace.user(member)) return
    const field = `memberIds.${String(index)}`
    refuseProperty(field, 'unknown', `{${field}} must be a user of this workspace`)
  })
  return workspace.write(() => {
    const existing = id === undefined ? undefined : teams.find(workspace, id)
    const fields = { name, members: [...new Set(memberIds)], turns: 0 }
    if (existing) return teams.update(workspace, existing, fields)
    return teams.insert(workspace, {
      ...fields,
      id: id ?? workspace.ids.prefixed('team_'),
      createdAt: workspace.now(),
    })
  })
}

/** Returns the members that are users of the workspace; all users if the team is not defined. */
export function membersOf(workspace: Workspace, id: string): readonly string[] {
  const team = teams.find(workspace, id)
  if (!team) return workspace.users().map((user) => user.id)
  const members = team.members.filter((member) => workspace.user(member))
  return members.length > 0 ? members : refuse('invalid', `The team ${id} has no members.`)
}

const incrementTurns = teams.updateAll(
  { turns: sql`${table.turns} + 1` },
  eq(table.id, sql.placeholder('id')),
)

/** Takes a turn of the round robin, and returns how many it had before. Only inside a `write`. */
export function takeTurn(workspace: Workspace, id: string): number {
  const team = teams.find(workspace, id)
  // All teams that are not defined share one round robin of all users.
  if (!team) return workspace.ids.integer('crm.turn') - 1
  incrementTurns(workspace, { id })
  return team.turns
}
