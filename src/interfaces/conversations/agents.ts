/** Agents and teams. Specification part 3, "Agent and team"; routes in the order of operations.tsv. */
import type { Resource } from '../../http/definition/definition.ts'
import { routesOf } from '../../http/definition/routes.ts'
import { unpaged } from '../../http/definition/paging.ts'
import {
  agentWithNumber,
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
} from '../../state/conversations/teams.ts'
import { unassign } from '../../state/conversations/conversations.ts'
import { sendEmail } from '../../state/shared/emails.ts'
import { addHint } from '../../state/timeline/causes.ts'
import { documented, documentedBut } from '../../state/model/fidelity.ts'
import { say } from '../../state/text/languages.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { ACCOUNT, inAccount } from './account.ts'
import { EMAIL_TEXTS } from './emailTexts.ts'
import { NO_STATUS } from './operations.ts'
import { AccountParams, IdParams } from './shapes/common.ts'
import {
  AgentCreate,
  AgentList,
  AgentUpdate,
  NewTeam,
  OneAgent,
  OneTeam,
  Team,
  TeamList,
} from './shapes/people.ts'
import { agentView } from './views.ts'

const agentOr404 = (workspace: Workspace, id: string): AgentRow =>
  (/^[1-9]\d{0,8}$/.test(id) ? agentWithNumber(workspace, Number(id)) : undefined) ?? agentRecords.noSuch(id)

const agentMustExist = inAccount<{ account_id: string; id: string }>(({ workspace }, { id }) =>
  agentOr404(workspace, id),
)

const teamMustExist = inAccount<{ account_id: string; id: string }>(({ workspace }, { id }) =>
  teamRecords.getHead(workspace, id),
)

const ROLES_WORDS =
  'a role is stored and returned but has no effect; the scopes of a key decide what it may do'

/** Adds a hint that a role in a request neither restricts nor permits anything. */
const hintAtRole = (role: AgentRow['role'] | undefined): void => {
  if (role !== undefined) addHint('role_not_enforced', `For the role ${role}: ${ROLES_WORDS}.`)
}

const hintAtTeam = (allow: boolean | undefined): void => {
  if (allow === true) {
    addHint(
      'auto_assign_not_done',
      'allow_auto_assign is stored but has no effect, because teams have no members in the simulator.',
    )
  }
}

/** The invited agent of the demo workspace, so that examples do not change the agent of the demo key. */
const SECOND = 2

export const agents: Resource = async (app) => {
  const at = routesOf(app, { tag: 'Agents', assumedStatus: NO_STATUS })
  const list = at(`${ACCOUNT}/agents`, { params: AccountParams, before: inAccount() })
  const item = at(`${ACCOUNT}/agents/:id`, { params: IdParams(SECOND), before: agentMustExist })

  list.get({
    id: 'listAgents',
    summary: 'List agents',
    fidelity: documentedBut(
      'Assumed: every user of the workspace is an agent. Its role is administrator unless it was invited with another role.',
    ),
    answers: { 200: AgentList },
    paging: unpaged('The specification shows a bare array.'),
    run: ({ workspace }) => agentsOf(workspace).map((agent) => agentView(agent, workspace)),
  })

  list.post({
    id: 'inviteAgent',
    summary: 'Invite an agent',
    fidelity: documentedBut(
      `Assumed: the agent is offline and not confirmed, and receives an invitation. If a user of the workspace has this address, that user is the agent, so the control plane can create keys for it. Inviting a removed agent restores it with the new values. An account has at most ${String(MAX_AGENTS)} invited agents. About roles: ${ROLES_WORDS}.`,
    ),
    body: AgentCreate,
    answers: { 200: OneAgent },
    run({ body, workspace }) {
      const agent = workspace.write(() => {
        const invited = inviteAgent(workspace, body)
        const { invitedTo, hello, asRole, roles } = EMAIL_TEXTS
        sendEmail(workspace, {
          interface: 'conversations',
          to: invited.email,
          subject: invitedTo(workspace.name),
          text: say`${hello(invited.name)}\n\n${asRole(workspace.name, roles[invited.role])}\n`,
        })
        return invited
      })
      hintAtRole(body.role)
      return agentView(agent, workspace)
    },
  })

  item.patch({
    id: 'updateAgent',
    summary: 'Update an agent',
    fidelity: documentedBut(`Assumed: ${ROLES_WORDS}.`),
    body: AgentUpdate,
    answers: { 200: OneAgent },
    run({ params, body, workspace }) {
      const { role, availability } = body
      hintAtRole(role)
      const changes = {
        ...(role !== undefined && { role }),
        ...(availability !== undefined && { availability }),
      }
      return agentView(updateAgent(workspace, agentOr404(workspace, params.id), changes), workspace)
    },
  })

  item.delete({
    id: 'deleteAgent',
    summary: 'Remove an agent',
    fidelity: documentedBut(
      'The specification does not show the response; the simulator returns no body. Assumed: the conversations of the agent become unassigned, with the same events as an assignment. Conversations then refuse the keys of the agent with 401; other interfaces still accept them.',
    ),
    answers: { 200: null },
    async run({ params, workspace, caller }) {
      const agent = agentOr404(workspace, params.id)
      await unassign(workspace, { agent: agent.id }, caller.user, () => {
        removeAgent(workspace, agent)
      })
      addHint(
        'keys_refused',
        `Conversations now refuse the keys of ${agent.name} with 401; other interfaces still accept them.`,
      )
    },
  })
}

export const teams: Resource = async (app) => {
  const at = routesOf(app, { tag: 'Teams', assumedStatus: NO_STATUS })
  const list = at(`${ACCOUNT}/teams`, { params: AccountParams, before: inAccount() })
  const item = at(`${ACCOUNT}/teams/:id`, { params: IdParams(), before: teamMustExist })

  list.get({
    id: 'listTeams',
    summary: 'List teams',
    fidelity: documentedBut(
      `Assumed: the oldest team comes first. An account has at most ${String(MAX_TEAMS)} teams.`,
    ),
    answers: { 200: TeamList },
    paging: unpaged('The specification shows a bare array.'),
    run: ({ workspace }) => Team.views(teamsOf(workspace), workspace),
  })

  list.post({
    id: 'createTeam',
    summary: 'Create a team',
    fidelity: documentedBut(
      'Assumed: allow_auto_assign defaults to true; it is stored but has no effect, because teams have no members in the simulator.',
    ),
    body: NewTeam.create,
    answers: { 200: OneTeam },
    run({ body, workspace }) {
      hintAtTeam(body.allow_auto_assign)
      return Team.view(
        createTeam(workspace, { ...NewTeam.parse(workspace, body), name: body.name }),
        workspace,
      )
    },
  })

  item.get({
    id: 'getTeam',
    summary: 'Get a team',
    fidelity: documented,
    answers: { 200: OneTeam },
    run: ({ params, workspace }) => Team.view(teamRecords.get(workspace, params.id), workspace),
  })

  item.patch({
    id: 'updateTeam',
    summary: 'Update a team',
    fidelity: documented,
    body: Team.update,
    answers: { 200: OneTeam },
    run({ params, body, workspace }) {
      hintAtTeam(body.allow_auto_assign)
      const team = teamRecords.get(workspace, params.id)
      return Team.view(updateTeam(workspace, team, Team.parse(workspace, body)), workspace)
    },
  })

  item.delete({
    id: 'deleteTeam',
    summary: 'Delete a team',
    fidelity: documentedBut(
      'The specification does not show the response; the simulator returns no body. Assumed: the conversations of the team remain without a team, with the same events as an assignment.',
    ),
    answers: { 200: null },
    async run({ params, workspace, caller }) {
      const { id } = teamRecords.getHead(workspace, params.id)
      await unassign(workspace, { team: id }, caller.user, () => {
        teamRecords.remove(workspace, id)
      })
    },
  })
}
