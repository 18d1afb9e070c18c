/**
 * What an automation can do. Specification part 1, "CRM records": the three types and their fields are shown; the
 * strategies, what placeholders find and when an action fails are assumed. An action that cannot be done refuses.
 */
import { and, eq, sql } from 'drizzle-orm'
import { iso, LAST_INSTANT } from '../clock.ts'
import { isEmailAddress } from '../emailAddresses.ts'
import { sendEmail } from '../emails.ts'
import { ofWorkspace, query } from '../query.ts'
import { refuse } from '../refusal.ts'
import type { EventData, Workspace } from '../workspace.ts'
import { createCrmActivity } from './activities.ts'
import { subjectOf, type Subject } from './automationSubjects.ts'
import type { DealInFull } from './dealRecords.ts'
import { updateDeal } from './deals.ts'
import { filled } from './placeholders.ts'
import { deals, type AutomationAction } from './tables.ts'
import { membersOf, turnOf } from './teams.ts'
import { messageOf } from './templates.ts'

export const ACTION_TYPES = ['assign_owner', 'send_email', 'create_task'] as const
export const ASSIGNMENT_STRATEGIES = ['round_robin', 'least_loaded', 'specific'] as const

type Config = AutomationAction['config']

/** What came of an action, told in the record of the execution. */
export type ActionResult = Readonly<Record<string, string | null>>

/** How much text the actions of an execution have written. */
interface Texts {
  written: number
}

/** Characters of messages that one execution may write; one that would write more fails. */
export const MAX_CHARACTERS = 1_000_000

/** Does one action for what the event is about, or refuses. Only inside a `write`. */
export function perform(
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
    default:
      return refuse('invalid', `There is no action ${type}.`)
  }
}

/** Ids, addresses and titles are shorter, whatever surrounds them. */
const LONGEST_SETTING = 4096

/** A text of the configuration with its placeholders filled; empty where there is none. */
function textOf(config: Config, name: string, { data }: Subject): string {
  const text = config[name]
  return typeof text === 'string' ? filled(text, data, LONGEST_SETTING).trim() : ''
}

// ---------------------------------------------------------------- assign_owner

function assignOwner(workspace: Workspace, config: Config, subject: Subject): ActionResult {
  const { deal } = subject
  if (!deal) return refuse('invalid', 'There is no deal to give an owner to.')
  const ownerId = ownerFor(workspace, config, subject, deal)
  if (ownerId !== deal.ownerId) updateDeal(workspace, deal, { ownerId })
  return { deal_id: deal.id, owner_id: ownerId, previous_owner_id: deal.ownerId }
}

function ownerFor(workspace: Workspace, config: Config, subject: Subject, deal: DealInFull): string {
  switch (config['strategy']) {
    case 'round_robin':
      return nextInTurn(workspace, textOf(config, 'team_id', subject))
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

function nextInTurn(workspace: Workspace, teamId: string): string {
  const members = membersOf(workspace, teamId)
  return members[turnOf(workspace, teamId) % members.length] ?? refuse('invalid', 'There is nobody.')
}

const openDealsOf = query((orm) =>
  orm
    .select({ ownerId: deals.ownerId, count: sql<number>`count(*)` })
    .from(deals)
    .where(
      and(
        ofWorkspace(deals),
        sql`${deals.ownerId} in (select value from json_each(${sql.placeholder('members')}))`,
        eq(deals.status, 'open'),
        sql`${deals.id} <> ${sql.placeholder('id')}`,
      ),
    )
    .groupBy(deals.ownerId),
)

/** Who has the fewest open deals beside this one; of several the first in the team. */
function leastLoaded(workspace: Workspace, teamId: string, { id }: DealInFull): string {
  const members = membersOf(workspace, teamId)
  const counts = new Map(
    openDealsOf
      .all(workspace, { members: JSON.stringify(members), id })
      .map(({ ownerId, count }) => [ownerId, count]),
  )
  const load = (member: string): number => counts.get(member) ?? 0
  return members.toSorted((one, other) => load(one) - load(other))[0] ?? refuse('invalid', 'There is nobody.')
}

// ---------------------------------------------------------------- send_email

function sendTemplate(workspace: Workspace, config: Config, subject: Subject, texts: Texts): ActionResult {
  const templateId = textOf(config, 'template_id', subject)
  if (templateId === '') return refuse('invalid', 'The message has no template.')
  const to = textOf(config, 'to', subject)
  if (!isEmailAddress(to)) return refuse('invalid', `"${to}" is not an e-mail address.`)
  const { note, ...message } = messageOf(workspace, templateId, subject.data)
  texts.written += message.subject.length + message.text.length + (message.html ?? '').length
  if (texts.written > MAX_CHARACTERS) {
    refuse('invalid', `The messages have more than ${String(MAX_CHARACTERS)} characters together.`)
  }
  const email = sendEmail(workspace, { interface: 'crm', to, ...message })
  return { email_id: email.id, template_id: templateId, to, ...(note !== null && { note }) }
}

// ---------------------------------------------------------------- create_task

/** As long as the subject of an activity may be. */
const LONGEST_TITLE = 200

const HOUR = 3_600_000

function createTask(workspace: Workspace, config: Config, subject: Subject): ActionResult {
  // By characters, so that none is cut in two.
  const title = Array.from(textOf(config, 'title', subject))
    .slice(0, LONGEST_TITLE)
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

/** So many hours later, never before and never after the last instant that can be written. */
export const hoursFrom = (instant: number, hours: number): number =>
  Math.min(LAST_INSTANT, instant + Math.ceil(Math.max(0, hours) * HOUR))
