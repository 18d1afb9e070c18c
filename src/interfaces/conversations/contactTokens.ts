/**
 * What stands for one contact in one inbox of the web widget: in the address of its page, in the cookie of who began there,
 * and on the cable. Its form is assumed.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { contacts, type Contact } from '../../state/conversations/contacts.ts'
import { inboxes, isWidget, type Inbox } from '../../state/conversations/inboxes.ts'
import type { Workspace } from '../../state/workspace.ts'
import type { Workspaces } from '../../state/workspaces.ts'

/** "12.SIGNATURE": of this workspace and inbox alone. */
export const contactToken = (workspace: Workspace, inbox: Inbox, contact: Contact): string =>
  `${contact.id}.${signatureOf(workspace, inbox, contact)}`

/** Whose token it is; undefined for one that nobody was given, or whose contact is not there any more. */
export function contactOfToken(workspace: Workspace, inbox: Inbox, token: string): Contact | undefined {
  const [id = '', signature = ''] = token.split('.')
  const contact = contacts.find(workspace, id)
  if (!contact) return undefined
  const sent = Buffer.from(signature)
  const right = Buffer.from(signatureOf(workspace, inbox, contact))
  return sent.length === right.length && timingSafeEqual(sent, right) ? contact : undefined
}

/** Tells a contact from the one that has its number after a reset, too. */
const signatureOf = (
  { id, registry: { secret } }: Workspace,
  inbox: Inbox,
  { id: contact, createdAt }: Contact,
): string =>
  createHmac('sha256', secret)
    .update(JSON.stringify(['widget', id, inbox.id, contact, createdAt]))
    .digest('base64url')

/** The same for the cable, which knows neither workspace nor inbox: "WORKSPACE.INBOX.12.SIGNATURE". */
export const pubsubToken = (workspace: Workspace, inbox: Inbox, contact: Contact): string =>
  `${workspace.id}.${inbox.id}.${contactToken(workspace, inbox, contact)}`

export interface Subscriber {
  readonly workspace: Workspace
  readonly inbox: Inbox
  readonly contact: Contact
}

/** Who subscribes with this token, and where; nobody to an inbox that is no widget any more. */
export function subscriberOf(workspaces: Workspaces, token: string): Subscriber | undefined {
  const [workspaceId = '', inboxId = '', ...rest] = token.split('.')
  const workspace = workspaces.find(workspaceId)
  const inbox = workspace && inboxes.find(workspace, inboxId)
  if (!inbox || !isWidget(inbox)) return undefined
  const contact = contactOfToken(workspace, inbox, rest.join('.'))
  return contact && { workspace, inbox, contact }
}
