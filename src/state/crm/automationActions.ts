/**
 * What an automation can do. Specification part 1, "CRM records": the three types and their fields are shown; the
 * strategies, what placeholders find and when an action fails are assumed. An action that cannot be done refuses.
 */
import { Type } from '@sinclair/typebox'
import { and, eq, sql } from 'drizzle-orm'
import { iso, LAST_INSTANT } from '../clock.ts'
import { isEmailAddress } from '../emailAddresses.ts'
import { sendEmail } from '../emails.ts'
import { ofWorkspace, query } from '../query.ts'
import { record } from '../record.ts'
import { refuse } from '../refusal.ts'
import { filled as notEmpty, text, whole } from '../shapes.ts'
import type { EventData, Workspace } from '../workspace.ts'
import { createCrmActivity } from './activities.ts'
import { contacts, type Contact } from './contacts.ts'
import type { DealInFull } from './dealRecords.ts'
import { dealsInFull, updateDeal } from './deals.ts'
import { asCrmEvent } from './events.ts'
import { filled, LONGEST_TEXT, valueAt } from './placeholders.ts'
import { deals, teams as teamTable, templates as templateTable, type AutomationAction } from './tables.ts'

export const ACTION_TYPES = ['assign_owner', 'send_email', 'create_task'] as const
export const ASSIGNMENT_STRATEGIES = ['round_robin', 'least_loaded', 'specific'] as const

type Config = AutomationAction['config']

/** What an event is about, as it is now, which is what actions work on. */
interface Subject {
  readonly deal: DealInFull | undefined
  readonly contactId: string | null
  /** What placeholders find: what the event told, with its deal and its contact as they are now. */
  readonly data: EventData
}

const idAt = (data: EventData, path: string): string | null => {
  const found = valueAt(data, path)
  return typeof found === 'string' ? found : null
}

const dealIdOf = (data: EventData): string | null => idAt(data, 'deal.id') ?? idAt(data, 'activity.deal_id')

const contactIdOf = (data: EventData): string | null =>
  idAt(data, 'contact.id') ?? idAt(data, 'deal.contact.id') ?? idAt(data, 'activity.contact_id')

/** What conditions look into: what the event tells, and its contact where the event tells only whose it is. */
export function conditionData(workspace: Workspace, data: EventData): EventData {
  if (data['contact'] !== undefined) return data
  const contact = findContact(workspace, contactIdOf(data))
  return contact ? { ...data, ...contactData(workspace, contact) } : data
}

const findContact = (workspace: Workspace, id: string | null): Contact | undefined =>
  id === null ? undefined : contacts.find(workspace, id)

const contactData = (workspace: Workspace, contact: Contact): EventData =>
  asCrmEvent(workspace, 'contact.updated', contact.id, { contact })

/** Looked up anew before each action, so that one sees what the one before it has done. */
function subjectOf(workspace: Workspace, data: EventData): Subject {
  const dealId = dealIdOf(data)
  const deal = dealId === null ? undefined : dealsInFull(workspace, [dealId])[0]
  const contact = findContact(workspace, contactIdOf(data) ?? deal?.contactId ?? null)
  return {
    deal,
    contactId: contact?.id ?? null,
    data: {
      ...data,
      ...(deal && dealData(workspace, deal)),
      ...(contact && contactData(workspace, contact)),
    },
  }
}

/** A deal as placeholders find it: as events tell of it, with the address of its owner. */
function dealData(workspace: Workspace, deal: DealInFull): EventData {
  const data = asCrmEvent(workspace, 'deal.updated', deal.id, { deal })
  const owner = deal.ownerId === null ? undefined : workspace.user(deal.ownerId)
  if (!owner) return data
  const { id, name, email } = owner
  return { deal: Object.assign({}, data['deal'], { owner: { id, name, email } }) }
}

/** What came of an action, told in the record of the execution. */
export type ActionResult = Readonly<Record<string, string | null>>

/** How much text the actions of an execution have written. */
interface Texts {
  written: number
}

/** Characters of messages that one execution may write; one that would write more fails. */
export const MOST_CHARACTERS = 1_000_000

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

type Team = typeof teamTable.$inferSelect

const MOST_MEMBERS = 1000

/** Made by fixtures and snapshots only. */
export const teams = record(teamTable, {
  noun: 'team',
  snapshot: {
    section: 'crm',
    name: 'teams',
    instants: ['createdAt'],
    shapes: () => ({
      name: text(200),
      members: Type.Array(notEmpty(), { maxItems: MOST_MEMBERS }),
      turns: whole(0),
    }),
  },
})

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
      return nextInTurn(workspace, teamOf(workspace, textOf(config, 'team_id', subject)))
    case 'least_loaded':
      return leastLoaded(workspace, teamOf(workspace, textOf(config, 'team_id', subject)), deal)
    case 'specific':
      return mustBeUser(workspace, textOf(config, 'user_id', subject))
    default:
      return refuse('invalid', `There is no strategy ${String(config['strategy'])}.`)
  }
}

function mustBeUser(workspace: Workspace, id: string): string {
  return workspace.user(id) ? id : refuse('invalid', `There is no user ${id}.`)
}

/** A team with those of its members that are users of the workspace. */
function teamOf(workspace: Workspace, id: string): Team {
  const team = teams.find(workspace, id)
  if (!team) return refuse('invalid', `There is no team ${id}.`)
  return { ...team, members: team.members.filter((member) => workspace.user(member)) }
}

const noMembers = ({ id }: Team): never => refuse('invalid', `The team ${id} has no members.`)

const takeTurn = teams.updateAll(
  { turns: sql`${teamTable.turns} + 1` },
  eq(teamTable.id, sql.placeholder('id')),
)

function nextInTurn(workspace: Workspace, team: Team): string {
  const { id, members, turns } = team
  takeTurn(workspace, { id })
  return members[turns % members.length] ?? noMembers(team)
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
function leastLoaded(workspace: Workspace, team: Team, { id }: DealInFull): string {
  const { members } = team
  const counts = new Map(
    openDealsOf
      .all(workspace, { members: JSON.stringify(members), id })
      .map(({ ownerId, count }) => [ownerId, count]),
  )
  const load = (member: string): number => counts.get(member) ?? 0
  return members.toSorted((one, other) => load(one) - load(other))[0] ?? noMembers(team)
}

// ---------------------------------------------------------------- send_email

/** Made by fixtures and snapshots only. */
export const templates = record(templateTable, {
  noun: 'template',
  snapshot: {
    section: 'crm',
    name: 'templates',
    instants: ['createdAt'],
    shapes: () => ({ name: text(200), body: Type.String({ maxLength: LONGEST_TEXT }) }),
  },
})

function sendTemplate(workspace: Workspace, config: Config, subject: Subject, texts: Texts): ActionResult {
  const templateId = textOf(config, 'template_id', subject)
  const template = templates.find(workspace, templateId)
  if (!template) return refuse('invalid', `There is no template ${templateId}.`)
  const to = textOf(config, 'to', subject)
  if (!isEmailAddress(to)) return refuse('invalid', `"${to}" is not an e-mail address.`)
  const message = {
    subject: filled(template.subject, subject.data, LONGEST_SUBJECT),
    text: filled(template.body, subject.data),
  }
  texts.written += message.subject.length + message.text.length
  if (texts.written > MOST_CHARACTERS) {
    refuse('invalid', `The messages have more than ${String(MOST_CHARACTERS)} characters together.`)
  }
  const email = sendEmail(workspace, { interface: 'crm', to, ...message })
  return { email_id: email.id, template_id: template.id, to }
}

/** Mail programs take no longer line. */
const LONGEST_SUBJECT = 998

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
  const task = createCrmActivity(workspace, {
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
