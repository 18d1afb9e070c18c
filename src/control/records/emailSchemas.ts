/** Wire schemas of e-mails. OPERATING.md, "Control plane". */
import { Type } from '@sinclair/typebox'
import { Instant, Int, named, Nullable } from '../../http/schemas/schemas.ts'
import { waitQuery, WorkspaceId } from '../shared/schemas.ts'

export const EmailQuery = Type.Object({ to: Type.Optional(Type.String()), ...waitQuery })

const sentEmail = {
  id: Type.String(),
  interface: Type.String(),
  from: Type.String({ examples: ['Suite Simulator <no-reply@suite-simulator.example>'] }),
  to: Type.String(),
  subject: Type.String(),
  text: Type.String(),
  attachments: Type.Array(
    Type.Object({ filename: Type.String(), contentType: Type.String(), size: Type.Integer() }),
  ),
  at: Instant(),
}

export const SentEmail = named('Email', Type.Object(sentEmail))

export const WholeEmail = named(
  'WholeEmail',
  Type.Object({
    ...sentEmail,
    html: Nullable(Type.String({ description: 'The HTML body; null if the e-mail only has text.' })),
    headers: Type.Array(Type.Object({ name: Type.String(), value: Type.String() }), {
      description: 'The headers of the .eml file, in its order and encoding.',
    }),
  }),
)

const emailId = Type.String({ description: 'The id of the e-mail, from GET /workspaces/{id}/emails.' })

export const EmailParameters = Type.Object({ ...WorkspaceId.properties, emailId })

export const AttachmentParameters = Type.Object({
  ...WorkspaceId.properties,
  emailId,
  index: Int({
    minimum: 0,
    description: 'The position of the attachment in the e-mail, starting at 0.',
    examples: [0],
  }),
})
