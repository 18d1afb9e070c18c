/** Messages that the suite would have sent to people. OPERATING.md, "Control plane". */
import type { Resource } from '../http/definition.ts'
import { listEmails } from '../state/emails.ts'
import { workspaceOf, type ControlContext } from './context.ts'
import { controlOperation, ListOf } from './dialect.ts'
import { EmailQuery, SentEmail, WorkspaceId } from './schemas.ts'
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
  }
