/**
 * Who writes in the web widget. A typed name or e-mail address proves nothing: a visitor is a new contact, unless the visitor
 * brings the token of an earlier visit, which the browser keeps as a cookie for this inbox alone. Assumed as a whole.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  contactWithEmail,
  createContact,
  updateContact,
  type Contact,
  type ContactFields,
} from '../../state/conversations/contacts.ts'
import type { Inbox } from '../../state/conversations/inboxes.ts'
import type { Workspace } from '../../state/workspace.ts'
import { contactOfToken, contactToken } from './contactTokens.ts'

/** Seconds for which a browser keeps the token. */
const KEPT_FOR = 365 * 24 * 3600

const cookieName = ({ id }: Inbox): string => `widget_${id}`

/** The contact of an earlier visit of this browser; undefined without one. */
export function knownVisitor({ workspace, headers }: FastifyRequest, inbox: Inbox): Contact | undefined {
  const start = `${cookieName(inbox)}=`
  const cookie = headers.cookie?.split(';').find((each) => each.trim().startsWith(start))
  return cookie === undefined
    ? undefined
    : contactOfToken(workspace, inbox, cookie.trim().slice(start.length))
}

/**
 * Has the browser bring the token with its next visits. Without a path, so that the cookie is for the addresses beside this one
 * below whatever path a proxy puts them; over HTTPS in frames of other sites as well.
 */
export function keepVisitor(reply: FastifyReply, workspace: Workspace, inbox: Inbox, contact: Contact): void {
  const { protocol } = reply.request
  const isSecure = protocol === 'https' || workspace.registry.publicUrl.startsWith('https:')
  const where = isSecure ? 'SameSite=None; Secure; Partitioned' : 'SameSite=Lax'
  const token = contactToken(workspace, inbox, contact)
  void reply.header(
    'set-cookie',
    `${cookieName(inbox)}=${token}; Max-Age=${String(KEPT_FOR)}; HttpOnly; ${where}`,
  )
}

export interface Who {
  readonly name: string
  readonly email: string | undefined
}

/** The contact of a visitor: the one that is known, or a new one. */
export const visitor = (workspace: Workspace, known: Contact | undefined, who: Who): Contact => {
  const fields = fieldsOf(workspace, known, who)
  return known ? updateContact(workspace, known, fields) : createContact(workspace, fields)
}

/** An address stays with the contact that has it; agents then see what was typed as an attribute. */
function fieldsOf(workspace: Workspace, known: Contact | undefined, { name, email }: Who): ContactFields {
  if (email === undefined) return { name }
  const other = contactWithEmail(workspace, email)
  return other && other.id !== known?.id
    ? { name, additionalAttributes: { unverified_email: email } }
    : { name, email }
}
