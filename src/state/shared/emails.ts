/** E-mails that the suite would send to people. They never leave the simulator; the control plane shows them. */
import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import { emailKey } from '../text/emailAddresses.ts'
import type { Database } from '../storage/database/database.ts'
import { languageOfCause } from '../timeline/causes.ts'
import { notify } from '../timeline/longPoll.ts'
import { trimmer } from '../storage/queries/retention.ts'
import { recordStep } from '../timeline/timelines.ts'
import { emails, type Attachment } from '../storage/tables.ts'
import type { Spoken } from '../text/languages.ts'
import type { Workspace } from '../workspace/workspace.ts'

export type Email = Omit<typeof emails.$inferSelect, 'workspace'>

export interface NewEmail {
  readonly interface: string
  readonly to: string
  readonly subject: Spoken
  readonly text: Spoken
  readonly html?: string
  readonly attachments?: readonly Attachment[]
}

/** The sender of every e-mail. No one receives replies: the domain is reserved (RFC 2606). */
export const SENDER = 'Suite Simulator <no-reply@suite-simulator.example>'

/** Returns a text as an attachment. */
export function textAttachment(filename: string, contentType: string, text: string): Attachment {
  const bytes = Buffer.from(text)
  return { filename, contentType, size: bytes.length, content: bytes.toString('base64') }
}

const trimEmails = trimmer(emails)

/**
 * Stores an e-mail, in the language of who caused it (assumed): nothing tells the language of its recipient. Only inside a
 * `write`.
 */
export function sendEmail(workspace: Workspace, email: NewEmail): Email {
  const language = languageOfCause()
  const sent: Email = {
    attachments: [],
    html: null,
    ...email,
    subject: email.subject(language),
    text: email.text(language),
    id: workspace.ids.nano('email'),
    at: workspace.now(),
  }
  workspace.database.orm
    .insert(emails)
    .values({ ...sent, workspace: workspace.rowScope })
    .run()
  trimEmails(workspace)
  recordStep(workspace, { kind: 'email', title: `${sent.subject}, to ${sent.to}`, ref: sent.id })
  notify(workspace, 'emails')
  for (const listener of emailListeners(workspace.database)) {
    workspace.database.whenCommitted((error) => {
      if (!error && findEmail(workspace, sent.id)) listener(sent)
    })
  }
  return sent
}

/** Called with each e-mail after its commit. */
export type EmailListener = (email: Email) => void

const createListeners = (): Set<EmailListener> => new Set()

/** The listeners that forward e-mails, for example by SMTP. */
export const emailListeners = (database: Database): Set<EmailListener> => database.own(createListeners)

const columns = {
  id: emails.id,
  interface: emails.interface,
  to: emails.to,
  subject: emails.subject,
  text: emails.text,
  html: emails.html,
  attachments: emails.attachments,
  at: emails.at,
}

export const findEmail = ({ database, rowScope }: Workspace, id: string): Email | undefined =>
  database.orm
    .select(columns)
    .from(emails)
    .where(and(eq(emails.workspace, rowScope), eq(emails.id, id)))
    .get()

/** Composed and decomposed. */
const spellingsOf = (address: string): string[] => [emailKey(address), emailKey(address).normalize('NFD')]

/** Returns the newest e-mails first. `to` is compared without case. */
export const listEmails = (workspace: Workspace, to: string | undefined, limit: number): Email[] =>
  workspace.database.orm
    .select(columns)
    .from(emails)
    .where(
      and(
        eq(emails.workspace, workspace.rowScope),
        to === undefined ? undefined : inArray(sql`lower(${emails.to})`, spellingsOf(to)),
      ),
    )
    .orderBy(desc(emails.at), desc(sql`rowid`))
    .limit(limit)
    .all()
