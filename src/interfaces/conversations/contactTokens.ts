/**
 * Tokens of one contact in one inbox of the web widget. They are part of the page address, the visitor's cookie and the
 * subscription to the cable. Their format is assumed.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { contacts, type Contact } from '../../state/conversations/contacts.ts'
import { inboxes, isWidget, type Inbox } from '../../state/conversations/inboxes.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type { Registry } from '../../state/workspace/registry.ts'

/** Returns the token "12.SIGNATURE", valid only in this workspace and inbox. */
export const contactToken = (workspace: Workspace, inbox: Inbox, contact: Contact): string =>
  `${contact.id}.${signatureOf(workspace, inbox, contact)}`

/** Returns the contact of a token; undefined if the signature is wrong or the contact no longer exists. */
export function contactOfToken(workspace: Workspace, inbox: Inbox, token: string): Contact | undefined {
  const [id = '', signature = ''] = token.split('.')
  const contact = contacts.find(workspace, id)
  if (!contact) return undefined
  const received = Buffer.from(signature)
  const expected = Buffer.from(signatureOf(workspace, inbox, contact))
  return received.length === expected.length && timingSafeEqual(received, expected) ? contact : undefined
}

/** Signs the creation time too, because another contact may have the same id after a reset. */
const signatureOf = ({ id, secret }: Workspace, inbox: Inbox, { id: contact, createdAt }: Contact): string =>
  createHmac('sha256', secret)
    .update(JSON.stringify(['widget', id, inbox.id, contact, createdAt]))
    .digest('base64url')

/** Returns the token for the cable, whose address names no workspace or inbox: "WORKSPACE.INBOX.12.SIGNATURE". */
export const pubsubToken = (workspace: Workspace, inbox: Inbox, contact: Contact): string =>
  `${workspace.id}.${inbox.id}.${contactToken(workspace, inbox, contact)}`

export interface Subscriber {
  readonly workspace: Workspace
  readonly inbox: Inbox
  readonly contact: Contact
}

/** Returns the contact of a cable token with its workspace and inbox; undefined if the inbox is not a connected widget. */
export function subscriberOf(workspaces: Registry, token: string): Subscriber | undefined {
  const [workspaceId = '', inboxId = '', ...rest] = token.split('.')
  const workspace = workspaces.find(workspaceId)
  const inbox = workspace && inboxes.find(workspace, inboxId)
  if (!inbox || !isWidget(inbox)) return undefined
  const contact = contactOfToken(workspace, inbox, rest.join('.'))
  return contact && { workspace, inbox, contact }
}
