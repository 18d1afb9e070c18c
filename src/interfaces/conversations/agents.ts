/** Agents and teams. Specification part 3, "Agent and team"; routes in the order of operations.tsv. */
import type { Resource } from '../../http/definition.ts'
import { operationsOf } from '../../http/operation.ts'
import { unpaged } from '../../http/paging.ts'
import {
  agentNumbered,
  agentRecords,
  agentsOf,
  MAX_AGENTS,
  inviteAgent,
  removeAgent,
  updateAgent,
  type Agent as AgentRow,
} from '../../state/conversations/agents.ts'
import {
  createTeam,
  MAX_TEAMS,
  teams as teamRecords,
  teamsOf,
  updateTeam,
  type TeamFields,
} from '../../state/conversations/teams.ts'
import { unassign } from '../../state/conversations/conversations.ts'
import { sendEmail } from '../../state/emails.ts'
import { addHint } from '../../state/causes.ts'
import { documentedBut } from '../../state/fidelity.ts'
import type { Workspace } from '../../state/workspace.ts'
import { ACCOUNT, inAccount } from './account.ts'
import { AccountParams, IdParams } from './schemas/common.ts'
import {
  Agent,
  AgentCreate,
  AgentList,
  AgentUpdate,
  Team,
  TeamCreate,
  TeamList,
  TeamUpdate,
} from './schemas/people.ts'
import { agentView, teamView } from './views.ts'

const agentOperation = operationsOf({ tag: 'Agents' })
const teamOperation = operationsOf({ tag: 'Teams' })

const agentOr404 = (workspace: Workspace, id: string): AgentRow =>
  (/^[1-9]\d{0,8}$/.test(id) ? agentNumbered(workspace, Number(id)) : undefined) ?? agentRecords.noSuch(id)

const agentMustExist = inAccount<{ account_id: string; id: string }>(({ workspace }, { id }) =>
  agentOr404(workspace, id),
)

const teamMustExist = inAccount<{ account_id: string; id: string }>(({ workspace }, { id }) =>
  teamRecords.getHead(workspace, id),
)

const ROLES_WORDS =
  'a role is kept and shown, and permits and forbids nothing: what a key may do is said by its scopes'

/** Says that a role takes nothing from an agent; one of an administrator would not. */
const hintAtRole = (role: AgentRow['role'] | undefined): void => {
  if (role === 'agent') addHint('role_not_enforced', `For the role agent: ${ROLES_WORDS}.`)
}

const hintAtTeam = (allow: boolean | undefined): void => {
  if (allow === true) {
    addHint(
      'auto_assign_not_done',
      'allow_auto_assign of a team is kept and does nothing, because teams have no members here.',
    )
  }
}

/** The agent of the demo workspace who is invited, and not the one whose key is used. */
const SECOND = 2

export const agents: Resource = async (app) => {
  app.get(
    `${ACCOUNT}/agents`,
    {
      preValidation: inAccount(),
      schema: { params: AccountParams },
      config: agentOperation({
        id: 'listAgents',
        summary: 'List agents',
        fidelity: documentedBut(
          'Assumed: every user of the workspace is an agent, an administrator unless it was invited as something else.',
        ),
        answers: { 200: AgentList },
        paging: unpaged('A bare array, as the specification shows it.'),
      }),
    },
    ({ workspace }) => agentsOf(workspace).map((agent) => agentView(agent, workspace)),
  )

  app.post(
    `${ACCOUNT}/agents`,
    {
      preValidation: inAccount(),
      schema: { params: AccountParams, body: AgentCreate },
      config: agentOperation({
        id: 'inviteAgent',
        summary: 'Invite an agent',
        fidelity: documentedBut(
          `Assumed: the answer is the agent, who is offline and not confirmed; an invitation is sent; a user of the workspace with this address is the agent, so that the control plane can make keys for it; one who was removed comes back with what is sent now; ${ROLES_WORDS}; there may be ${String(MAX_AGENTS)} who were invited.`,
        ),
        answers: { 200: Agent },
      }),
    },
    ({ body, workspace }) => {
      const agent = workspace.write(() => {
        const invited = inviteAgent(workspace, body)
        sendEmail(workspace, {
          interface: 'conversations',
          to: invited.email,
          subject: `You are invited to ${workspace.name}`,
          text: `Hello ${invited.name},\n\nyou are invited to answer conversations of ${workspace.name} as ${invited.role}.\n`,
        })
        return invited
      })
      hintAtRole(body.role)
      return agentView(agent, workspace)
    },
  )

  app.patch(
    `${ACCOUNT}/agents/:id`,
    {
      preValidation: agentMustExist,
      schema: { params: IdParams(SECOND), body: AgentUpdate },
      config: agentOperation({
        id: 'updateAgent',
        summary: 'Update an agent',
        fidelity: documentedBut(`Assumed: the answer is the agent; ${ROLES_WORDS}.`),
        answers: { 200: Agent },
      }),
    },
    ({ params, body, workspace }) => {
      const { role, availability } = body
      hintAtRole(role)
      const changes = {
        ...(role !== undefined && { role }),
        ...(availability !== undefined && { availability }),
      }
      return agentView(updateAgent(workspace, agentOr404(workspace, params.id), changes), workspace)
    },
  )

  app.delete(
    `${ACCOUNT}/agents/:id`,
    {
      preValidation: agentMustExist,
      schema: { params: IdParams(SECOND) },
      config: agentOperation({
        id: 'deleteAgent',
        summary: 'Remove an agent',
        fidelity: documentedBut(
          'The answer is not shown: none. Assumed: what is assigned to the agent is assigned to nobody, and each of it is told of as by an assignment; keys of the agent are refused with 401 by conversations alone.',
        ),
        answers: { 200: null },
      }),
    },
    async ({ params, workspace, caller }, reply) => {
      const agent = agentOr404(workspace, params.id)
      await unassign(workspace, { agent: agent.id }, caller.user, () => {
        removeAgent(workspace, agent)
      })
      addHint(
        'keys_refused',
        `Keys of ${agent.name} are refused with 401 by conversations from now on; other interfaces still take them.`,
      )
      return reply.code(200).removeHeader('content-type').send()
    },
  )
}

interface SentTeam {
  readonly name?: string
  readonly description?: string | null
  readonly allow_auto_assign?: boolean
}

const teamFields = ({ name, description, allow_auto_assign: allow }: SentTeam): TeamFields => ({
  ...(name !== undefined && { name }),
  ...(description !== undefined && { description }),
  ...(allow !== undefined && { allowAutoAssign: allow }),
})

export const teams: Resource = async (app) => {
  app.get(
    `${ACCOUNT}/teams`,
    {
      preValidation: inAccount(),
      schema: { params: AccountParams },
      config: teamOperation({
        id: 'listTeams',
        summary: 'List teams',
        fidelity: documentedBut(
          `Assumed: the first made comes first; there may be ${String(MAX_TEAMS)} of them.`,
        ),
        answers: { 200: TeamList },
        paging: unpaged('A bare array, as the specification shows it.'),
      }),
    },
    ({ workspace }) => teamsOf(workspace).map((team) => teamView(team, workspace)),
  )

  app.post(
    `${ACCOUNT}/teams`,
    {
      preValidation: inAccount(),
      schema: { params: AccountParams, body: TeamCreate },
      config: teamOperation({
        id: 'createTeam',
        summary: 'Create a team',
        fidelity: documentedBut(
          'Assumed: the answer is the team, which takes assignments unless told otherwise; allow_auto_assign is kept and does nothing, because teams have no members here.',
        ),
        answers: { 200: Team },
      }),
    },
    ({ body, workspace }) => {
      hintAtTeam(body.allow_auto_assign)
      return teamView(createTeam(workspace, { ...teamFields(body), name: body.name }), workspace)
    },
  )

  app.get(
    `${ACCOUNT}/teams/:id`,
    {
      preValidation: teamMustExist,
      schema: { params: IdParams() },
      config: teamOperation({
        id: 'getTeam',
        summary: 'Get a team',
        fidelity: documentedBut('Assumed: it is answered bare.'),
        answers: { 200: Team },
      }),
    },
    ({ params, workspace }) => teamView(teamRecords.get(workspace, params.id), workspace),
  )

  app.patch(
    `${ACCOUNT}/teams/:id`,
    {
      preValidation: teamMustExist,
      schema: { params: IdParams(), body: TeamUpdate },
      config: teamOperation({
        id: 'updateTeam',
        summary: 'Update a team',
        fidelity: documentedBut('Assumed: the answer is the team.'),
        answers: { 200: Team },
      }),
    },
    ({ params, body, workspace }) => {
      hintAtTeam(body.allow_auto_assign)
      const team = teamRecords.get(workspace, params.id)
      return teamView(updateTeam(workspace, team, teamFields(body)), workspace)
    },
  )

  app.delete(
    `${ACCOUNT}/teams/:id`,
    {
      preValidation: teamMustExist,
      schema: { params: IdParams() },
      config: teamOperation({
        id: 'deleteTeam',
        summary: 'Delete a team',
        fidelity: documentedBut(
          'The answer is not shown: none. Assumed: its conversations stay, and are of no team, and each of them is told of as by an assignment.',
        ),
        answers: { 200: null },
      }),
    },
    async ({ params, workspace, caller }, reply) => {
      const { id } = teamRecords.getHead(workspace, params.id)
      await unassign(workspace, { team: id }, caller.user, () => {
        teamRecords.remove(workspace, id)
      })
      return reply.code(200).removeHeader('content-type').send()
    },
  )
}
