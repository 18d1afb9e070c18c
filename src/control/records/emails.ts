/** Operations on the e-mails that the suite would have sent. OPERATING.md, "Control plane". */
import { counted } from '@suite-sim/kit/text/counted'
import { Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { filenames } from '../../http/files/filenames.ts'
import { UNKNOWN_TYPE } from '../../http/uploads/contentTypes.ts'
import { findEmail, listEmails } from '../../state/shared/emails.ts'
import { iso } from '@suite-sim/kit/time/instants'
import { refuse } from '../../state/model/refusal.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type { ControlContext } from '../shared/context.ts'
import { controlRoutesOf, WaitedListOf, type ControlResource } from '../shared/dialect.ts'
import { WorkspaceId } from '../shared/schemas.ts'
import { emailView } from '../shared/views.ts'
import { waitedList } from '../shared/waiting.ts'
import { AttachmentParameters, EmailParameters, EmailQuery, SentEmail, WholeEmail } from './emailSchemas.ts'

export const emails: ControlResource = async (app, context, { waiting }) => {
  const at = controlRoutesOf(app, 'Emails')

  at('/workspaces/:id/emails', { params: WorkspaceId }).get({
    id: 'listEmails',
    summary: 'List the e-mails of a workspace',
    description:
      'Returns the e-mails that the suite would have sent, newest first. With wait, the response is sent as soon as count e-mails match.',
    query: EmailQuery,
    answers: { 200: WaitedListOf(SentEmail) },
    async run({ target: workspace, query: { to, ...patience } }, reply) {
      const rows = await waiting.until(reply, workspace, 'emails', patience, (limit) =>
        listEmails(workspace, to, limit),
      )
      return waitedList(rows.map(emailView), patience, () => explainEmails(context, workspace, to))
    },
  })

  const emailOf = ({ target }: FastifyRequest, wanted: string) =>
    findEmail(target, wanted) ?? refuse('not_found', `There is no e-mail ${wanted}.`)

  at('/workspaces/:id/emails/:emailId', { params: EmailParameters, record: emailOf }).get({
    id: 'getEmail',
    summary: 'Get an e-mail with its HTML and headers',
    answers: { 200: WholeEmail },
    async run({ record: email }) {
      const { headersOf } = await import('../../http/files/mime.ts')
      return { ...emailView(email), html: email.html, headers: headersOf(email) }
    },
  })

  at('/workspaces/:id/emails/:emailId.eml', { params: EmailParameters, record: emailOf }).get({
    id: 'getEmailFile',
    summary: 'Download an e-mail as an .eml file',
    answers: { 200: Type.String({ contentMediaType: 'message/rfc822' }) },
    async run({ record: email }, reply) {
      const { asEml } = await import('../../http/files/mime.ts')
      return reply
        .type('message/rfc822')
        .header('content-disposition', `attachment; filename="${email.id}.eml"`)
        .send(await asEml(email))
    },
  })

  at('/workspaces/:id/emails/:emailId/attachments/:index', { params: AttachmentParameters }).get({
    id: 'getEmailAttachment',
    summary: 'Download an attachment of an e-mail',
    description: 'The media type is the contentType that the list of e-mails shows.',
    answers: { 200: Type.String({ contentMediaType: UNKNOWN_TYPE }) },
    files: ATTACHED_TYPES,
    run(request, reply) {
      const { params } = request
      const { attachments } = emailOf(request, params.emailId)
      const file = attachments[params.index]
      if (!file)
        refuse('not_found', `The e-mail has ${counted(attachments.length, 'attachment')}, counted from 0.`)
      if (file.content === undefined) {
        refuse('not_found', `The content of ${file.filename} was not stored with the e-mail.`)
      }
      return reply
        .type(mediaTypeOf(file.contentType))
        .headers({
          'content-disposition': `attachment; ${filenames(file.filename)}`,
          'x-content-type-options': 'nosniff',
          // The file may be HTML with scripts.
          'content-security-policy': 'sandbox',
        })
        .send(Buffer.from(file.content, 'base64'))
    },
  })
}

/** Returns why no more e-mails exist: those to other addresses, and the next job, which may send one. */
function explainEmails({ workspaces }: ControlContext, workspace: Workspace, to: string | undefined): string {
  const newest = to === undefined ? [] : listEmails(workspace, undefined, 3)
  const others = newest.map((email) => `"${email.subject}" to ${email.to}`).join(', ')
  const sent =
    others === ''
      ? `The workspace has sent no ${listEmails(workspace, undefined, 1).length === 0 ? '' : 'other '}e-mail.`
      : `The newest e-mails are ${others}.`
  const [next] = workspaces.jobs.upcoming(workspace).toSorted((one, other) => one.due - other.due)
  if (next === undefined || next.due <= workspace.now()) return sent
  return `${sent} The next job, ${next.job}, is due at ${iso(next.due)}; the clock of the workspace is at ${iso(workspace.now())}.`
}

/** Media types of the attachments that the suite generates. */
const ATTACHED_TYPES = ['application/pdf', 'application/xml', 'text/calendar', 'text/csv', 'text/plain']

/** Returns the stored media type if it is well formed; users can store any string there. */
const mediaTypeOf = (contentType: string): string =>
  /^[\w.+-]{1,100}\/[\w.+-]{1,100}(?:; ?[\w-]{1,40}=[\w.-]{1,40}){0,4}$/.test(contentType)
    ? contentType
    : UNKNOWN_TYPE
