/** Messages that the suite would have sent to people. None leaves the simulator; the control plane shows them. */
import { and, desc, eq, sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import { notify } from './longPoll.ts'
import { trimmer } from './retention.ts'
import { recordStep } from './timeline.ts'
import { emails, type Attachment } from './tables.ts'
import type { Workspace } from './workspace.ts'

export type Email = Omit<typeof emails.$inferSelect, 'workspace'>

export interface NewEmail {
  readonly interface: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html?: string
  readonly attachments?: readonly Attachment[]
}

/** A text as a file that is kept with its message. */
export function textAttachment(filename: string, contentType: string, text: string): Attachment {
  const bytes = Buffer.from(text)
  return { filename, contentType, size: bytes.length, content: bytes.toString('base64') }
}

const trimEmails = trimmer(emails)

/** Keeps a message. Only inside a `write`. */
export function sendEmail(workspace: Workspace, email: NewEmail): Email {
  const sent: Email = {
    attachments: [],
    html: null,
    ...email,
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

/** Told of each message once it is on the file. */
export type EmailListener = (email: Email) => void

const noListeners = (): Set<EmailListener> => new Set()

/** Those who pass messages on. */
export const emailListeners = (database: Database): Set<EmailListener> => database.own(noListeners)

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

/** Newest first; `to` compares without case. */
export const listEmails = (workspace: Workspace, to: string | undefined, limit: number): Email[] =>
  workspace.database.orm
    .select(columns)
    .from(emails)
    .where(
      and(
        eq(emails.workspace, workspace.rowScope),
        to === undefined ? undefined : sql`lower(${emails.to}) = ${to.toLowerCase()}`,
      ),
    )
    .orderBy(desc(emails.at), desc(sql`rowid`))
    .limit(limit)
    .all()
