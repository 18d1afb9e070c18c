/** Teams. Specification part 3, "Agent and team". */
import { asc, sql } from 'drizzle-orm'
import type { recordKey, withTimes } from '../storage/columns.ts'
import { ofWorkspace, query } from '../storage/queries/query.ts'
import { record } from '../storage/records/record.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { nextId } from './counters.ts'
import { teams as table } from './tables.ts'
import { isChange } from '../storage/unchanged.ts'

export type Team = typeof table.$inferSelect

export type TeamFields = Partial<Omit<Team, keyof typeof recordKey | keyof typeof withTimes>>

/** The most teams of an account. One response lists all of them. */
export const MAX_TEAMS = 1000

export const teams = record(table, {
  noun: 'team',
  limit: { count: MAX_TEAMS, called: 'teams' },
  snapshot: {
    section: 'conversations',
    name: 'teams',
  },
})

const inOrder = query((orm) =>
  orm
    .select()
    .from(table)
    .where(ofWorkspace(table))
    .orderBy(asc(sql`rowid`)),
)

export const teamsOf = (workspace: Workspace): Team[] => inOrder.all(workspace)

export const createTeam = (workspace: Workspace, fields: TeamFields & Pick<Team, 'name'>): Team =>
  workspace.write(() => {
    const now = workspace.now()
    return teams.insert(workspace, {
      allowAutoAssign: true,
      ...fields,
      id: nextId(workspace, 'team', (id) => teams.find(workspace, id) !== undefined),
      createdAt: now,
      updatedAt: now,
    })
  })

export const updateTeam = (workspace: Workspace, team: Team, fields: TeamFields): Team =>
  !isChange(team, fields)
    ? team
    : workspace.write(() => teams.update(workspace, team, { ...fields, updatedAt: workspace.now() }))
