/**
 * Who shares the work of an `assign_owner` action. The specification names `team_id` and no call that makes a team: they
 * come into being by a trigger or a snapshot, and a team that nobody has defined is everybody. All of it is assumed.
 */
import { Type } from '@sinclair/typebox'
import { eq, sql } from 'drizzle-orm'
import { record } from '../record.ts'
import { refuse, refuseProperty } from '../refusal.ts'
import { filled, text, whole } from '../shapes.ts'
import type { Workspace } from '../workspace.ts'
import { teams as table } from './tables.ts'

export type Team = typeof table.$inferSelect

export const MAX_MEMBERS = 1000

export const teams = record(table, {
  noun: 'team',
  snapshot: {
    section: 'crm',
    name: 'teams',
    instants: ['createdAt'],
    shapes: () => ({
      name: text(200),
      members: Type.Array(filled(), { maxItems: MAX_MEMBERS }),
      turns: whole(0),
    }),
  },
})

export interface NewTeam {
  /** Of a team that is there: it is defined anew. */
  readonly id?: string
  readonly name: string
  /** Users of the workspace, in the order in which a round robin goes through them. */
  readonly memberIds: readonly string[]
}

/** Makes a team, or defines the one with this id anew; its round robin then begins with the first member. */
export function defineTeam(workspace: Workspace, { id, name, memberIds }: NewTeam): Team {
  memberIds.forEach((member, index) => {
    if (workspace.user(member)) return
    const field = `memberIds.${String(index)}`
    refuseProperty(field, 'unknown', `{${field}} must be a user of this workspace`)
  })
  return workspace.write(() => {
    const there = id === undefined ? undefined : teams.find(workspace, id)
    const fields = { name, members: [...new Set(memberIds)], turns: 0 }
    if (there) return teams.update(workspace, there, fields)
    return teams.insert(workspace, {
      ...fields,
      id: id ?? workspace.ids.prefixed('team_'),
      createdAt: workspace.now(),
    })
  })
}

/** Those of its members that are users of the workspace; everybody in a team that is not defined. */
export function membersOf(workspace: Workspace, id: string): readonly string[] {
  const team = teams.find(workspace, id)
  if (!team) return workspace.users().map((user) => user.id)
  const members = team.members.filter((member) => workspace.user(member))
  return members.length > 0 ? members : refuse('invalid', `The team ${id} has no members.`)
}

const takeTurn = teams.updateAll({ turns: sql`${table.turns} + 1` }, eq(table.id, sql.placeholder('id')))

/** How many turns the round robin has given out before, and gives out one. Only inside a `write`. */
export function turnOf(workspace: Workspace, id: string): number {
  const team = teams.find(workspace, id)
  // Teams that are not defined are one and the same: everybody.
  if (!team) return workspace.ids.integer('crm.turn') - 1
  takeTurn(workspace, { id })
  return team.turns
}
