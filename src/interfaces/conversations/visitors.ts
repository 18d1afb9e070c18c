/**
 * Visitors of the web widget (assumed). A typed name or e-mail address proves nothing, so a visitor is a new contact unless
 * the browser sends the token of an earlier visit. The token is a cookie for one inbox.
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
import type { Workspace } from '../../state/workspace/workspace.ts'
import { contactOfToken, contactToken } from './contactTokens.ts'

/** The lifetime of the cookie in seconds: one year. */
const COOKIE_LIFETIME = 365 * 24 * 3600

const cookieName = ({ id }: Inbox): string => `widget_${id}`

/** Returns the contact of an earlier visit of this browser; undefined without one. */
export function knownVisitor({ workspace, headers }: FastifyRequest, inbox: Inbox): Contact | undefined {
  const start = `${cookieName(inbox)}=`
  const cookie = headers.cookie?.split(';').find((each) => each.trim().startsWith(start))
  return cookie === undefined
    ? undefined
    : contactOfToken(workspace, inbox, cookie.trim().slice(start.length))
}

/**
 * Sets the cookie with the token of the contact. It has no path, so it works below any path of a proxy. Over HTTPS it also
 * works in frames of other sites.
 */
export function setVisitorCookie(
  reply: FastifyReply,
  workspace: Workspace,
  inbox: Inbox,
  contact: Contact,
): void {
  const { protocol } = reply.request
  const isSecure = protocol === 'https' || workspace.publicUrl.startsWith('https:')
  const sameSite = isSecure ? 'SameSite=None; Secure; Partitioned' : 'SameSite=Lax'
  const token = contactToken(workspace, inbox, contact)
  void reply.header(
    'set-cookie',
    `${cookieName(inbox)}=${token}; Max-Age=${String(COOKIE_LIFETIME)}; HttpOnly; ${sameSite}`,
  )
}

export interface VisitorFields {
  readonly name: string
  readonly email: string | undefined
}

/** Updates the known contact of a visitor, or creates a new one. */
export const updateOrCreateVisitor = (
  workspace: Workspace,
  known: Contact | undefined,
  who: VisitorFields,
): Contact => {
  const fields = fieldsOf(workspace, known, who)
  return known ? updateContact(workspace, known, fields) : createContact(workspace, fields)
}

/** Keeps an e-mail address with the contact that has it. Agents then see the typed address as an attribute. */
function fieldsOf(
  workspace: Workspace,
  known: Contact | undefined,
  { name, email }: VisitorFields,
): ContactFields {
  if (email === undefined) return { name }
  const other = contactWithEmail(workspace, email)
  return other && other.id !== known?.id
    ? { name, additionalAttributes: { unverified_email: email } }
    : { name, email }
}
