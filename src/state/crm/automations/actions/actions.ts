/**
 * Performs the actions of automations. Specification part 1, "CRM records", shows the three types and their fields;
 * the strategies, the values of placeholders and the reasons of failures are assumed.
 */
import { and, eq, sql } from 'drizzle-orm'
import { iso, LAST_INSTANT } from '@suite-sim/kit/time/instants'
import { isEmailAddress } from '../../../text/emailAddresses.ts'
import { sendEmail } from '../../../shared/emails.ts'
import { say } from '../../../text/languages.ts'
import { isAmong, ofWorkspace, query } from '../../../storage/queries/query.ts'
import { refuse } from '../../../model/refusal.ts'
import type { EventData, Workspace } from '../../../workspace/workspace.ts'
import { createCrmActivity } from '../../sales/activities.ts'
import { subjectOf, type Subject } from './subjects.ts'
import type { DealDetails } from '../../sales/dealRecords.ts'
import { updateDeal } from '../../sales/deals.ts'
import { fillPlaceholders } from './placeholders.ts'
import type { AutomationAction } from '../../automationParts.ts'
import { deals } from '../../tables.ts'
import { membersOf, takeTurn } from './teams.ts'
import { renderMessage } from './templates.ts'

export const ASSIGNMENT_STRATEGIES = ['round_robin', 'least_loaded', 'specific'] as const

type Config = AutomationAction['config']

/** The ids and texts that the execution records. */
type ActionResult = Readonly<Record<string, string | null>>

/** Counts the characters that the actions of an execution have written. */
interface Texts {
  written: number
}

/** The maximum number of characters in the messages of one execution. An action that would exceed it fails. */
export const MAX_CHARACTERS = 1_000_000

/** Performs one action for the records of the event. Throws a Refusal if it cannot. Only inside a `write`. */
export function performAction(
  workspace: Workspace,
  { type, config }: AutomationAction,
  data: EventData,
  texts: Texts,
): ActionResult {
  const subject = subjectOf(workspace, data)
  switch (type) {
    case 'assign_owner':
      return assignOwner(workspace, config, subject)
    case 'send_email':
      return sendTemplate(workspace, config, subject, texts)
    case 'create_task':
      return createTask(workspace, config, subject)
  }
}

/** The maximum length of a setting; ids, addresses and titles are shorter. */
const MAX_SETTING_LENGTH = 4096

/** Returns a setting with its placeholders filled; empty if it is not a string. */
function textOf(config: Config, name: string, { data }: Subject): string {
  const text = config[name]
  return typeof text === 'string' ? fillPlaceholders(text, data, MAX_SETTING_LENGTH).trim() : ''
}

// ---------------------------------------------------------------- assign_owner

function assignOwner(workspace: Workspace, config: Config, subject: Subject): ActionResult {
  const { deal } = subject
  if (!deal) return refuse('invalid', 'The event has no deal to assign.')
  const ownerId = ownerFor(workspace, config, subject, deal)
  if (ownerId !== deal.ownerId) updateDeal(workspace, deal, { ownerId })
  return { deal_id: deal.id, owner_id: ownerId, previous_owner_id: deal.ownerId }
}

function ownerFor(workspace: Workspace, config: Config, subject: Subject, deal: DealDetails): string {
  switch (config['strategy']) {
    case 'round_robin':
      return nextOfTeam(workspace, textOf(config, 'team_id', subject))
    case 'least_loaded':
      return leastLoaded(workspace, textOf(config, 'team_id', subject), deal)
    case 'specific':
      return mustBeUser(workspace, textOf(config, 'user_id', subject))
    default:
      return refuse('invalid', `There is no strategy ${String(config['strategy'])}.`)
  }
}

function mustBeUser(workspace: Workspace, id: string): string {
  return workspace.user(id) ? id : refuse('invalid', `There is no user ${id}.`)
}

function nextOfTeam(workspace: Workspace, teamId: string): string {
  const members = membersOf(workspace, teamId)
  return (
    members[takeTurn(workspace, teamId) % members.length] ?? refuse('invalid', 'The team has no members.')
  )
}

const openDealsOf = query((orm) =>
  orm
    .select({ ownerId: deals.ownerId, count: sql<number>`count(*)` })
    .from(deals)
    .where(
      and(
        ofWorkspace(deals),
        isAmong(deals.ownerId, 'members'),
        eq(deals.status, 'open'),
        sql`${deals.id} <> ${sql.placeholder('id')}`,
      ),
    )
    .groupBy(deals.ownerId),
)

/** Returns the member with the fewest other open deals; among equals the first of the team. */
function leastLoaded(workspace: Workspace, teamId: string, { id }: DealDetails): string {
  const members = membersOf(workspace, teamId)
  const counts = new Map(
    openDealsOf
      .all(workspace, { members: JSON.stringify(members), id })
      .map(({ ownerId, count }) => [ownerId, count]),
  )
  const load = (member: string): number => counts.get(member) ?? 0
  return (
    members.toSorted((one, other) => load(one) - load(other))[0] ??
    refuse('invalid', 'The team has no members.')
  )
}

// ---------------------------------------------------------------- send_email

function sendTemplate(workspace: Workspace, config: Config, subject: Subject, texts: Texts): ActionResult {
  const templateId = textOf(config, 'template_id', subject)
  if (templateId === '') return refuse('invalid', 'The message has no template.')
  const to = textOf(config, 'to', subject)
  if (!isEmailAddress(to)) return refuse('invalid', `"${to}" is not an e-mail address.`)
  const { note, ...message } = renderMessage(workspace, templateId, subject.data)
  texts.written += message.subject.length + message.text.length + (message.html ?? '').length
  if (texts.written > MAX_CHARACTERS) {
    refuse('invalid', `The messages must have at most ${String(MAX_CHARACTERS)} characters together.`)
  }
  const email = sendEmail(workspace, {
    ...message,
    interface: 'crm',
    to,
    subject: say`${message.subject}`,
    text: say`${message.text}`,
  })
  return { email_id: email.id, template_id: templateId, to, ...(note !== null && { note }) }
}

// ---------------------------------------------------------------- create_task

/** The maximum length of the subject of an activity. */
const MAX_TITLE_LENGTH = 200

const HOUR = 3_600_000

function createTask(workspace: Workspace, config: Config, subject: Subject): ActionResult {
  // Cuts by code points, so that no surrogate pair is split.
  const title = Array.from(textOf(config, 'title', subject))
    .slice(0, MAX_TITLE_LENGTH)
    .join('')
  if (title === '') return refuse('invalid', 'The task has no title.')
  const assignee = textOf(config, 'assign_to', subject)
  const hours = config['due_in_hours']
  const dueAt = typeof hours === 'number' ? hoursFrom(workspace.now(), hours) : null
  const task = createCrmActivity(workspace, null, {
    type: 'task',
    subject: title,
    contactId: subject.contactId,
    dealId: subject.deal?.id ?? null,
    ownerId: assignee === '' ? null : mustBeUser(workspace, assignee),
    dueAt,
  })
  return { activity_id: task.id, owner_id: task.ownerId, due_at: dueAt === null ? null : iso(dueAt) }
}

/** Returns the instant that many hours later, at most the last instant that can be written. */
export const hoursFrom = (instant: number, hours: number): number =>
  Math.min(LAST_INSTANT, instant + Math.ceil(Math.max(0, hours) * HOUR))
