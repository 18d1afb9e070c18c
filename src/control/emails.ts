/** Messages that the suite would have sent to people. OPERATING.md, "Control plane". */
import { Type } from '@sinclair/typebox'
import type { Resource } from '../http/definition.ts'
import { UNKNOWN_TYPE } from '../http/contentTypes.ts'
import { findEmail, listEmails } from '../state/emails.ts'
import { refuse } from '../state/refusal.ts'
import { workspaceOf, type ControlContext } from './context.ts'
import { controlOperation, ListOf } from './dialect.ts'
import {
  AttachmentParameters,
  EmailParameters,
  EmailQuery,
  SentEmail,
  WholeEmail,
  WorkspaceId,
} from './schemas.ts'
import { emailView } from './views.ts'
import type { Waiting } from './waiting.ts'

export const emails =
  (context: ControlContext, waiting: Waiting): Resource =>
  async (app) => {
    app.get(
      '/workspaces/:id/emails',
      {
        schema: { params: WorkspaceId, querystring: EmailQuery },
        config: controlOperation('Emails', {
          id: 'listEmails',
          summary: 'List the messages that the suite would have sent',
          description: 'The newest first. With wait it answers as soon as count match.',
          answers: { 200: ListOf(SentEmail) },
        }),
      },
      async ({ params, query: { to, ...patience } }, reply) => {
        const workspace = workspaceOf(context, params)
        const rows = await waiting.until(reply, workspace, 'emails', patience, (most) =>
          listEmails(workspace, to, most),
        )
        return { data: rows.map(emailView) }
      },
    )

    const emailOf = (params: { readonly id: string; readonly emailId: string }) =>
      findEmail(workspaceOf(context, params), params.emailId) ??
      refuse('not_found', `There is no e-mail ${params.emailId}.`)

    app.get(
      '/workspaces/:id/emails/:emailId',
      {
        schema: { params: EmailParameters },
        config: controlOperation('Emails', {
          id: 'getEmail',
          summary: 'Get a message with its HTML',
          answers: { 200: WholeEmail },
        }),
      },
      ({ params }) => {
        const email = emailOf(params)
        return { ...emailView(email), html: email.html }
      },
    )

    app.get(
      '/workspaces/:id/emails/:emailId.eml',
      {
        schema: { params: EmailParameters },
        config: controlOperation('Emails', {
          id: 'getEmailFile',
          summary: 'Get a message as mail programs read it',
          answers: { 200: Type.String({ contentMediaType: 'message/rfc822' }) },
        }),
      },
      async ({ params }, reply) => {
        const email = emailOf(params)
        const { asEml } = await import('../http/mime.ts')
        return reply
          .type('message/rfc822')
          .header('content-disposition', `attachment; filename="${email.id}.eml"`)
          .send(await asEml(email))
      },
    )

    app.get(
      '/workspaces/:id/emails/:emailId/attachments/:index',
      {
        schema: { params: AttachmentParameters },
        config: controlOperation('Emails', {
          id: 'getEmailAttachment',
          summary: 'Get a file that came with a message',
          description: 'A download with the media type that the list has.',
          answers: { 200: Type.String({ contentMediaType: UNKNOWN_TYPE }) },
          files: ATTACHED_TYPES,
        }),
      },
      ({ params }, reply) => {
        const { attachments } = emailOf(params)
        const file = attachments[params.index]
        if (!file)
          refuse('not_found', `The e-mail has ${String(attachments.length)} attachments, counted from 0.`)
        if (file.content === undefined) {
          refuse('not_found', `What ${file.filename} holds was not kept with the e-mail.`)
        }
        return reply
          .type(mediaTypeOf(file.contentType))
          .headers({
            'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(file.filename)}`,
            'x-content-type-options': 'nosniff',
            // The media type may be that of a page with scripts.
            'content-security-policy': 'sandbox',
          })
          .send(Buffer.from(file.content, 'base64'))
      },
    )
  }

/** What the suite attaches to its messages. */
const ATTACHED_TYPES = ['application/pdf', 'application/xml', 'text/calendar', 'text/csv', 'text/plain']

/** The media type that a file is kept with; files of people may have any text there. */
const mediaTypeOf = (contentType: string): string =>
  /^[\w.+-]{1,100}\/[\w.+-]{1,100}(?:; ?[\w-]{1,40}=[\w.-]{1,40}){0,4}$/.test(contentType)
    ? contentType
    : UNKNOWN_TYPE
