/** What stands for a contact in an inbox of the web widget, in the address of its page and on the cable. Its form is assumed. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { contacts, type Contact } from '../../state/conversations/contacts.ts'
import { inboxes, type Inbox } from '../../state/conversations/inboxes.ts'
import type { Workspace } from '../../state/workspace.ts'
import type { Workspaces } from '../../state/workspaces.ts'

/** "12.SIGNATURE": of this workspace and inbox alone. */
export const contactToken = (workspace: Workspace, inbox: Inbox, { id }: Contact): string =>
  `${id}.${signatureOf(workspace, inbox, id)}`

/** Whose token it is; undefined for one that nobody was given, or whose contact is not there any more. */
export function contactOfToken(workspace: Workspace, inbox: Inbox, token: string): Contact | undefined {
  const [id = '', signature = ''] = token.split('.')
  const sent = Buffer.from(signature)
  const right = Buffer.from(signatureOf(workspace, inbox, id))
  if (sent.length !== right.length || !timingSafeEqual(sent, right)) return undefined
  return contacts.find(workspace, id)
}

const signatureOf = ({ id, registry: { secret } }: Workspace, inbox: Inbox, contact: string): string =>
  createHmac('sha256', secret)
    .update(JSON.stringify(['widget', id, inbox.id, contact]))
    .digest('base64url')

/** The same for the cable, which knows neither workspace nor inbox: "WORKSPACE.INBOX.12.SIGNATURE". */
export const pubsubToken = (workspace: Workspace, inbox: Inbox, contact: Contact): string =>
  `${workspace.id}.${inbox.id}.${contactToken(workspace, inbox, contact)}`

/** Who subscribes with this token, and in which workspace. */
export function subscriberOf(
  workspaces: Workspaces,
  token: string,
): { readonly workspace: Workspace; readonly contact: Contact } | undefined {
  const [workspaceId = '', inboxId = '', ...rest] = token.split('.')
  const workspace = workspaces.find(workspaceId)
  const inbox = workspace && inboxes.find(workspace, inboxId)
  const contact = inbox && contactOfToken(workspace, inbox, rest.join('.'))
  return contact && { workspace, contact }
}
